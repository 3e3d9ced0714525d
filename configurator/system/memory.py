"""Memory per GPU and its growth."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.memory import sources
from configurator.system.facts import Facts

_GROWS = ("kv_cache", "recurrent_state", "activations", "logits")
_SEVERITY: dict[str, Severity] = {"fits": "ok", "tight": "warn", "spills": "warn", "exceeds": "error"}
_TEXT: dict[str, Message] = {
    "fits": message("The workload fits on every device"),
    "tight": message("The workload fits with little room"),
    "spills": message("The workload spills into the PC's own memory and runs 10 to 36 times slower"),
    "exceeds": message("The workload does not fit"),
}
_SPILLS = "microsoft/WSL issue 10452; FluxML/Flux.jl issue 2364"


def check_per_gpu(facts: Facts) -> Iterator[Finding]:
    """Check the fullest device against its own memory."""
    device, verdict = facts.limiting, facts.estimate.verdict
    yield Finding(
        id="memory.per_gpu",
        severity=_SEVERITY[verdict],
        device=device.device,
        message=_TEXT[verdict],
        numbers={"likely": device.total.likely, "high": device.total.high, "usable": device.usable},
        why=message(
            "{device} needs {likely:gib} (up to {high:gib}) of {usable:gib}",
            device=device.name,
            likely=device.total.likely,
            high=device.total.high,
            usable=device.usable,
        ),
        source=_SPILLS if verdict == "spills" else sources.LEDGER,
        fix=None
        if verdict == "fits"
        else message("a shorter context, a smaller batch, fewer bits per weight, or a card with more memory"),
    )


def check_growth(facts: Facts) -> Iterator[Finding]:
    """Check the load that is planned for: what grows with it, times the growth."""
    growth = facts.workload.growth
    if not growth or growth == 1:
        return
    device = facts.limiting
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
