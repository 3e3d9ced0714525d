"""What physics refuses: more bytes than the memory carries, more operations than the units compute."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.message import Message, message
from configurator.speed.chips import chips
from configurator.speed.decode import read_per_token
from configurator.speed.image_work import image_work
from configurator.speed.prompt import MOST
from configurator.speed.subject import Subject
from configurator.speed.work import (
    active,
    active_experts,
    attention_operations,
)

_NARROW = 4.0
"""Rate of 8-bit units over that of 16 bit with FP32 accumulation, at most (GeForce): prompts may use them."""


def impossible(s: Subject, key: str, value: float) -> Message | None:
    """Return why a speed cannot have been measured on these chips; None where it can."""
    match key:
        case "decode_tokens_s" if s.setting.workload.task == "inference" and s.setting.batch == 1:
            carried = value * read_per_token(s)
            most = sum(chip.bandwidth for chip in s.chips)
            if carried > most:
                return message(
                    "impossible: {value:n} tokens/s would read {carried:n} GB/s, the memory carries {most:n}",
                    value=value,
                    carried=carried / 1e9,
                    most=most / 1e9,
                )
        case "prefill_tokens_s":
            return _computed(s, value, 2.0, _NARROW)
        case "train_tokens_s":
            passes = 4.0 if s.setting.workload.task in ("lora", "qlora") else 6.0
            wide = 2.0 if "fp8" in str(s.setting.workload.options.get("precision", "")) else 1.0
            return _computed(s, value, passes, wide)
    return None


def impossible_images(case: Case, key: str, value: float, catalog: Catalog) -> Message | None:
    """Return why so many images or steps cannot have been computed; None where they can."""
    work, found = image_work(case.workload, catalog), chips(case.machine, catalog)
    if work is None or not found or not value:
        return None
    if key == "step_s" and work.steps and not case.workload.trains:
        computed = work.operations * (case.workload.batch or 1) / value
    elif key == "images_s" and not work.steps:
        computed = value * work.operations * (3 if case.workload.trains else 1)
    else:
        return None
    most = MOST * sum(chip.peak * (2 if chip.halved else 1) for chip in found)
    return _too_much(value, computed, most) if computed > most else None


def _computed(s: Subject, value: float, passes: float, narrow: float) -> Message | None:
    model = s.setting.model
    weights = active(model) + active_experts(model) - model.vocab * model.hidden
    computed = value * (passes * weights + attention_operations(model, s.setting.context / 2))
    most = MOST * narrow * sum(chip.peak for chip in s.chips)
    return _too_much(value, computed, most) if computed > most else None


def _too_much(value: float, computed: float, most: float) -> Message:
    return message(
        "impossible: {value} a second would compute {computed:n} TFLOPS, the chips reach {most:n} at most",
        value=round(value, 2),
        computed=computed / 1e12,
        most=most / 1e12,
    )
