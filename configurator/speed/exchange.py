"""What tensor-parallel cards exchange: twice a layer the sums of all tokens of a step."""

from __future__ import annotations

from configurator.speed.subject import Subject


def exchange_seconds(s: Subject, tokens: float) -> float:
    """Return the seconds that the cards exchange in a step of so many tokens: messages, and two bytes a value, of which
    each card sends its share there and back."""
    ranks, model = s.setting.plan.tp, s.setting.model
    if ranks == 1:
        return 0.0
    sums = 2 * model.hidden * tokens * 2 * (ranks - 1) / ranks
    return 2 * len(model.layers) * (s.link.us * 1e-6 + sums / (s.link.gbs * 1e9))
