"""The circuit: continuous load by country, inlet and cord, UPS, and limits that make it do."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts, decided
from configurator.system.rules import rule, source


def check_mains(facts: Facts) -> Iterator[Finding]:
    """Check the circuit: wall power under load against 80 % of what it carries, and the inlet."""
    if not facts.cards:
        return
    wall, mains = facts.wall_watts, facts.mains
    whole = mains.volts * mains.amps
    most = whole * rule("mains.continuous")
    severity = _judged(facts, wall, whole, most)
    amps = wall / mains.volts
    fix, change = _fix(facts, most) if severity in ("warn", "error") else (None, None)
    yield Finding(
        id="power.mains",
        severity=severity,
        message=_text(severity, wall, most),
        numbers={
            "wall_w": round(wall),
            "circuit_w": whole,
            "continuous_w": round(most),
            "amps": round(amps, 1),
            "ups_w": ceil(wall * rule("ups.factor")),
        },
        why=message(
            "{wall:w} at the wall; {volts} V x {amps} A = {whole:w}, continuously {most:w}; {inlet}; a UPS with pure sine from {ups:w}",
            wall=wall,
            volts=mains.volts,
            amps=mains.amps,
            whole=whole,
            most=most,
            inlet=_inlet(amps),
            ups=wall * rule("ups.factor"),
        ),
        source=source("mains.schuko_w" if severity == "info" else "mains.continuous"),
        fix=fix,
        change=change,
    )


def _judged(facts: Facts, wall: float, whole: float, most: float) -> Severity:
    """Refuse what the breaker does not carry; in networks of 100 to 127 V the 80 % are the code."""
    if wall > whole or (wall > most and facts.low_line):
        return decided("error", *((card, "tdp_w") for card in facts.cards))
    if wall > most:
        return "warn"
    return "info" if not facts.low_line and wall > rule("mains.schuko_w") else "ok"


def _text(severity: Severity, wall: float, most: float) -> Message:
    if severity == "ok":
        return message("The circuit carries the machine")
    if severity == "info":
        return message("The circuit carries the machine; the socket should be its own")
    return message("The circuit is too small for continuous load")


def _inlet(amps: float) -> Message:
    if amps <= rule("mains.c13_a"):
        return message("{amps:1} A, a C13 cord carries it", amps=amps)
    return message("{amps:1} A, more than a C13 cord carries: C19 inlet and cord", amps=amps)


def _fix(facts: Facts, most: float) -> tuple[Message, dict[str, Any] | None]:
    """Return a power limit that keeps the circuit, or a circuit that carries the machine."""
    tdp = max((card.tdp_w or 0 for card in facts.cards), default=0)
    other = facts.sustained_watts - facts.card_watts
    room = (most * facts.sustained_watts / facts.wall_watts - other) / len(facts.cards)
    limit = floor(room / 10) * 10
    if 0.7 * tdp <= limit < tdp:
        return message("limit each card to {limit:w}, or a circuit of its own", limit=limit), {
            "power_limit_w": limit
        }
    volts = 240 if facts.low_line else facts.mains.volts
    for amps in (16, 20, 32):
        if volts * amps * rule("mains.continuous") >= facts.wall_watts:
            text = message("a circuit of its own with {volts} V and {amps} A", volts=volts, amps=amps)
            return text, {"mains": {"volts": volts, "amps": amps}}
    return message("two circuits, or a power limit for the cards"), None
