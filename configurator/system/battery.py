"""The UPS: watts with reserve, voltage, and the wave that modern supplies want."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from configurator.catalog.parts import Ups
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts, decided
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source


def needed(facts: Facts) -> float:
    """Return the watts that a UPS should have: the load at the wall and a quarter."""
    return facts.wall_watts * rule("ups.factor")


def check_ups(facts: Facts) -> Iterator[Finding]:
    """Check the UPS that is named."""
    ups = facts.ups
    if ups is None or not facts.cards:
        return
    numbers = {"ups_w": ups.watts, "needed_w": ceil(needed(facts)), "wall_w": round(facts.wall_watts)}
    good = Problem(
        "ok",
        message("The UPS carries the machine"),
        message("{watts:w} against {wall:w} at the wall", watts=ups.watts, wall=facts.wall_watts),
        source("ups.factor"),
    )
    yield gravest("power.ups", [good, *_watts(facts, ups), *_kind(facts, ups)], numbers)


def smallest(facts: Facts) -> Ups | None:
    """Return the smallest UPS of the catalogue for this load and this voltage."""
    low = facts.low_line
    fitting = [
        ups
        for ups in facts.catalog.ups.values()
        if ups.watts >= needed(facts)
        and ups.waveform != "stepped"
        and ups.volts is not None
        and (ups.volts <= rule("power.low_line_v")) == low
    ]
    return min(fitting, key=lambda ups: (ups.watts, ups.id), default=None)


def _watts(facts: Facts, ups: Ups) -> Iterator[Problem]:
    if ups.watts >= needed(facts):
        return
    best = smallest(facts)
    yield Problem(
        decided("error", (ups, "watts")) if ups.watts < facts.wall_watts else "warn",
        message("The UPS is too small for the load"),
        message("{watts:w} against {wall:w} at the wall", watts=ups.watts, wall=facts.wall_watts),
        source("ups.factor"),
        message("{ups}", ups=best.name) if best else message("a UPS of {watts:w}", watts=needed(facts)),
        {"ups": best.id} if best else None,
    )


def _kind(facts: Facts, ups: Ups) -> Iterator[Problem]:
    if ups.waveform == "stepped":
        yield Problem(
            "warn",
            message("The UPS has no pure sine"),
            message("supplies with active power factor correction may switch off on a stepped wave"),
            source("ups.factor"),
            message("a UPS with pure sine"),
        )
    if ups.volts and (ups.volts <= rule("power.low_line_v")) != facts.low_line:
        yield Problem(
            decided("error", (ups, "volts")),
            message("The UPS is made for another voltage"),
            message("{ups} V against {mains} V", ups=ups.volts, mains=facts.mains.volts),
            ups.source,
            message("a UPS for {mains} V", mains=facts.mains.volts),
        )
