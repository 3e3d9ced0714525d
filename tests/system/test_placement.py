"""Cards in slots: the search against all ways tried by hand, and its drawing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from asking import asked, told
from hypothesis import given, settings
from hypothesis import strategies as st

from configurator.catalog.boards import M2, Board, Sharing, Slot
from configurator.catalog.catalog import load_catalog
from configurator.catalog.parts import Gpu
from configurator.quote.drawing import lines
from configurator.system.placement import place, sockets_in_use, width
from configurator.texts import say_in


def card(slots: float = 2.0, **more: Any) -> Gpu:
    return Gpu(
        id="c", name="C", source="s", vendor="nvidia", architecture="a", vram_gb=24, slot_width=slots, **more
    )


def board(*slots: Slot, m2: tuple[M2, ...] = ()) -> Board:
    return Board(id="b", name="B", source="s", socket="AM5", slots=slots, m2=m2)


def row(*positions: int) -> Board:
    return board(*(Slot(name=str(p), position=p, mechanical=16, lanes=16, gen=4.0) for p in positions))


SEVEN = row(1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("slots", "count", "room", "positions"),
    [
        (2.0, 4, 8, [1, 3, 5, 7]),
        (2.0, 4, 7, [1, 3, 5]),  # the fourth would hang over the seventh position
        (3.5, 4, 8, [1, 5]),
        (3.0, 2, None, [1, 7]),  # most air between two cards
        (1.0, 7, 7, [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_cards_cover_their_neighbours(
    slots: float, count: int, room: int | None, positions: list[int]
) -> None:
    found = place(SEVEN, [card(slots)] * count, None, frozenset(), room)
    assert [seat.first for seat in found.seats] == positions
    assert len(found.left_out) == count - len(positions)


def test_a_card_goes_where_its_plug_fits_and_its_link_is_widest() -> None:
    shop = board(
        Slot(name="short", position=1, mechanical=4, lanes=4, gen=5.0),
        Slot(name="chipset", position=2, mechanical=16, lanes=4, gen=4.0, wired_to="chipset"),
        Slot(name="wide", position=5, mechanical=16, lanes=16, gen=4.0, wired_to="cpu"),
    )
    found = place(shop, [card(pcie_gen=4)], None, frozenset(), None)
    assert [seat.slot.name for seat in found.seats] == ["wide"]


def test_two_cards_share_the_lanes_of_one_processor() -> None:
    shop = board(
        Slot(name="1", position=1, lanes=16, gen=5.0, shares_with=(Sharing(used="2", lanes=8),)),
        Slot(name="2", position=4, lanes=8, gen=5.0, shares_with=(Sharing(used="M", lanes=4),)),
        m2=(M2(name="M", lanes=4), M2(name="free", lanes=4)),
    )
    assert [seat.lanes for seat in place(shop, [card()], None, frozenset(), None).seats] == [16]
    assert [seat.lanes for seat in place(shop, [card()] * 2, None, frozenset(), None).seats] == [8, 8]
    # The first drive goes into the socket that costs nothing; the second one takes four lanes.
    one, two = sockets_in_use(shop, 1), sockets_in_use(shop, 2)
    assert (one, two) == ({"free"}, {"free", "M"})
    assert [seat.lanes for seat in place(shop, [card()] * 2, None, two, None).seats] == [8, 4]


def most_by_hand(positions: list[int], widths: list[int], room: int) -> int:
    """Seat the cards in every order from the top and return the largest number seated."""
    best = 0
    for order in permutations(widths):
        free, seated = 1, 0
        for wide in order:
            at = next((p for p in positions if p >= free and p + wide - 1 <= room), None)
            if at is not None:
                free, seated = at + wide, seated + 1
        best = max(best, seated)
    return best


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.integers(1, 8), min_size=1, max_size=7).map(sorted),
    st.lists(st.sampled_from([1.0, 2.0, 2.5, 3.5]), min_size=1, max_size=4),
    st.integers(7, 9),
)
def test_the_search_seats_as_many_cards_as_any_order_by_hand(
    positions: list[int], widths: list[float], room: int
) -> None:
    cards = [card(one) for one in widths]
    found = place(row(*positions), cards, None, frozenset(), room)
    assert len(found.seats) == most_by_hand(positions, [width(one) for one in cards], room)
    covered = [p for seat in found.seats for p in range(seat.first or 0, (seat.last or 0) + 1)]
    assert len(covered) == len(set(covered)) and max(covered, default=0) <= room
    assert {seat.card for seat in found.seats} | set(found.left_out) == set(range(len(cards)))


def test_the_search_stays_small() -> None:
    # Seven slots and four cards: 35 choices of slots for equal cards, 840 for four that all differ.
    assert place(SEVEN, [card(1.0)] * 4, None, frozenset(), None).ways <= 35
    unlike = [card(1.0, pcie_gen=gen, pcie_lanes=lanes) for gen in (4, 5) for lanes in (8, 16)]
    assert place(SEVEN, unlike, None, frozenset(), None).ways <= 840


WIDE = {"name": "Wide", "vram_gib": 32, "tdp_w": 575, "slot_width": 3.5, "length_mm": 330}


def test_four_wide_cards_on_a_board_with_room_for_two_are_refused_with_the_drawing() -> None:
    machine = {
        "gpus": [{"gpu": WIDE, "count": 4}],
        "board": "asus-pro-ws-wrx90e-sage-se",
        "cpu": "ryzen-threadripper-pro-9975wx",
        "case": {"gpu_length_mm": 400, "slots": 8},
    }
    slots = asked(machine)["pcie.slots"]
    assert (slots.severity, slots.numbers["placed"]) == ("error", 2)
    drawn = lines(slots.drawing or (), say_in("en"))
    assert [line[0] for line in drawn if line[3].startswith("■")] == ["1", "5"]
    assert [line[3] for line in drawn if "no place" in line[3]] == ["✕ Wide: no place"] * 2
    assert sum(line[3] == "│" for line in drawn) == 6, "each covers three positions more"
    assert "2 of 4 cards find a slot" in told(slots)


def test_positions_that_no_source_states_never_refuse() -> None:
    two = {
        "gpus": [{"gpu": WIDE, "count": 2}],
        "board": "asus-proart-x870e-creator-wifi",
        "case": {"gpu_length_mm": 400, "slots": 8},
    }
    known = load_catalog().boards.find(two["board"])
    assert not all(slot.sure("position") for slot in known.slots), "the board's distances are inferred"
    assert asked(two)["pcie.slots"].severity == "warn"
    # Four of them are too many for the eight positions of any board.
    assert asked(two | {"gpus": [{"gpu": WIDE, "count": 4}]})["pcie.slots"].severity == "error"


def test_a_board_or_a_case_of_the_catalogue_mends_it_with_one_click() -> None:
    four = {"gpus": [{"gpu": "rtx-pro-6000-blackwell-max-q", "count": 4}], "cpu": "ryzen-9-9950x"}
    desktop = four | {"board": "msi-mpg-x870e-carbon-wifi"}
    slots = asked(desktop)["pcie.slots"]
    assert slots.severity in ("warn", "error")
    after = asked(desktop | (slots.change or {}))
    assert after["pcie.slots"].severity == "ok" and after["platform.cpu"].severity == "ok"
    narrow = desktop | (slots.change or {}) | {"case": {"gpu_length_mm": 400, "slots": 7}}
    slots = asked(narrow)["pcie.slots"]
    assert slots.severity in ("warn", "error") and set(slots.change or {}) == {"case"}
    assert asked(narrow | (slots.change or {}))["pcie.slots"].severity == "ok"
