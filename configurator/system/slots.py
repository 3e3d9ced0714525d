"""Whether the cards find places on board and in case, with the drawing of who sits where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.catalog.boards import Slot
from configurator.domain.finding import Finding, Place, Severity
from configurator.domain.message import Message, message
from configurator.system.boards import board_for, case_for, without_case
from configurator.system.facts import Facts
from configurator.system.placement import Placement, width
from configurator.system.rules import rule, source

_SOURCE = "slot pitch of the ATX form; widths of the reference cards; the board's slot table"


def check_slots(facts: Facts) -> Iterator[Finding]:
    """Check that the cards find a place: slots of the board, their neighbours, positions of the case."""
    if not facts.cards:
        return
    placement = facts.placement
    numbers = _numbers(facts, placement)
    severity, text, why = _judged(facts, placement)
    fix, change = _fix(facts, placement) if severity in ("warn", "error") else (None, None)
    yield Finding(
        id="pcie.slots",
        severity=severity,
        message=text,
        numbers=numbers,
        why=why,
        source=_SOURCE if placement else source("slots.positions"),
        fix=fix,
        change=change,
        drawing=drawing(facts, placement) if placement else None,
    )


def positions_needed(facts: Facts) -> int:
    """Return the positions that the cards cover together."""
    return sum(width(card) for card in facts.cards)


def never_fits(facts: Facts) -> bool:
    """Whether the cards are too many whatever the board: the last one may hang over, the others may not."""
    widths = sorted(width(card) for card in facts.cards)
    sure = all(card.slot_width is not None and card.sure("slot_width") for card in facts.cards)
    inside = sure and sum(widths[:-1]) + 1 > rule("slots.positions")
    case = facts.box is not None and facts.box.slots is not None and facts.box.sure("slots")
    narrow = case and sure and positions_needed(facts) > (facts.box.slots or 0 if facts.box else 0)
    return inside or narrow


def _judged(facts: Facts, placement: Placement | None) -> tuple[Severity, Message, Message]:
    cards, needed = len(facts.cards), positions_needed(facts)
    covered = message(
        "{cards} card(s) take {positions} slot positions of 20.32 mm", cards=cards, positions=needed
    )
    if placement is None:
        if never_fits(facts):
            return "error", message("The cards do not find a place"), covered
        if facts.box and facts.box.slots:
            return "ok", message("The case has positions enough; no board with known slots is named"), covered
        return "info", message("No board or case named: places are not checked"), covered
    if not placement.left_out:
        unknown = any(seat.first is None for seat in placement.seats)
        return (
            "info" if unknown and cards > 1 else "ok",
            message("The board has slots enough; how far apart they lie is not known")
            if unknown and cards > 1
            else message("The cards find a place"),
            covered,
        )
    seated = len(placement.seats)
    why = message(
        "{seated} of {cards} cards find a slot: each covers up to {width} positions, a slot under another card is lost",
        seated=seated,
        cards=cards,
        width=max(width(card) for card in facts.cards),
    )
    return _refused(facts), message("The cards do not find a place"), why


def _refused(facts: Facts) -> Severity:
    """Return `error` where the facts behind a refusal are stated: slots and their positions, widths, case."""
    board = facts.board
    if never_fits(facts):
        return "error"
    long_slots = [slot for slot in board.slots if slot.mechanical in (None, 16)] if board else []
    sure_board = board is not None and board.sure("slots")
    if sure_board and len(long_slots) < len(facts.cards):
        return "error"
    sure_widths = all(card.sure("slot_width") and card.slot_width for card in facts.cards)
    positions = all(slot.sure("position") for slot in long_slots)
    sure_case = facts.box is None or facts.box.sure("slots")
    return "error" if sure_board and sure_widths and positions and sure_case else "warn"


def _numbers(facts: Facts, placement: Placement | None) -> dict[str, float | int]:
    numbers: dict[str, float | int] = {
        "cards": len(facts.cards),
        "positions_needed": positions_needed(facts),
    }
    if facts.box and facts.box.slots:
        numbers["case_positions"] = facts.box.slots
    if placement:
        numbers["placed"] = len(placement.seats)
        for seat in placement.seats:
            if seat.first is not None:
                numbers[f"gpu{seat.card}_position"] = seat.first
    return numbers


def _fix(facts: Facts, placement: Placement | None) -> tuple[Message, dict[str, Any] | None]:
    """Return a case or a board with its CPU that seats all cards, else what would."""
    if placement is None or (facts.board and not without_case(facts).left_out):
        case = case_for(facts)
        if case:
            return message("the case {case}", case=case.name), {"case": case.id}
    found = board_for(facts)
    if found:
        board, cpu = found
        text = message("{board} with {cpu}", board=board.name, cpu=cpu.name)
        return text, {"board": board.id, "cpu": cpu.id}
    if any(width(card) > 2 for card in facts.cards):
        return message(
            "cards of two positions (blower, Max-Q, water), fewer cards, or a board with more slots"
        ), None
    return message("fewer or narrower cards, or a board and a case with more positions"), None


def drawing(facts: Facts, placement: Placement) -> tuple[Place, ...]:
    """Return the slots from top to bottom with the card that covers each, then cards without a place."""
    board = facts.board
    if board is None:
        return ()
    seats = {seat.slot.name: seat for seat in placement.seats}
    covered = {
        position: facts.cards[seat.card].name
        for seat in placement.seats
        if seat.first is not None and seat.last is not None
        for position in range(seat.first, seat.last + 1)
    }

    def line(position: int | None, slot: Slot | None) -> Place:
        seat = seats.get(slot.name) if slot else None
        return Place(
            position=position,
            slot=slot.name if slot else None,
            lanes=seat.lanes if seat else slot.lanes if slot else None,
            gen=seat.gen if seat else slot.gen if slot else None,
            card=facts.cards[seat.card].name if seat else covered.get(position or 0),
            starts=seat is not None,
        )

    slots = {slot.position: slot for slot in board.slots if slot.position is not None}
    lines = [line(place, slots.get(place)) for place in range(1, max([*slots, *covered], default=0) + 1)]
    lines += [line(None, slot) for slot in board.slots if slot.position is None]
    lines += [Place(position=None, card=facts.cards[i].name, left_out=True) for i in placement.left_out]
    return tuple(lines)
