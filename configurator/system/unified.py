"""Unified memory: what the GPU may use, what can be raised, and what happens beyond it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.domain.finding import Finding
from configurator.domain.message import Message, message
from configurator.domain.units import GIB
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source, table

_BEYOND: dict[str, Message] = {
    "swap": message("beyond it macOS swaps onto the drive, wears it, and in the end stops the machine"),
    "freeze": message("beyond it the whole machine freezes without an error message"),
    "oom": message("beyond it the driver ends the program"),
}


def check_unified(facts: Facts) -> Iterator[Finding]:
    """Check the workload against the default budget and the raised one."""
    system = facts.system
    if system is None:
        return
    device, memory = facts.estimate.devices[0], system.memory
    row = table("unified").get(system.vendor.lower(), {})
    raised = _raised(facts, row)
    need, training = device.total.likely, facts.workload.trains
    numbers = {"usable": device.usable, "raised": raised, "memory": memory, "needed": need}
    share = facts.case.machine.gpu_share or system.gpu_share
    budget = message(
        "{memory:gib} x {share:%} = {usable:gib}, at most {raised:gib}; {beyond}",
        memory=memory,
        share=share,
        usable=device.usable,
        raised=raised,
        beyond=_BEYOND[row.get("behaviour", "oom")],
    )
    where = f"{system.gpu_share_source}; {row['source']}" if "source" in row else system.gpu_share_source
    can_raise = raised > 1.02 * device.usable
    change = {"gpu_share": round(min(0.95, raised / memory), 2)} if can_raise else None
    higher = (
        message("raise the limit to {raised:gib} ({how})", raised=raised, how=str(row.get("raise", "-")))
        if can_raise
        else None
    )
    found = [
        Problem("ok", message("The GPU may use {share:%} of the unified memory", share=share), budget, where)
    ]
    if need > device.usable:
        found.append(
            Problem(
                "warn" if need <= raised and can_raise else "error",
                message("It fits only when the limit of the GPU is raised")
                if need <= raised and can_raise
                else message("The unified memory is too small for this"),
                budget,
                where,
                higher if need <= raised else message("fewer bits, a smaller model, or more memory"),
                change if need <= raised else None,
            )
        )
    elif training:
        found.append(_training(need, device.usable, budget))
    yield gravest("unified.budget", found, numbers, device.device)


def _training(need: int, usable: int, budget: Message) -> Problem:
    """Judge training that fits: a single long sample aborts it far below the limit."""
    tight = need > (1 - rule("growth.reserve")) * usable
    return Problem(
        "warn" if tight else "info",
        message("Training leaves less than a quarter of the budget free")
        if tight
        else message("Training in unified memory: try the longest sample first"),
        budget,
        source("growth.reserve"),
        message("a shorter context, batch 1 with checkpointing, or more memory")
        if tight
        else message("batch 1 with checkpointing, samples cut to the context, a quarter kept free"),
    )


def _raised(facts: Facts, row: Any) -> int:
    """Return the most that the GPU can be given, in bytes."""
    device, system = facts.estimate.devices[0], facts.system
    memory = system.memory if system else 0
    if "raised_gib" in row:
        return max(device.usable, min(memory, int(row["raised_gib"]) * GIB))
    if row.get("behaviour") == "swap":
        left = rule("unified.system_gb") if memory > 64 * GIB else rule("unified.system_gb") / 2
        return max(device.usable, memory - round(left * GIB))
    return device.usable
