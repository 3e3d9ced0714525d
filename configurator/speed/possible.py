"""What physics refuses: more bytes than the memory carries, more operations than the units compute."""

from __future__ import annotations

from configurator.domain.message import Message, message
from configurator.speed.decode import read_per_token
from configurator.speed.subject import Subject
from configurator.speed.work import (
    active,
    active_experts,
    attention_operations,
)

_MOST = 0.85
"""Share of a peak rate that no real program exceeds."""
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


def _computed(s: Subject, value: float, passes: float, narrow: float) -> Message | None:
    weights = (
        active(s.setting.model)
        + active_experts(s.setting.model)
        - s.setting.model.vocab * s.setting.model.hidden
    )
    operations = passes * weights + attention_operations(s.setting.model, s.setting.context / 2)
    most = _MOST * narrow * sum(chip.peak for chip in s.chips)
    if value * operations <= most:
        return None
    return message(
        "impossible: {value:n} tokens/s would compute {computed:n} TFLOPS, the chips reach {most:n} at most",
        value=value,
        computed=value * operations / 1e12,
        most=most / 1e12,
    )
