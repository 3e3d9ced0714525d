"""Cards, board and power supply against the case."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.catalog.parts import CaseModel, Gpu
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.boards import case_for
from configurator.system.facts import Facts, decided
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule

_SOURCE = "reference card and case data; partner cards differ"
_LARGE_BOARDS = {
    "ssi-eeb": ("ssi-eeb",),
    "ssi-ceb": ("ssi-ceb", "ssi-eeb", "e-atx"),
    "e-atx": ("e-atx", "ssi-eeb"),
}
"""Cases that take a board larger than ATX, by the forms that they state."""


def check_case(facts: Facts) -> Iterator[Finding]:
    """Check length and height of the cards, form of the board, length of the supply."""
    if not facts.cards:
        return
    lengths = [card.length_mm for card in facts.cards if card.length_mm]
    box, numbers = facts.box, dict[str, float | int]()
    if lengths:
        numbers["card_mm"] = max(lengths)
    if box is None or box.gpu_length_mm is None or not lengths:
        found = [_unknown_length(facts, max(lengths, default=0.0))]
    else:
        numbers["case_mm"] = box.gpu_length_mm
        longest = max(facts.cards, key=lambda card: card.length_mm or 0)
        found = [_length(facts, box, longest)]
    if box is not None:
        found += [*_height(facts, box), *_board(facts, box), *_supply(facts, box)]
    yield gravest("case.fit", found, numbers)


def _length(facts: Facts, box: CaseModel, card: Gpu) -> Problem:
    length, room = card.length_mm or 0, box.gpu_length_mm or 0
    if length > room:
        larger = case_for(facts)
        return Problem(
            decided("error", (box, "gpu_length_mm"), (card, "length_mm")),
            message("A card is too long for the case"),
            message("{card:n} mm against {room:n} mm", card=length, room=room),
            _SOURCE,
            message("the case {case}", case=larger.name)
            if larger
            else message("a longer case or a shorter card"),
            {"case": larger.id} if larger else None,
        )
    tight = length + rule("case.cable_mm") > room
    return Problem(
        "ok",
        message("The cards fit into the case, with little room for the cable")
        if tight
        else message("The cards fit into the case"),
        message("{card:n} mm against {room:n} mm", card=length, room=room),
        _SOURCE,
    )


def _unknown_length(facts: Facts, longest: float) -> Problem:
    """Say what a case must take: none is named, or a length is not known."""
    return Problem(
        "info",
        message("The length of card or case is not known")
        if facts.box
        else message("No case named: the cards' length is not checked"),
        message("the longest card is {card:n} mm long", card=longest)
        if longest
        else message("no card states its length"),
        _SOURCE,
        message("a case that takes the longest card and its power cable"),
    )


def _height(facts: Facts, box: CaseModel) -> Iterator[Problem]:
    high = max(facts.cards, key=lambda card: card.height_mm or 0)
    if box.gpu_height_mm and high.height_mm and high.height_mm > box.gpu_height_mm:
        yield Problem(
            decided("error", (box, "gpu_height_mm"), (high, "height_mm")),
            message("A card is too high for the case"),
            message("{card:n} mm against {room:n} mm", card=high.height_mm, room=box.gpu_height_mm),
            _SOURCE,
            message("a wider case or a lower card"),
        )


def _board(facts: Facts, box: CaseModel) -> Iterator[Problem]:
    form = facts.board.form_factor if facts.board else None
    takes = _LARGE_BOARDS.get(form or "", (form,))
    if form and box.form_factors and not set(takes) & set(box.form_factors):
        yield Problem(
            # Data banks often leave large forms out of a case that takes them.
            "warn",
            message("The case does not name the form of the board"),
            message(
                "the board is {form}; the case takes {forms}", form=form, forms=", ".join(box.form_factors)
            ),
            box.source,
            message("a case that takes this form, or a look at its manual"),
        )


def _supply(facts: Facts, box: CaseModel) -> Iterator[Problem]:
    psu = facts.psu
    if psu and psu.length_mm and box.psu_length_mm and psu.length_mm > box.psu_length_mm:
        yield Problem(
            decided("error", (box, "psu_length_mm"), (psu, "length_mm")),
            message("The power supply is too long for the case"),
            message("{card:n} mm against {room:n} mm", card=psu.length_mm, room=box.psu_length_mm),
            _SOURCE,
            message("a shorter power supply or a larger case"),
        )
