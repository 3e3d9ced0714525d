"""System RAM: what the workload needs of the host, offload, loading, other work; sizes as sold."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import Message, message
from configurator.domain.units import GIB
from configurator.system.facts import Facts
from configurator.system.load import host_load
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source, table

STEPS = (64, 128, 256, 384, 512, 768, 1024, 1536, 2048)
"""Sizes in GB in which workstations are sold."""


def offloaded(facts: Facts) -> float:
    """Return the bytes that DeepSpeed's offload takes of RAM, by its own formula with buffers."""
    offload = facts.workload.offload or "none"
    if facts.workload.task not in ("full", "pretrain") or "optimizer" not in offload:
        return 0.0
    each = rule("ram.offload_all")
    if "params" not in offload:
        each = max(4.0 * facts.plan.dp, rule("ram.offload_optimizer"))
    return each * facts.parameters * rule("ram.offload_buffer")


def needed_ram(facts: Facts) -> float:
    """Return the bytes that must be there: the ledger's host need, offload, loading, and other work."""
    host, away = facts.estimate.host.ram.likely, offloaded(facts)
    # The ledger counts what is moved once; the buffers come on top.
    buffers = away * (1 - 1 / rule("ram.offload_buffer"))
    return max(host + buffers, host_load(facts)) + other_work(facts)


def other_work(facts: Facts) -> float:
    """Return the bytes that CAD and rendering take beside the workload."""
    rows, also = table("other_ram"), facts.case.also
    cad = rows["cad"]["gb"] if also.cad else 0
    return float(max(cad, rows["render"]["gb"] if also.render else 0)) * GIB


def comfortable_ram(facts: Facts) -> float:
    """Return the GiB that are comfortable: the need, the memory of all cards, the base of a workstation."""
    cards = sum(device.capacity for device in facts.estimate.devices) / GIB * rule("ram.per_vram")
    return max(needed_ram(facts) / GIB, cards, rule("ram.video_gb" if _films(facts) else "ram.base_gb"))


def _films(facts: Facts) -> bool:
    """Whether the model makes pictures that move."""
    return float(str(facts.workload.options.get("frames", 1))) > 1


def step(size: float) -> int:
    """Return the next size as sold."""
    return next((one for one in STEPS if one >= size), STEPS[-1])


def check_ram(facts: Facts) -> Iterator[Finding]:
    """Check RAM against the workload's need and the memory of all cards."""
    if facts.system is not None:
        return
    must, enough = needed_ram(facts), comfortable_ram(facts)
    comfortable, have = step(enough), facts.case.machine.ram_gb
    numbers = {"have_gb": have or 0, "needed_gb": round(must / GIB, 1), "comfortable_gb": comfortable}
    yield gravest("ram.capacity", [_sized(facts, must, enough), *_wsl(facts, must)], numbers)


def _sized(facts: Facts, must: float, enough: float) -> Problem:
    have, comfortable = facts.case.machine.ram_gb, step(enough)
    fix, change = message("{comfortable} GB of RAM", comfortable=comfortable), {"ram_gb": comfortable}
    why = _why(facts, must, comfortable)
    where = source("ram.offload_all" if offloaded(facts) else "ram.per_vram")
    if have is None:
        text = message("No RAM named; {comfortable} GB are proposed", comfortable=comfortable)
        return Problem("info", text, why, where, fix, change)
    if have >= enough:
        return Problem("ok", message("{have} GB of RAM are enough", have=have), why, where)
    if have * GIB >= must:
        text = message("{have} GB of RAM are enough for this, with little room", have=have)
        return Problem("warn", text, why, where, fix, change)
    text = message("{have} GB of RAM are not enough: {need:gib} are needed", have=have, need=must)
    return Problem("error", text, why, where, fix, change)


def _why(facts: Facts, must: float, comfortable: int) -> Message:
    away = offloaded(facts)
    if away:
        return message(
            "offload takes {away:gib}: {each} bytes x {count:n} million parameters x {buffer} for buffers; with system and loaders {need:gib}; {comfortable} GB are the next size",
            away=away,
            each=away / facts.parameters / rule("ram.offload_buffer"),
            count=facts.parameters / 1e6,
            buffer=rule("ram.offload_buffer"),
            need=must,
            comfortable=comfortable,
        )
    return message(
        "the workload needs {need:gib} of RAM; as much RAM as the cards have together is comfortable: {comfortable} GB",
        need=must,
        comfortable=comfortable,
    )


def _wsl(facts: Facts, must: float) -> Iterator[Problem]:
    """Look at WSL 2, whose machine sees about half of the RAM by default."""
    have = facts.case.machine.ram_gb
    if facts.case.machine.os == "wsl2" and have and have * GIB * rule("ram.wsl_share") < must <= have * GIB:
        yield Problem(
            "info",
            message("WSL 2 sees about half of the RAM"),
            message(
                "{need:gib} are needed, {seen:gib} are seen",
                need=must,
                seen=have * GIB * rule("ram.wsl_share"),
            ),
            source("ram.wsl_share"),
            message("set memory in .wslconfig"),
        )
