"""Power: what a limit leaves of a speed, watts at the wall, energy of a run, and how loud the machine is."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal

from configurator.catalog.catalog import Catalog
from configurator.catalog.loading import read_table
from configurator.catalog.parts import Gpu, System
from configurator.domain.machine import GpuFacts, Machine, Part
from configurator.domain.message import Message, message
from configurator.domain.ranges import Range
from configurator.domain.workload import Workload
from configurator.speed.constants import constants

Noise = Literal["quiet", "audible", "loud", "server room"]
TIMES = ("step_s", "time_to_first_token_s", "hours", "hours_per_epoch")
"""Speeds that are times: the larger, the slower."""
_CPU = 150
"""Watts of a processor that is not named."""
_QUIET, _AUDIBLE = 250.0, 700.0
"""Watts at the wall up to which air from large slow fans carries the heat quietly, and audibly."""


def under_limit(found: Mapping[str, Range], machine: Machine, catalog: Catalog) -> dict[str, Range]:
    """Return the speeds that a power limit leaves: writing waits for memory, everything else for arithmetic."""
    limit = machine.power_limit_w
    rated = [card.tdp_w for card in _cards(machine, catalog) if card.tdp_w]
    share = min(1.0, limit / max(rated)) if limit and rated else 1.0
    if share == 1.0:
        return dict(found)
    table = read_table("rules")["tables"]["power_limit"]
    single, busy = (_left(table[kind], share) for kind in ("single", "training"))
    return {key: _slowed(key, one, single if "decode" in key else busy) for key, one in found.items()}


def _left(rows: list[Any], share: float) -> Range:
    """Return what a limit leaves, between the measured shares; below the lowest as at the lowest."""
    for upper, lower in pairwise(rows):
        if share >= lower["share"]:
            part = (share - lower["share"]) / (upper["share"] - lower["share"])
            ends = {end: lower[end] + part * (upper[end] - lower[end]) for end in ("low", "likely", "high")}
            return Range(**ends)
    return Range(**{end: rows[-1][end] for end in ("low", "likely", "high")})


def _slowed(key: str, one: Range, left: Range) -> Range:
    if key in TIMES:
        return Range(low=one.low / left.high, likely=one.likely / left.likely, high=one.high / left.low)
    return Range(low=one.low * left.low, likely=one.likely * left.likely, high=one.high * left.high)


def wall_power(machine: Machine, w: Workload, catalog: Catalog) -> Range | None:
    """Return the watts at the wall under a workload; None where the power of a card is not known."""
    c, kind = constants().power, "training" if w.trains else w.task
    if system := _system(machine, catalog):
        peak = system.peak_w
        return Range(low=0.75 * peak, likely=0.95 * peak, high=1.1 * peak) if peak else None
    cards = _cards(machine, catalog)
    if len(cards) < machine.gpu_count or not all(card.tdp_w for card in cards):
        return None
    limit = machine.power_limit_w or 10_000
    drawn = c.card[kind] * sum(min(card.tdp_w or 0, limit) for card in cards)
    inside = drawn + c.cpu[kind] * _processor(machine, catalog) + c.rest_w
    return c.spread.scaled(inside / c.efficiency)


def with_energy(found: dict[str, Range], watts: Range | None) -> dict[str, Range]:
    """Return the speeds with watts at the wall, the energy of a run, and that of a thousand written tokens."""
    if watts is None or not found:
        return found
    result = found | {"wall_power_w": watts}
    if "hours" in found:
        result["energy_kwh"] = _times(found["hours"], watts).scaled(1 / 1000)
    if "decode_tokens_s" in found:
        rate = found["decode_tokens_s"]
        seconds = Range(low=1 / rate.high, likely=1 / rate.likely, high=1 / rate.low)
        result["energy_wh_per_1000_tokens"] = _times(seconds, watts).scaled(1000 / 3600)
    return result


def loudness(machine: Machine, catalog: Catalog, watts: Range) -> Message:
    """Say how loud the machine is under a load."""
    texts = {
        "quiet": message("hardly audible at a desk"),
        "audible": message("audible in a quiet office"),
        "loud": message("loud beside a desk"),
        "server room": message("for a server room only"),
    }
    return message(
        "about {watts:w} at the socket under this load: {noise}",
        watts=round(watts.likely, -1),
        noise=texts[noise(machine, catalog, watts)],
    )


def noise(machine: Machine, catalog: Catalog, watts: Range) -> Noise:
    """Return the noise class: by the heat that fans carry away, and by the kind of coolers on the cards."""
    coolers = {card.cooling for card in _cards(machine, catalog)}
    if "passive" in coolers:
        return "server room"
    if watts.likely > _AUDIBLE or ("blower" in coolers and watts.likely > _QUIET):
        return "loud"
    return "audible" if watts.likely > _QUIET or "blower" in coolers else "quiet"


def _times(one: Range, other: Range) -> Range:
    return Range(low=one.low * other.low, likely=one.likely * other.likely, high=one.high * other.high)


def _system(machine: Machine, catalog: Catalog) -> System | None:
    """Return the unified-memory system; logs of a Mac name its chip as the GPU."""
    if machine.system:
        return catalog.systems.find(machine.system)
    name = machine.gpus[0].gpu
    return catalog.systems.named(name) if isinstance(name, str) and not catalog.gpus.named(name) else None


def _cards(machine: Machine, catalog: Catalog) -> list[Gpu]:
    names = [kind.gpu for kind in machine.gpus for _ in range(kind.count)]
    return [card for name in names if not isinstance(name, GpuFacts) and (card := catalog.gpus.named(name))]


def _processor(machine: Machine, catalog: Catalog) -> float:
    if machine.cpu is None:
        return _CPU
    cpu = catalog.cpus.named(machine.cpu.id if isinstance(machine.cpu, Part) else machine.cpu)
    return float((cpu.power_w or cpu.tdp_w or _CPU) if cpu else _CPU)
