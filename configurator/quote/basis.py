"""What the estimate rests on: every answer of the questionnaire, given or assumed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from configurator.advice.answer import Answer
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.workload import Dataset, Lora, Workload
from configurator.texts import Say

_FIELDS = {
    "framework": "Framework",
    "weights": "Weight format",
    "compute": "Arithmetic",
    "kv_cache": "Format of the KV cache",
    "context": "Context, tokens",
    "input_tokens": "Input, tokens",
    "output_tokens": "Output, tokens",
    "resolution": "Resolution",
    "batch": "Batch per card",
    "grad_accum": "Accumulated steps",
    "concurrency": "Requests at once",
    "growth": "Planned growth",
    "optimizer": "Optimizer",
    "checkpointing": "Checkpointing",
    "attention": "Attention kernel",
    "lora": "LoRA",
    "adapter_dtype": "Type of the adapters",
    "offload": "Offload",
    "dataset": "Data set",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """One row: label, value, and whether it is an assumption."""

    label: str
    value: str
    assumed: bool


def basis(answer: Answer, plan_given: bool, say: Say) -> tuple[Fact, ...]:
    """Return what was given and what was assumed, machine first."""
    facts = [
        Fact(say("Devices"), _devices(answer), False),
        Fact(say("Model"), model_name(answer.case.workload), False),
    ]
    machine = answer.case.machine
    if machine.os:
        facts.append(Fact(say("Operating system"), say(machine.os.capitalize()), False))
    if machine.ram_gb:
        facts.append(Fact(say("RAM"), f"{machine.ram_gb} GB", False))
    facts.append(Fact(say("Layout over the cards"), say(_plan(answer.estimate.plan)), not plan_given))
    for field, label in _FIELDS.items():
        value = getattr(answer.case.workload, field)
        if value is not None:
            facts.append(Fact(say(label), say(_value(value)), field in answer.assumed))
    return tuple(facts)


def model_name(workload: Workload) -> str:
    """Return the model's name as people say it, without the organisation's folder."""
    model = workload.model
    return (model if isinstance(model, str) else model.config or model.gguf or "").rpartition("/")[2]


def _devices(answer: Answer) -> str:
    counts = Counter(device.name for device in answer.estimate.devices)
    return " + ".join(f"{count} × {name}" if count > 1 else name for name, count in counts.items())


def _plan(plan: Plan) -> Message | str:
    """Name the degrees above one."""
    words = (
        (plan.tp, message("every layer cut over {n} cards (tensor parallel)", n=plan.tp)),
        (plan.pp, message("layers dealt out over {n} cards (pipeline)", n=plan.pp)),
        (plan.dp, message("{n} copies of the work (data parallel)", n=plan.dp)),
        (plan.cp, message("sequence cut over {n} cards (context parallel)", n=plan.cp)),
    )
    used = [text for degree, text in words if degree > 1]
    if not used:
        return "all on one device"
    if len(used) == 1:
        return used[0]
    return message("{first}, {second}", first=used[0], second=used[1])


def _value(value: Any) -> Message | str:
    match value:
        case True:
            return "on"
        case False:
            return "off"
        case int():
            return message("{n:n}", n=value)
        case float():
            return message("factor {n}", n=value)
        case Lora():
            targets = value.targets if isinstance(value.targets, str) else ", ".join(value.targets)
            return message("rank {rank}, {targets}", rank=value.rank, targets=targets)
        case Dataset(tokens=int() as tokens):
            return message("{n:n} tokens", n=tokens)
        case Dataset(samples=int() as samples):
            return message("{n:n} samples", n=samples)
        case Dataset(size_gb=float() as size):
            return message("{n} GB", n=size)
        case (width, height):
            return f"{width} × {height}"
    return str(value)
