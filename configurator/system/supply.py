"""The power supply: sustained watts, short peaks, its standard, and the smallest one that does it."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from configurator.catalog.parts import Psu
from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts, decided
from configurator.system.rules import rule, source, table


def needed_watts(facts: Facts, atx3: bool) -> float:
    """Return the nominal watts of a comfortable supply: sustained load by 0.80, times 1.47 for ATX 2."""
    return facts.sustained_watts * (1.0 if atx3 else rule("power.atx2")) / rule("power.comfort")


def least_watts(facts: Facts, atx3: bool) -> float:
    """Return the nominal watts below which a supply is refused: load by 0.92, or times 1.47 for ATX 2."""
    load = facts.sustained_watts
    return load / rule("power.most") if atx3 else load * rule("power.atx2")


def peak_watts(facts: Facts) -> float:
    """Return the highest short peak of the machine."""
    highest = max(float(row["card"]) for row in table("transients"))
    return facts.sustained_watts + facts.card_watts * (highest - 1)


def needed_connectors(facts: Facts) -> tuple[int, int]:
    """Return 12V-2x6 and 8-pin connectors that the cards need."""
    wide = sum(card.connectors_12v2x6 or 0 for card in facts.cards)
    narrow = sum(card.connectors_8pin or 0 for card in facts.cards)
    return wide, narrow


def smallest_fit(facts: Facts) -> Psu | None:
    """Return the smallest supply of the catalogue that carries load and connectors on this circuit."""
    wide, narrow = needed_connectors(facts)
    able = [
        psu
        for psu in facts.catalog.psus.values()
        if (psu.connectors_12v2x6 or 0) >= wide and (psu.connectors_8pin or 0) >= narrow and is_atx3(psu)
    ]
    for least in (needed_watts(facts, True), least_watts(facts, True)):
        enough = [psu for psu in able if usable_watts(facts, psu) >= least]
        if enough:
            # Of two equal sizes the one whose standard is stated.
            return min(enough, key=lambda psu: (psu.watts, psu.standard is None))
    return None


def usable_watts(facts: Facts, psu: Psu) -> int:
    """Return what the supply delivers on this circuit: large ones give less at 100 to 127 V."""
    below = facts.mains.volts < psu.full_power_from_v if psu.full_power_from_v else facts.low_line
    if not below:
        return psu.watts
    return psu.watts_low_line or min(psu.watts, round(rule("power.high_line_w")))


def is_atx3(psu: Psu | None) -> bool:
    """Whether the ATX 3 rule applies: by the stated standard, else by a native 12V-2x6 or no stated connector."""
    if psu is None:
        return True
    if psu.standard:
        return psu.standard.startswith("atx-3") and psu.connectors_12v2x6 != 0
    return psu.connectors_12v2x6 != 0


def supply_fix(facts: Facts) -> tuple[Message, dict[str, object] | None]:
    """Return the way out and, where the catalogue has one, the supply to apply."""
    psu = smallest_fit(facts)
    if psu is None:
        text = message("two power supplies or a power limit: no single supply of the catalogue carries this")
        return text, None
    return message("use {name}, {watts:w}", name=psu.name, watts=psu.watts), {"psu": psu.id}


def check_supply(facts: Facts) -> Iterator[Finding]:
    """Check watts: cards, CPU and 100 W for the rest against the supply and its standard."""
    if not facts.cards:
        return
    psu, atx3 = facts.psu, is_atx3(facts.psu)
    need = needed_watts(facts, atx3)
    numbers: dict[str, float | int] = {
        "sustained_w": round(facts.sustained_watts),
        "needed_w": ceil(need),
        "peak_w": round(peak_watts(facts)),
    }
    fix, change = supply_fix(facts)
    severity = _judged(facts, psu, need) if psu else "info"
    good = severity == "ok"
    yield Finding(
        id="power.psu",
        severity=severity,
        message=_text(facts, severity, need),
        numbers=numbers | ({"psu_w": psu.watts} if psu else {}),
        why=_why(facts, need, atx3),
        source=source("power.comfort" if atx3 else "power.atx2"),
        fix=None if good else fix,
        change=None if good else change,
    )


def _judged(facts: Facts, psu: Psu, need: float) -> Severity:
    watts = usable_watts(facts, psu)
    # An ATX 2 supply is refused by its own rule only where the standard is stated, not inferred.
    least = least_watts(facts, is_atx3(psu) or psu.standard is None)
    severity: Severity = "ok" if watts >= need else "warn" if watts >= least else "error"
    if severity == "error" and psu.watts >= least and psu.watts_low_line is None:
        # What it gives at this voltage is the rule's figure, not its maker's.
        severity = "warn"
    sure = [(psu, "watts"), *((card, "tdp_w") for card in facts.cards)]
    return decided(severity, *sure)


def _text(facts: Facts, severity: Severity, need: float) -> Message:
    psu = facts.psu
    if psu is None:
        return message("No power supply named; {need:w} are needed", need=need)
    usable = usable_watts(facts, psu)
    if severity != "ok" and usable < psu.watts:
        return message(
            "{watts:w} power supply delivers only {usable:w} at {volts} V",
            watts=psu.watts,
            usable=usable,
            volts=facts.mains.volts,
        )
    return {
        "ok": message("{watts:w} power supply is enough", watts=psu.watts),
        "warn": message("{watts:w} power supply has little reserve", watts=psu.watts),
        "error": message("{watts:w} power supply is not enough", watts=psu.watts),
    }[severity]


def _why(facts: Facts, need: float, atx3: bool) -> Message:
    values = {
        "cards": facts.card_watts,
        "count": len(facts.cards),
        "cpu": facts.cpu_watts,
        "cpu_name": facts.cpu.name if facts.cpu else message("for a CPU not named (assumed)"),
        "rest": rule("power.rest_w"),
        "load": facts.sustained_watts,
        "need": need,
        "peak": peak_watts(facts),
    }
    if atx3:
        return message(
            "{cards:w} for {count} card(s) + {cpu:w} {cpu_name} + {rest:w} for the rest = {load:w} sustained; comfortable from {need:w}",
            **values,
        )
    return message(
        "{cards:w} for {count} card(s) + {cpu:w} {cpu_name} + {rest:w} for the rest = {load:w} sustained, peaks of {peak:w}; an ATX 2 supply promises no peaks above its rating: comfortable from {need:w}",
        **values,
    )
