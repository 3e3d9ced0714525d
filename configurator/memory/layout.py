"""Which layers lie on which device: evenly, by a stated split, by memory, or card after card."""

from __future__ import annotations

from typing import cast

from configurator.domain.units import GIB
from configurator.memory.devices import Device
from configurator.memory.layer_split import dealt, gpu_layers
from configurator.memory.sequences import sequence_cache, sequences
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage, bytes_in, stage_sum, stages, whole_model

_NOTHING = 1e-9
"""Share of a card that gets no layer."""


def laid_stages(s: Setting, hardware: tuple[Device, ...]) -> tuple[Stage, ...]:
    """Return what the stages of the pipeline hold.

    Servers and trainers deal evenly. llama.cpp and device maps look at the memory of the cards, ExLlama fills them
    one after the other (`gpu_split` in GiB, else what they have). A split that is stated holds.
    """
    cards = hardware[: s.plan.pp]
    memory = tuple(float(device.capacity) for device in cards)
    stated = s.plan.split if s.plan.split and len(s.plan.split) == s.plan.pp else None
    if s.workload.trains or s.framework.workspace == "server":
        return stages(s.model, s.plan)
    if s.framework.workspace == "llama.cpp":
        return dealt(s.model, stated or memory, gpu_layers(s))
    shares = stated
    if shares is None and s.framework.fills_in_order and s.plan.pp > 1:
        shares = _in_order(s, memory)
    elif shares is None and len(set(memory)) > 1:
        shares = memory
    return stages(s.model, s.plan.model_copy(update={"split": shares}))


def _in_order(s: Setting, memory: tuple[float, ...]) -> tuple[float, ...]:
    """Return the shares of the layers when each card is filled before the next; the last takes what is left."""
    everything = whole_model(s.model)
    need = stage_sum(s.model, everything, s.plan, bytes_in(s.weight_format))
    need += sequences(s) * sum(sequence_cache(s, everything))
    kept = (s.framework.workspace_gib.likely + s.framework.context_gib.likely) * GIB
    stated = cast("list[float]", s.option("gpu_split") or [])
    budgets = (
        [float(size) * GIB for size in stated] if len(stated) == len(memory) else [m - kept for m in memory]
    )
    each, left, counts = need / len(s.model.layers), len(s.model.layers), []
    for budget in budgets[:-1]:
        # Whole layers only: what does not fit goes to the next card.
        counts.append(min(left, int(max(budget, 0.0) // each)))
        left -= counts[-1]
    return tuple(max(count, _NOTHING) for count in (*counts, left))
