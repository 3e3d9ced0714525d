"""How the RAM is put on the board: number of modules, speed, channels, ECC."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configurator.catalog.boards import Platform, Population
from configurator.domain.finding import Finding
from configurator.domain.message import Message, message
from configurator.system.facts import Facts, decided
from configurator.system.problem import Problem, gravest
from configurator.system.ram import comfortable_ram, step
from configurator.system.rules import source, table

_LARGEST = {"RDIMM": 256, "UDIMM": 64}
"""Largest modules sold, GB."""


@dataclass(frozen=True, slots=True)
class Modules:
    """So many modules of one size; the speed that the platform states for them, MT/s."""

    count: int
    size: int
    per_channel: int
    speed: int | None


def check_population(facts: Facts) -> Iterator[Finding]:
    """Check size, number of modules and their speed against platform and board."""
    if facts.system is not None:
        return
    platform, board = facts.platform, facts.board
    size = facts.case.machine.ram_gb or step(comfortable_ram(facts))
    if platform is None:
        yield Finding(
            id="ram.population",
            severity="info",
            message=message("No CPU or board named: the modules are not checked"),
            why=message("channels and module kinds are a property of the platform"),
            source=source("ram.full_desktop"),
            fix=message("name the board or the CPU"),
        )
        return
    modules = best_modules(facts, platform, size)
    numbers: dict[str, float | int] = {"ram_gb": size, "channels": channels(facts, platform)}
    if modules:
        numbers |= {"modules": modules.count, "module_gb": modules.size}
        numbers |= {"speed_mts": modules.speed} if modules.speed else {}
    found = [*_too_much(facts, platform, size), *_fitted(facts, platform, size, modules)]
    yield gravest(
        "ram.population", found, numbers | ({"slots": board.dimm_slots} if board and board.dimm_slots else {})
    )


def channels(facts: Facts, platform: Platform) -> int:
    """Return the memory channels that CPU and board have together."""
    board = facts.board.channels if facts.board else None
    return min(platform.channels, board or platform.channels)


def registered(facts: Facts, platform: Platform) -> bool:
    """Whether the platform takes registered modules with ECC."""
    kinds = (facts.board.module_types if facts.board else ()) or platform.module_types
    return "RDIMM" in kinds


def best_modules(facts: Facts, platform: Platform, size: int) -> Modules | None:
    """Return the modules that make up `size` GB with the fewest a channel; None: no way."""
    ways = channels(facts, platform)
    slots = (facts.board.dimm_slots if facts.board else None) or 2 * ways
    largest = _LARGEST["RDIMM" if registered(facts, platform) else "UDIMM"]
    for per_channel in (1, 2):
        count = ways * per_channel
        each = size / count
        if count <= slots and each <= largest and each in table("module_gb"):
            return Modules(count, int(each), per_channel, _speed(facts, platform, per_channel))
    return None


def _speed(facts: Facts, platform: Platform, per_channel: int) -> int | None:
    """Return the slowest rated speed with so many modules a channel: large modules have two ranks."""
    rows: tuple[Population, ...] = (facts.board.population if facts.board else ()) or platform.population
    return min((row.speed_mts for row in rows if row.per_channel == per_channel), default=None)


def _too_much(facts: Facts, platform: Platform, size: int) -> Iterator[Problem]:
    for part in (facts.board, facts.cpu, platform):
        most = part.max_ram_gb if part else None
        if part and most and size > most:
            stated = facts.case.machine.ram_gb is not None
            yield Problem(
                decided("error", (part, "max_ram_gb")) if stated else "warn",
                message("{part} takes at most {most} GB", part=part.name, most=most),
                message("{size} GB are wanted", size=size),
                part.source,
                message("a platform with registered modules (Threadripper, EPYC)"),
            )


def _fitted(facts: Facts, platform: Platform, size: int, modules: Modules | None) -> Iterator[Problem]:
    where = source("ram.full_desktop")
    if modules is None:
        yield Problem(
            "warn",
            message("{size} GB do not fill all channels with equal modules", size=size),
            message("{channels} channels want as many equal modules", channels=channels(facts, platform)),
            where,
            message("another size, so that each channel has one module"),
        )
        return
    text = message("{count} x {size} GB", count=modules.count, size=modules.size)
    why = _why(facts, platform, modules)
    if modules.per_channel > 1 and not registered(facts, platform):
        yield Problem(
            "warn",
            message("{modules}: four modules run slowly", modules=text),
            why,
            where,
            message("two larger modules, or a platform with more channels"),
        )
    else:
        yield Problem("ok", message("{modules}: one module a channel", modules=text), why, where)


def _why(facts: Facts, platform: Platform, modules: Modules) -> Message:
    kind = message("registered with ECC") if registered(facts, platform) else _ecc(facts)
    if modules.speed is None:
        return message("{channels} channels, {kind}", channels=channels(facts, platform), kind=kind)
    return message(
        "{channels} channels, {per} a channel: {speed:n} MT/s; {kind}",
        channels=channels(facts, platform),
        per=modules.per_channel,
        speed=modules.speed,
        kind=kind,
    )


def _ecc(facts: Facts) -> Message:
    board, cpu = facts.board, facts.cpu
    if board and board.ecc and (cpu is None or cpu.ecc):
        return message("unbuffered, ECC possible")
    if board and board.ecc is None:
        return message("unbuffered, ECC not known: ask the board's vendor")
    return message("unbuffered, without ECC")
