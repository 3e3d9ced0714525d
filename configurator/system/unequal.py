"""Cards of different size or speed in one plan."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import engine

_SOURCE = "vllm issues 2317, 4998 and 10204; FastChat issue 480; tensor_parallel issue 94"


def check_unequal(facts: Facts) -> Iterator[Finding]:
    """Check what unequal cards can share: the smallest sets the memory, the slowest the pace."""
    devices = facts.estimate.devices
    if len(set(facts.cards)) < 2 or len(devices) < 2:
        return
    sizes = [device.usable for device in devices]
    small, large = min(sizes), max(sizes)
    count, plan = len(sizes), facts.plan
    even = plan.tp > 1 or plan.dp > 1
    numbers = {"smallest": small, "largest": large, "pool": count * small if even else sum(sizes)}
    yield gravest("plan.unequal_gpus", [_even(facts, small) if even else _layers(facts)], numbers)


def _even(facts: Facts, small: int) -> Problem:
    """Judge a plan that gives every card the same share."""
    devices = facts.estimate.devices
    full = [device for device in devices if device.total.likely > device.usable]
    broken = bool(full) and len(full) < len(devices)
    return Problem(
        "error" if broken else "warn",
        message("The smallest card does not hold its share")
        if broken
        else message("Unequal cards share evenly: the smallest and slowest sets the limit"),
        message(
            "every card takes the same share: together {count} x {small:gib}, at the pace of the slowest",
            count=len(devices),
            small=small,
        ),
        _SOURCE,
        message("a layer split by memory (llama.cpp), equal cards, or the larger card alone"),
    )


def _layers(facts: Facts) -> Problem:
    """Judge a layer split: each card holds its own layers, cache and buffers."""
    devices = facts.estimate.devices
    full = [device for device in devices if device.total.likely > device.usable]
    runs = engine(facts.framework.id) if facts.framework else None
    uneven = facts.plan.split is not None or (runs is not None and runs.splits_unevenly)
    return Problem(
        "warn" if full else "info",
        message("A card is too small for its layers")
        if full
        else message("Unequal cards carry layers by their size"),
        message(
            "each card needs room for its layers, its part of the cache and its own buffers; the slowest sets the pace"
        ),
        _SOURCE,
        None
        if uneven and not full
        else message("shares by memory (plan.split, --tensor-split), with less on the small card"),
    )
