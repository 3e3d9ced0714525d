"""Memory per GPU, its growth, and what sharding does and does not."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding, Severity
from configurator.domain.ledger import DeviceLedger
from configurator.domain.message import Message, message
from configurator.memory import sources
from configurator.system.facts import Facts

_GROWS = ("kv_cache", "recurrent_state", "activations", "logits")
_SEVERITY: dict[str, Severity] = {"fits": "ok", "tight": "warn", "spills": "warn", "exceeds": "error"}
_TEXT: dict[str, Message] = {
    "fits": message("The workload fits on every device"),
    "tight": message("The workload fits with little room"),
    "spills": message("The workload spills into the PC's own memory and becomes slow"),
    "exceeds": message("The workload does not fit"),
}


def _limiting(facts: Facts) -> DeviceLedger:
    return max(facts.estimate.devices, key=lambda device: device.total.likely / device.usable)


def check_per_gpu(facts: Facts) -> Iterator[Finding]:
    """Check the fullest device against its own memory."""
    device = _limiting(facts)
    yield Finding(
        id="memory.per_gpu",
        severity=_SEVERITY[facts.estimate.verdict],
        device=device.device,
        message=_TEXT[facts.estimate.verdict],
        numbers={"likely": device.total.likely, "high": device.total.high, "usable": device.usable},
        why=message(
            "{device} needs {likely:gib} (up to {high:gib}) of {usable:gib}",
            device=device.name,
            likely=device.total.likely,
            high=device.total.high,
            usable=device.usable,
        ),
        source=sources.LEDGER,
        fix=None
        if facts.estimate.verdict == "fits"
        else message("a shorter context, a smaller batch, fewer bits per weight, or a card with more memory"),
    )


def check_growth(facts: Facts) -> Iterator[Finding]:
    """Check the load that is planned for: what grows with it, times the growth."""
    growth = facts.case.workload.growth
    if not growth or growth == 1:
        return
    device = _limiting(facts)
    moving = sum(entry.likely for entry in device.entries if entry.component in _GROWS)
    later = device.total.likely + (growth - 1) * moving
    fits = later <= device.usable
    yield Finding(
        id="memory.growth",
        severity="ok" if fits else "warn",
        device=device.device,
        message=message("There is room for the planned growth")
        if fits
        else message("The planned growth does not fit"),
        numbers={"growth": growth, "later": round(later), "usable": device.usable},
        why=message(
            "{moving:gib} grow by the factor {growth}: {later:gib} of {usable:gib}",
            moving=moving,
            growth=growth,
            later=later,
            usable=device.usable,
        ),
        source=sources.LEDGER,
        fix=None if fits else message("plan a card with more memory or one more card now"),
    )


def check_sharding(facts: Facts) -> Iterator[Finding]:
    """Say what the plan copies: data parallel replicates, it does not add memory."""
    plan, cards = facts.estimate.plan, len(facts.cards)
    if cards < 2:
        return
    copied = plan.dp > 1 and plan.zero < 3
    yield Finding(
        id="plan.sharding",
        severity="info" if copied else "ok",
        message=message("Every card holds the whole model")
        if copied
        else message("The model is divided over the cards"),
        numbers={"cards": cards, "dp": plan.dp, "tp": plan.tp, "pp": plan.pp, "zero": plan.zero},
        why=message(
            "data parallel copies the model onto each of {cards} cards; their memory never adds up",
            cards=cards,
        )
        if copied
        else message(
            "tensor or layer split or full sharding puts a part on each of {cards} cards", cards=cards
        ),
        source="definition of the parallelism",
        fix=message(
            "full sharding (ZeRO 3, FSDP) divides it; it needs lanes and brings 1.6 to 1.9 times, not 2"
        )
        if copied
        else None,
    )


def check_unified(facts: Facts) -> Iterator[Finding]:
    """Say what share of unified memory the GPU may use."""
    if facts.system is None:
        return
    device = facts.estimate.devices[0]
    share = facts.case.machine.gpu_share or facts.system.gpu_share
    yield Finding(
        id="unified.budget",
        severity="info",
        device=device.device,
        message=message("The GPU may use {share:%} of the unified memory", share=share),
        numbers={"share": share, "usable": device.usable, "memory": facts.system.memory},
        why=message(
            "{memory:gib} x {share:%} = {usable:gib}",
            memory=facts.system.memory,
            share=share,
            usable=device.usable,
        ),
        source=facts.system.gpu_share_source,
        fix=message(
            "the limit can be raised (iogpu.wired_limit_mb on macOS); leave 8 to 16 GB to the system"
        ),
    )
