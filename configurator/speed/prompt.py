"""Reading a prompt: operations at the rate that units and power allow, and the experts that each step meets."""

from __future__ import annotations

from math import sqrt

from configurator.domain.ranges import Range
from configurator.memory.formats import is_quantized
from configurator.speed.chips import Chip
from configurator.speed.constants import constants
from configurator.speed.exchange import exchange_seconds
from configurator.speed.subject import Subject
from configurator.speed.work import (
    active,
    active_experts,
    attention_operations,
    file_format,
    read_per_step,
    touched,
    weight_bytes,
)

_TERA = 1e12
MOST = 0.85
"""Share of a peak rate that no real program exceeds."""


def prefill(s: Subject) -> Range:
    """Return the tokens a second while a prompt is read, at the depth of the full context."""
    return _spread(s).scaled(1 / token_seconds(s, s.setting.context))


def first_token(s: Subject) -> Range:
    """Return the seconds until the first token of an answer: the whole prompt, on average half as deep."""
    likely = s.prompt * token_seconds(s, s.prompt / 2)
    spread = _spread(s)
    return Range(low=likely / spread.high, likely=likely, high=likely / spread.low)


def _spread(s: Subject) -> Range:
    return constants().host.spread if s.away else constants().prompt.spread[s.kind]


def token_seconds(s: Subject, depth: float) -> float:
    """Return the seconds that one token of a prompt takes `depth` tokens behind its beginning.

    The head works on the last token alone. All cards of a split work on steps that follow each other.
    """
    setting, c = s.setting, constants().prompt
    weights = active(setting.model) - setting.model.vocab * setting.model.hidden
    operations = 2 * (weights + active_experts(setting.model)) + attention_operations(setting.model, depth)
    computing = operations / rate(s)
    tokens = step_tokens(s)
    experts = weight_bytes(setting.model, file_format(setting)).routed * touched(setting.model, tokens)
    dense = read_per_step(setting, 0) / s.family.read
    reading = s.scale * (experts / c.expert_reading + dense) / (s.slowest.bandwidth * tokens)
    # What lies on the host passes to the card for every step.
    passing = (s.host_weights + s.spilled) / (constants().host.bus_gbs * 1e9 * tokens)
    cut = s.setting.plan.tp
    return (computing + reading) / (line_gain(s) * cut) + passing + exchange_seconds(s, tokens) / tokens


def rate(s: Subject) -> float:
    """Return the operations a second that a chip reaches with the model's weights."""
    unpacking = constants().prompt.unpacking if is_quantized(s.setting.weight_format) else 1.0
    return reached(s.slowest) * unpacking


def reached(chip: Chip, wide: bool = False) -> float:
    """Return the operations a second that a chip reaches in 16 bit, or in 32 bit (`wide`): bound by its units as well
    as by its power."""
    c, family = constants().prompt, constants().families[chip.family]
    peak = chip.peak_fp32 if wide else chip.peak * (2 if chip.halved else 1)
    law = family.compute * c.by_power * sqrt(peak / _TERA * chip.watts) * _TERA
    # Units that are slow for their power are never held back by it.
    return min(law, MOST * peak) if wide else law


def step_tokens(s: Subject) -> float:
    """Return the tokens that are read at once: a prompt, several side by side, at most a full step."""
    most = constants().prompt.step_tokens
    stated = s.setting.whole("n_ubatch", most)
    # A benchmark that begins with an empty context does not say how long its prompt is: full steps.
    return min(s.prompt * s.setting.batch, stated) if s.prompt > 1 else stated


def line_gain(s: Subject) -> float:
    """Return how many times faster a line of cards reads: its stages work on the steps of a prompt in turn."""
    c, cards = constants().prompt, s.setting.plan.pp
    steps = max(1.0, s.prompt / c.line_step)
    return 1 + c.line * (cards * steps / (cards + steps - 1) - 1)
