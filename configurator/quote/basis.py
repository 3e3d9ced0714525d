"""What the estimate rests on: every answer of the questionnaire, given or assumed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from configurator.advice.answer import Answer
from configurator.catalog.framework import resolve_framework
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.workload import Dataset, Lora
from configurator.texts import Say

SYSTEMS = {"windows": "Windows", "wsl2": "WSL 2", "linux": "Linux", "macos": "macOS"}
FIELDS = {
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
        Fact(say("Device") if answer.case.machine.system else say("Devices"), device_names(answer), False),
        Fact(say("Model"), answer.case.workload.model_name, False),
    ]
    machine = answer.case.machine
    if machine.os:
        facts.append(Fact(say("Operating system"), say(SYSTEMS[machine.os]), False))
    if machine.ram_gb:
        facts.append(Fact(say("RAM"), f"{machine.ram_gb} GB", False))
    if len(answer.estimate.devices) > 1:
        facts.append(Fact(say("Layout over the cards"), say(_plan(answer.estimate.plan)), not plan_given))
    for field, label in FIELDS.items():
        value = getattr(answer.case.workload, field)
        if field == "framework" and (profile := resolve_framework(value)):
            value = profile.name
        # Training keeps no cache of keys and values: its format would only puzzle.
        if value is not None and not (field == "kv_cache" and answer.case.workload.trains):
            facts.append(Fact(say(label), say(_value(value)), field in answer.assumed))
    return tuple(facts)


def device_names(answer: Answer) -> str:
    """Return the devices with their numbers: `2 × GeForce RTX 4090`."""
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
        return message("all on one device")
    if len(used) == 1:
        return used[0]
    return message("{first}, {second}", first=used[0], second=used[1])


def _value(value: Any) -> Message | str:
    match value:
        case True:
            return message("on")
        case False:
            return message("off")
        case int():
            return message("{n:n}", n=value)
        case float():
            return message("factor {n}", n=value)
        case Lora():
            if value.targets == "all-linear":
                return message("rank {rank}, all linear layers", rank=value.rank)
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
