"""The words of the sheet for what the other rooms name by ids. English; said by `texts.say_in`."""

from __future__ import annotations

from configurator.domain.finding import Severity
from configurator.domain.ledger import Component, Verdict
from configurator.domain.project import Group

COMPONENTS: dict[Component, str] = {
    "weights": "Weights",
    "adapter": "Adapter",
    "gradients": "Gradients",
    "optimizer": "Optimizer",
    "master_weights": "Master weights",
    "activations": "Activations",
    "logits": "Logits",
    "kv_cache": "KV cache",
    "recurrent_state": "Recurrent state",
    "workspace": "Workspace",
    "communication": "Communication",
    "context": "Driver context",
    "display": "Monitors",
    "other_apps": "Other programs",
    "fragmentation": "Fragmentation",
    "reserve": "Reserve",
}

VERDICTS: dict[Verdict, tuple[str, str]] = {
    "fits": ("fits", "ok"),
    "tight": ("tight", "warn"),
    "spills": ("runs slowly", "warn"),
    "exceeds": ("does not fit", "fail"),
}
"""The word and its role among the colours."""

SEVERITIES: dict[Severity, tuple[str, str]] = {
    "error": ("not like this", "fail"),
    "warn": ("mind this", "warn"),
    "info": ("note", "accent"),
    "ok": ("met", "ok"),
}
"""The word and its role among the colours, gravest first."""

TASKS = {
    "inference": "Running {model}",
    "serving": "Serving {model}",
    "lora": "LoRA adapters on {model}",
    "qlora": "QLoRA adapters on {model}",
    "full": "Full fine-tuning of {model}",
    "pretrain": "Pre-training of {model}",
}

GROUPS: dict[Group, str] = {
    "parts": "Parts",
    "assembly": "Assembly",
    "software": "Software",
    "burn_in": "Burn-in",
    "service": "Services",
}

CHECKED_PARTS = {
    "power.psu": "power supply",
    "power.mains": "mains circuit",
    "case.fit": "space in the case",
    "cooling": "cooling",
    "ram.capacity": "size of the RAM",
    "storage.capacity": "size of the drives",
    "storage.backup": "backup",
    "software.engine": "software versions",
}
"""Checks that belong on every sheet; one without a finding is named as not checked."""

LABELS = {
    "basis": "Basis: given and assumed",
    "assumed": "assumed",
    "numbers": "What to expect",
    "checks": "Checks",
    "result": "Result",
    "check": "Check",
    "lines": "Items",
    "quantity": "Quantity",
    "item": "Item",
    "unit_price": "Unit price",
    "sum": "Total",
    "net": "Net",
    "gross": "Total incl. VAT",
    "open": "price on request",
    "unchecked": "Not checked",
    "sources": "Sources",
    "page": "Page",
    "of": "of",
}
