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
    board = BOARDS.find("asus-proart-z890-creator-wifi")
    assert board.sure("slots")
    assert not board.slots[0].sure("lanes")
