"""Lanes that slots share, as the makers' tables say."""

import pytest

from configurator.catalog.boards import Board
from configurator.catalog.catalog import load_catalog

BOARDS = load_catalog().boards


def lanes(board: Board, *used: str) -> list[int]:
    return [slot.lanes_beside(used) for slot in board.slots]


@pytest.mark.parametrize(
    ("used", "expected"),
    [
        ((), [16, 8, 4]),
        (("PCIEX16_2",), [8, 8, 4]),
        (("PCIEX16_2", "M.2_2"), [8, 4, 4]),
        (("M.2_1",), [16, 8, 4]),
    ],
)
def test_a_second_card_halves_the_first_and_a_drive_halves_the_second(
    used: tuple[str, ...], expected: list[int]
) -> None:
    assert lanes(BOARDS.find("asus-proart-x870e-creator-wifi"), *used) == expected


def test_a_smaller_cpu_leaves_slots_dead() -> None:
    board = BOARDS.find("asus-pro-ws-w790e-sage-se")
    with_small = [slot.lanes_by_platform.get("xeon-w-2400", slot.lanes) for slot in board.slots]
    assert with_small == [16, 0, 16, 0, 16, 0, 16]
    assert [slot.lanes for slot in board.slots] == [16, 16, 16, 16, 16, 8, 16]


def test_what_shares_lanes_is_on_the_board() -> None:
    for board in BOARDS.values():
        places = {place.name for place in (*board.slots, *board.m2)}
        for place in (*board.slots, *board.m2):
            for sharing in place.shares_with:
                assert sharing.used in places - {place.name}, (board.id, place.name)
                assert sharing.lanes < place.lanes, (board.id, place.name)


def test_what_is_inferred_is_not_sure() -> None:
    counted = BOARDS.find("msi-meg-z890-ace").slots[0]
    assert counted.sure("lanes", "gen")
    assert not counted.sure("shares_with")
    assert not BOARDS.find("asrock-trx50-ws").sure("slots")


def test_a_table_of_a_review_says_where_a_card_stands() -> None:
    slots = BOARDS.find("Z890 AORUS MASTER").slots
    assert [(slot.position, slot.lanes, slot.wired_to) for slot in slots] == [
        (2, 16, "cpu"),
        (6, 4, "chipset"),
        (7, 1, "chipset"),
    ]
    assert all(slot.sure("position", "lanes") for slot in slots)
