"""Slots and PCIe lanes: what the platform gives each card, and whether this workload cares."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import message
from configurator.system.facts import Facts, decided
from configurator.system.rules import rule, source

_DESKTOP = ("AM5", "AM4", "LGA1700", "LGA1851", "LGA 1700", "LGA 1851")


def lanes_per_card(facts: Facts) -> int | None:
    """Return the electrical lanes that each card gets, or None where nothing is known."""
    cards = len(facts.cards)
    if facts.board and facts.board.slots and all(slot.lanes for slot in facts.board.slots):
        widths = sorted((slot.lanes for slot in facts.board.slots), reverse=True)
        if len(widths) < cards:
            return 0
        return min(widths[:cards]) if cards > 1 else widths[0]
    socket = facts.board.socket if facts.board else facts.cpu.socket if facts.cpu else None
    if socket is None:
        return None
    if socket in _DESKTOP:
        return int(rule("lanes.desktop")) // max(1, cards) if cards <= 2 else 4
    return 16


def check_lanes(facts: Facts) -> Iterator[Finding]:
    """Check electrical lanes and say what they mean for this work."""
    if not facts.cards:
        return
    lanes = lanes_per_card(facts)
    if lanes is None:
        yield Finding(
            id="pcie.lanes",
            severity="info",
            message=message("No board named: lanes are not checked"),
            why=message("lanes are a property of CPU and board"),
            source=source("lanes.desktop"),
            fix=message("name the board or the CPU"),
        )
        return
    plan = facts.estimate.plan
    talks = len(facts.cards) > 1 and (
        plan.tp > 1 or (plan.dp > 1 and facts.case.workload.task in ("full", "pretrain"))
    )
    severity: Severity = "ok" if lanes >= 8 or (lanes >= 4 and not talks) else "warn" if lanes else "error"
    severity = decided(severity, facts.board)
    meaning = (
        message("this plan moves data between the cards in every layer: 8 lanes or more")
        if talks
        else message("this work moves little between the cards: 4 lanes are enough")
    )
    yield Finding(
        id="pcie.lanes",
        severity=severity,
        message=message("{lanes} lanes for each card", lanes=lanes)
        if lanes
        else message("The board has fewer slots than cards"),
        numbers={"lanes": lanes, "cards": len(facts.cards)},
        why=meaning,
        source=source("lanes.desktop"),
        fix=None
        if severity == "ok"
        else message("a Threadripper board gives every card 16 lanes of its own"),
    )


def places(facts: Facts) -> int | None:
    """Return how many of the cards the board takes, or None where its slots are not known.

    A card covers the positions below its slot; the widest card goes last, where nothing lies below.
    """
    slots = facts.board.slots if facts.board else ()
    if not slots:
        return None
    if any(slot.position is None for slot in slots):
        return min(len(slots), len(facts.cards))
    free, placed = 0, 0
    widths = sorted(ceil(card.slot_width or 2) for card in facts.cards)
    for position in sorted(slot.position or 0 for slot in slots):
        if placed < len(widths) and position >= free:
            free, placed = position + widths[placed], placed + 1
    return placed


def check_slots(facts: Facts) -> Iterator[Finding]:
    """Check that the cards find a place: number of slots, and width against the case."""
    if not facts.cards:
        return
    width = sum(ceil(card.slot_width or 2) for card in facts.cards)
    numbers: dict[str, float | int] = {"cards": len(facts.cards), "positions_needed": width}
    placed = places(facts)
    room = facts.box.slots if facts.box else None
    crowded = placed is not None and placed < len(facts.cards)
    narrow = room is not None and room < width
    short = crowded or narrow
    unknown = placed is None and room is None
    if placed is not None:
        numbers["placed"] = placed
    if room is not None:
        numbers["case_positions"] = room
    yield Finding(
        id="pcie.slots",
        severity=decided(
            "error" if short else "info" if unknown else "ok",
            facts.board if crowded else None,
            facts.box if narrow else None,
        ),
        message=message("The cards do not find a place")
        if short
        else message("No board or case named: places are not checked")
        if unknown
        else message("The cards find a place"),
        numbers=numbers,
        why=message(
            "{cards} card(s) take {positions} slot positions of 20.32 mm",
            cards=len(facts.cards),
            positions=width,
        ),
        source="slot pitch of the ATX form; widths of the reference cards",
        fix=message("fewer or narrower cards, or a board and a case with more positions") if short else None,
    )


def check_case(facts: Facts) -> Iterator[Finding]:
    """Check the length of the longest card against the case."""
    if not facts.cards:
        return
    lengths = [card.length_mm for card in facts.cards if card.length_mm]
    if facts.box is None or facts.box.gpu_length_mm is None or not lengths:
        yield _unknown_length(facts, lengths)
        return
    fits = max(lengths) <= facts.box.gpu_length_mm
    yield Finding(
        id="case.fit",
        severity=decided("ok" if fits else "error", facts.box),
        message=message("The cards fit into the case")
        if fits
        else message("A card is too long for the case"),
        numbers={"card_mm": max(lengths), "case_mm": facts.box.gpu_length_mm},
        why=message("{card:n} mm against {room:n} mm", card=max(lengths), room=facts.box.gpu_length_mm),
        source="reference card and case data; partner cards differ",
        fix=None if fits else message("a longer case or a shorter card"),
    )


def _unknown_length(facts: Facts, lengths: list[float]) -> Finding:
    """Say what a case must take: none is named, or a length is not known."""
    longest = max(lengths, default=0.0)
    return Finding(
        id="case.fit",
        severity="info",
        message=message("The length of card or case is not known")
        if facts.box
        else message("No case named: the cards' length is not checked"),
        numbers={"card_mm": longest} if longest else {},
        why=message("the longest card is {card:n} mm long", card=longest)
        if longest
        else message("no card states its length"),
        source="reference card and case data; partner cards differ",
        fix=message("a case that takes the longest card and its power cable"),
    )
