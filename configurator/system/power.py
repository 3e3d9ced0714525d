"""Power supply, its connectors, and the mains circuit."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from configurator.catalog.parts import Psu
from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts, decided
from configurator.system.rules import rule, source


def needed_watts(facts: Facts, atx3: bool) -> float:
    """Return the nominal watts of a comfortable supply: sustained load by 0.80, or by 1.47 for ATX 2."""
    load = facts.sustained_watts
    return load / rule("power.comfort") if atx3 else load * rule("power.atx2")


def needed_connectors(facts: Facts) -> tuple[int, int]:
    """Return 12V-2x6 and 8-pin connectors that the cards need."""
    wide = sum(card.connectors_12v2x6 or 0 for card in facts.cards)
    narrow = sum(card.connectors_8pin or 0 for card in facts.cards)
    return wide, narrow


def smallest_fit(facts: Facts) -> Psu | None:
    """Return the smallest supply of the catalogue that carries load and connectors."""
    wide, narrow = needed_connectors(facts)
    fitting = [
        psu
        for psu in facts.catalog.psus.values()
        if psu.watts >= needed_watts(facts, True)
        and (psu.connectors_12v2x6 or 0) >= wide
        and (psu.connectors_8pin or 0) >= narrow
    ]
    # Of two equal sizes the one whose standard is stated.
    return min(fitting, key=lambda psu: (psu.watts, psu.standard is None), default=None)


def _is_atx3(psu: Psu | None) -> bool:
    """Whether the ATX 3 rule applies: by the stated standard, else by a native 12V-2x6 or no stated connector."""
    if psu is None:
        return True
    if psu.standard:
        return psu.standard.startswith("atx-3")
    return psu.connectors_12v2x6 != 0


def _fix(facts: Facts) -> tuple[Message | None, dict[str, object] | None]:
    psu = smallest_fit(facts)
    if psu is None:
        return message(
            "two power supplies or a power limit: no single supply of the catalogue carries this"
        ), None
    return message("use {name}, {watts:w}", name=psu.name, watts=psu.watts), {"psu": psu.id}


def check_supply(facts: Facts) -> Iterator[Finding]:
    """Check watts: cards, CPU and 100 W for the rest against the supply."""
    if not facts.cards:
        return
    load, psu = facts.sustained_watts, facts.psu
    atx3 = _is_atx3(psu)
    need = needed_watts(facts, atx3)
    why = message(
        "{cards:w} for {count} card(s) + {cpu:w} {cpu_name} + {rest:w} for the rest = {load:w} sustained; comfortable from {need:w}",
        cards=facts.card_watts,
        count=len(facts.cards),
        cpu=facts.cpu_watts,
        cpu_name=facts.cpu.name if facts.cpu else message("for a CPU not named (assumed)"),
        rest=rule("power.rest_w"),
        load=load,
        need=need,
    )
    numbers: dict[str, float | int] = {"sustained_w": round(load), "needed_w": ceil(need)}
    fix, change = _fix(facts)
    if psu is None:
        text = message("No power supply named; {need:w} are needed", need=need)
        yield Finding(
            id="power.psu",
            severity="info",
            message=text,
            numbers=numbers,
            why=why,
            source=source("power.comfort"),
            fix=fix,
            change=change,
        )
        return
    # An ATX 2 supply is refused below its own rule only where the standard is stated, not inferred.
    limit = load / rule("power.most") if atx3 or psu.standard is None else need
    severity = decided("ok" if psu.watts >= need else "warn" if psu.watts >= limit else "error", psu)
    texts = {
        "ok": message("{watts:w} power supply is enough", watts=psu.watts),
        "warn": message("{watts:w} power supply has little reserve", watts=psu.watts),
        "error": message("{watts:w} power supply is not enough", watts=psu.watts),
    }
    good = severity == "ok"
    yield Finding(
        id="power.psu",
        severity=severity,
        message=texts[severity],
        numbers=numbers | {"psu_w": psu.watts},
        why=why,
        source=source("power.comfort" if atx3 else "power.atx2"),
        fix=None if good else fix,
        change=None if good else change,
    )


def check_connectors(facts: Facts) -> Iterator[Finding]:
    """Check that every card has its own connectors."""
    if not facts.cards:
        return
    wide, narrow = needed_connectors(facts)
    psu = facts.psu
    if psu is None or not facts.supply_connectors_known:
        yield _unknown_connectors(facts, wide, narrow)
        return
    have_wide, have_narrow = psu.connectors_12v2x6 or 0, psu.connectors_8pin or 0
    missing = have_wide < wide or have_narrow < narrow
    fix, change = _fix(facts)
    have = {"have": have_wide, "have8": have_narrow, "wide": wide, "narrow": narrow}
    unknown = any(card.connectors_12v2x6 is None and card.connectors_8pin is None for card in facts.cards)
    severity = decided("error" if missing else "info" if unknown else "ok", psu)
    yield Finding(
        id="power.connectors",
        severity=severity,
        message=message("Connectors for the cards are missing")
        if missing
        else message("A card's connectors are not known")
        if unknown
        else message("Connectors for the cards are there"),
        numbers={
            "needed_12v2x6": wide,
            "needed_8pin": narrow,
            "psu_12v2x6": have["have"],
            "psu_8pin": have["have8"],
        },
        why=message(
            "needed: {wide} x 12V-2x6 and {narrow} x 8-pin; the supply has {have} and {have8}; one cable a socket",
            **have,
        ),
        source=source("connector.8pin_w"),
        fix=fix if missing else None,
        change=change if missing else None,
    )


def _unknown_connectors(facts: Facts, wide: int, narrow: int) -> Finding:
    """Say what must be asked: no supply is named, or the source does not state its connectors."""
    named = facts.psu is not None
    fix, change = _fix(facts)
    return Finding(
        id="power.connectors",
        severity="info",
        message=message("The supply's connectors are not known: ask its vendor")
        if named
        else message("No power supply named: connectors are not checked"),
        numbers={"needed_12v2x6": wide, "needed_8pin": narrow},
        why=message(
            "needed: {wide} x 12V-2x6 and {narrow} x 8-pin; one cable a socket", wide=wide, narrow=narrow
        ),
        source=source("connector.8pin_w"),
        fix=fix,
        change=change,
    )


def check_mains(facts: Facts) -> Iterator[Finding]:
    """Check the circuit: wall power under load against 80 % of what it carries."""
    if not facts.cards:
        return
    wall = facts.sustained_watts / rule("power.efficiency")
    mains = facts.mains
    whole = mains.volts * mains.amps
    most = whole * rule("mains.continuous")
    severity: Severity = "error" if wall > whole else "warn" if wall > most else "ok"
    good = severity == "ok"
    yield Finding(
        id="power.mains",
        severity=severity,
        message=message("The circuit carries the machine")
        if good
        else message("The circuit is too small for continuous load"),
        numbers={"wall_w": round(wall), "circuit_w": whole, "continuous_w": round(most)},
        why=message(
            "{wall:w} at the wall; {volts} V x {amps} A = {whole:w}, continuously {most:w}",
            wall=wall,
            volts=mains.volts,
            amps=mains.amps,
            whole=whole,
            most=most,
        ),
        source=source("mains.continuous"),
        fix=None
        if good
        else message("a circuit of its own with more volts or amperes, or a power limit for the cards"),
    )
