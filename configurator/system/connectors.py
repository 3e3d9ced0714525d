"""Power connectors of the cards: one native cable a socket, and rails of older supplies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from configurator.catalog.parts import Psu
from configurator.domain.finding import Finding
from configurator.domain.machine import PsuFacts
from configurator.domain.message import message
from configurator.system.facts import Facts, decided
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source
from configurator.system.supply import needed_connectors, supply_fix

_RAIL = re.compile(r"(\d+(?:[.,]\d+)?)\s*(A|W)\b", re.IGNORECASE)
_VOLTS = 12.0


def check_connectors(facts: Facts) -> Iterator[Finding]:
    """Check that every card has its own connectors, and that a rail carries each of them."""
    if not facts.cards:
        return
    wide, narrow = needed_connectors(facts)
    numbers = {"needed_12v2x6": wide, "needed_8pin": narrow}
    psu = facts.psu
    if psu is None or not _known(psu, wide, narrow):
        yield gravest("power.connectors", [_unknown(facts, wide, narrow), *_rails(facts)], numbers)
        return
    have, have8 = psu.connectors_12v2x6 or 0, psu.connectors_8pin or 0
    numbers |= {"psu_12v2x6": have, "psu_8pin": have8}
    yield gravest("power.connectors", [_counted(facts, psu, wide, narrow), *_rails(facts)], numbers)


def _known(psu: Psu, wide: int, narrow: int) -> bool:
    """Whether the supply states the kinds of connectors that the cards need."""
    return not ((wide and psu.connectors_12v2x6 is None) or (narrow and psu.connectors_8pin is None))


def _counted(facts: Facts, psu: Psu, wide: int, narrow: int) -> Problem:
    have, have8 = psu.connectors_12v2x6 or 0, psu.connectors_8pin or 0
    missing = have < wide or have8 < narrow
    unknown = any(card.connectors_12v2x6 is None and card.connectors_8pin is None for card in facts.cards)
    fix, change = supply_fix(facts)
    sure = [(psu, "connectors_12v2x6"), (psu, "connectors_8pin")]
    sure += [(card, field) for card in facts.cards for field in ("connectors_12v2x6", "connectors_8pin")]  # type: ignore[misc]
    adapted = missing and _adapters(facts, psu, wide, narrow)
    why = message(
        "needed: {wide} x 12V-2x6 and {narrow} x 8-pin; the supply has {have} and {have8}; one cable a socket",
        wide=wide,
        narrow=narrow,
        have=have,
        have8=have8,
    )
    if not missing:
        text = (
            message("A card's connectors are not known")
            if unknown
            else message("Connectors for the cards are there")
        )
        return Problem("info" if unknown else "ok", text, why, source("connector.8pin_w"))
    return Problem(
        "warn" if adapted else decided("error", *sure),
        message("Cards hang on adapters from 8-pin plugs")
        if adapted
        else message("Connectors for the cards are missing"),
        why,
        source("power.native_w") if adapted else source("connector.8pin_w"),
        fix,
        change,
    )


def _adapters(facts: Facts, psu: Psu, wide: int, narrow: int) -> bool:
    """Whether 8-pin plugs that are left feed the missing 12V-2x6 sockets of cards below 450 W by adapters."""
    small = [
        card
        for card in facts.cards
        if card.connectors_12v2x6 and (card.tdp_w or 600) < rule("power.native_w")
    ]
    missing = wide - (psu.connectors_12v2x6 or 0)
    plugs = [
        -(-((card.tdp_w or 600) - rule("connector.slot_w")) // rule("connector.8pin_w")) for card in small
    ]
    spare = (psu.connectors_8pin or 0) - narrow
    return 0 < missing <= len(small) and sum(sorted(plugs)[:missing]) <= spare


def _unknown(facts: Facts, wide: int, narrow: int) -> Problem:
    """Say what must be asked: no supply is named, or the source does not state its connectors."""
    fix, change = supply_fix(facts)
    return Problem(
        "info",
        message("The supply's connectors are not known: ask its vendor")
        if facts.psu
        else message("No power supply named: connectors are not checked"),
        message(
            "needed: {wide} x 12V-2x6 and {narrow} x 8-pin; one cable a socket", wide=wide, narrow=narrow
        ),
        source("connector.8pin_w"),
        fix,
        change,
    )


def _rail_watts(facts: Facts) -> list[float]:
    """Return the watts of each 12 V rail, as stated with the supply or in the catalogue."""
    stated = facts.case.machine.psu
    if isinstance(stated, PsuFacts):
        found = [_RAIL.search(rail) for rail in stated.rails]
        return [
            float(match[1].replace(",", ".")) * (_VOLTS if match[2].upper() == "A" else 1.0)
            for match in found
            if match
        ]
    return [rail.amps * _VOLTS for rail in facts.psu.rails] if facts.psu else []


def _rails(facts: Facts) -> Iterator[Problem]:
    """Look at supplies with several rails: each cable of a card must find room on one of them."""
    rails = _rail_watts(facts)
    if len(rails) < 2:
        return
    left = sorted(rails, reverse=True)
    limit = facts.case.machine.power_limit_w or 10**6
    loads = sorted(
        (
            (min(card.tdp_w, limit) - rule("connector.slot_w")) / cables
            for card in facts.cards
            if card.tdp_w
            for cables in [max(1, (card.connectors_12v2x6 or 0) + (card.connectors_8pin or 0))]
            for _ in range(cables)
        ),
        reverse=True,
    )
    for load in loads:
        left.sort(reverse=True)
        if left[0] < load:
            yield Problem(
                decided("error", (facts.psu, "rails")),
                message("No rail of the supply carries this card"),
                message(
                    "a cable draws {load:w}; of rails of {rails} W the largest part left is {left:w}",
                    load=load,
                    rails=", ".join(f"{rail:.0f}" for rail in rails),
                    left=left[0],
                ),
                "NVIDIA/cudf issue 10336: a 1400 W workstation failed at its rails before its watts",
                message("a supply with one strong rail, or the vendor's rail table and a power limit"),
            )
            return
        left[0] -= load
