"""Sustained heat: how the cards blow, what stands beside them, and what the room gets."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source

_OPEN = ("open", "flow-through")


def check_cooling(facts: Facts) -> Iterator[Finding]:
    """Check blowers and open coolers, air between cards, and the heat in watts and BTU/h."""
    if not facts.cards:
        return
    heat = facts.wall_watts
    numbers = {"heat_w": round(heat), "btu_h": round(heat * rule("heat.btu_per_w"))}
    room = message(
        "{watts:w} become heat, {btu:n} BTU/h", watts=round(heat), btu=round(heat * rule("heat.btu_per_w"))
    )
    yield gravest("cooling", [*_passive(facts, room), *_open(facts, room), _room(heat, room)], numbers)


def _room(heat: float, said: Message) -> Problem:
    hot = heat > rule("heat.office_w")
    return Problem(
        "info" if hot else "ok",
        message("The room needs cooling of its own under continuous load")
        if hot
        else message("An office carries the heat"),
        said,
        source("heat.office_w"),
        message("an air-conditioned room, or a power limit") if hot else None,
    )


def _passive(facts: Facts, said: Message) -> Iterator[Problem]:
    passive = [card for card in facts.cards if card.cooling == "passive"]
    rack = "rack" in (facts.box.form_factor or "").lower() if facts.box else False
    if passive and not rack:
        sure = all(card.sure("cooling") for card in passive)
        severity: Severity = "error" if sure and facts.box is not None and facts.box.form_factor else "warn"
        yield Problem(
            severity,
            message("{card} has no fan of its own", card=passive[0].name),
            message("passive cards live on the storm of a server's fans; {said}", said=said),
            "rtx6kpro gpu-configs.md; vendors' sheets of server cards",
            message("the version with a fan, or a server chassis"),
        )


def _open(facts: Facts, said: Message) -> Iterator[Problem]:
    """Look at open coolers: from three on, or side by side, each breathes the heat of the other."""
    cards = [card for card in facts.cards if card.cooling in _OPEN]
    gaps = facts.placement.gaps if facts.placement else []
    tight = len(cards) > 1 and bool(gaps) and min(gaps) < rule("slots.air_gap")
    if len(cards) > rule("cooling.open_cards"):
        yield Problem(
            "warn",
            message("{cards} open cards heat each other", cards=len(cards)),
            message("open coolers leave their heat in the case; {said}", said=said),
            source("cooling.open_cards"),
            message("cards with a blower (Max-Q), or water"),
        )
    elif tight:
        yield Problem(
            "warn",
            message("Open cards without a free position between them"),
            message("open coolers leave their heat in the case; {said}", said=said),
            source("slots.air_gap"),
            message("slots with a free position between the cards, or cards with a blower (Max-Q)"),
        )
    elif len(cards) > 1:
        yield Problem(
            "info",
            message("Open cards leave their heat in the case"),
            message(
                "{cards} open cards want a free position between them and strong fans; {said}",
                cards=len(cards),
                said=said,
            ),
            source("slots.air_gap"),
            message("a case with a mesh front, or cards with a blower (Max-Q)"),
        )
    closed = facts.box is not None and facts.box.airflow == "closed"
    if cards and closed:
        yield Problem(
            "warn",
            message("A closed front is too little for open cards"),
            message("open coolers leave their heat in the case; {said}", said=said),
            facts.box.source if facts.box else "",
            message("a case with a mesh front"),
        )
