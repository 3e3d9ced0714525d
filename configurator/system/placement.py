"""Which card goes into which slot: a small search over slots, widths and neighbours.

A card covers the positions below its slot and needs a slot as long as its plug. Among the ways that seat
most cards the one with the widest, then the most direct links wins, then the one with most air.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil

from configurator.catalog.boards import Board, Slot
from configurator.catalog.parts import Cpu, Gpu

_USUAL_WIDTH = 2.0
_PLUG = 16
"""Graphics cards have a plug of 16 lanes, however many of them they use."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A card in a slot. `first` and `last` are the positions that it covers; None: not known."""

    card: int
    slot: Slot
    lanes: int | None
    gen: float | None
    first: int | None
    last: int | None


@dataclass(frozen=True, slots=True)
class Placement:
    """The best way found, the cards that found no place, and how many ways were looked at."""

    seats: tuple[Seat, ...]
    left_out: tuple[int, ...]
    ways: int

    @property
    def gaps(self) -> list[int]:
        """Free positions between neighbouring cards, from top to bottom; empty where positions are not known."""
        known = [
            (seat.first, seat.last) for seat in self.seats if seat.first is not None and seat.last is not None
        ]
        order = sorted(known)
        return [below[0] - above[1] - 1 for above, below in itertools.pairwise(order)]


@dataclass(slots=True)
class _Search:
    board: Board
    cpu: Cpu | None
    cards: Sequence[Gpu]
    drives: frozenset[str]
    """M.2 sockets in use."""
    room: int | None
    """Slot positions of the case."""
    ways: int = 0
    best: tuple[float, ...] = ()
    seats: tuple[tuple[Slot, int], ...] = field(default=())


def width(card: Gpu) -> int:
    """Return the slot positions that a card covers; two where its width is not known."""
    return ceil(card.slot_width or _USUAL_WIDTH)


def place(
    board: Board, cards: Sequence[Gpu], cpu: Cpu | None, drives: frozenset[str], room: int | None
) -> Placement:
    """Return the best placement of the cards on the board. `drives` names the M.2 sockets in use."""
    search = _Search(board, cpu, cards, drives, room)
    _try(search, 0, 0, (), tuple(range(len(cards))))
    seats = _seated(search, search.seats)
    seated = {seat.card for seat in seats}
    return Placement(seats, tuple(i for i in range(len(cards)) if i not in seated), search.ways)


def sockets_in_use(board: Board, drives: int) -> frozenset[str]:
    """Return the M.2 sockets that so many drives take, those that cost a slot no lanes first."""
    costly = {sharing.used for slot in board.slots for sharing in slot.shares_with}
    order = sorted(board.m2, key=lambda socket: (socket.name in costly, bool(socket.shares_with)))
    return frozenset(socket.name for socket in order[:drives])


def _try(
    search: _Search, index: int, free: int, taken: tuple[tuple[Slot, int], ...], left: tuple[int, ...]
) -> None:
    """Fill the slots from `index` on; `free` is the first position that nothing covers."""
    slots = search.board.slots
    if index == len(slots) or not left:
        search.ways += 1
        score = _score(search, taken)
        if score > search.best:
            search.best, search.seats = score, taken
        return
    slot = slots[index]
    for card in _different(search.cards, left):
        below = _below(search, slot, search.cards[card], free)
        if below is not None:
            rest = tuple(other for other in left if other != card)
            _try(search, index + 1, below, (*taken, (slot, card)), rest)
    if len(taken) + len(slots) - index - 1 >= (search.best[0] if search.best else 0):
        _try(search, index + 1, free, taken, left)


def _different(cards: Sequence[Gpu], left: tuple[int, ...]) -> Iterator[int]:
    """Yield one of each kind of the cards that are left: cards alike in width and link need no second look."""
    seen: set[tuple[int, int | None, int | None]] = set()
    for index in left:
        kind = (width(cards[index]), cards[index].pcie_gen, cards[index].pcie_lanes)
        if kind not in seen:
            seen.add(kind)
            yield index


def _below(search: _Search, slot: Slot, card: Gpu, free: int) -> int | None:
    """Return the first free position below a card in this slot, or None where it does not go in."""
    if slot.mechanical is not None and slot.mechanical < _PLUG:
        return None
    if _own_lanes(slot, search.cpu) == 0:
        return None
    if slot.position is None:
        return free
    end = slot.position + width(card)
    fits = slot.position >= free and (search.room is None or end - 1 <= search.room)
    return end if fits else None


def _own_lanes(slot: Slot, cpu: Cpu | None) -> int | None:
    """Return the lanes of a slot with this CPU."""
    return slot.lanes_by_platform.get((cpu.platform if cpu else None) or "", slot.lanes)


def _seated(search: _Search, taken: tuple[tuple[Slot, int], ...]) -> tuple[Seat, ...]:
    """Return the seats with the lanes that sharing leaves them."""
    used = search.drives | {slot.name for slot, _ in taken}
    seats = []
    for slot, index in taken:
        card = search.cards[index]
        lanes = slot.lanes_beside(used - {slot.name})
        own = _own_lanes(slot, search.cpu)
        if lanes is not None and own is not None:
            lanes = min(lanes, own, card.pcie_lanes or _PLUG)
        gens = [gen for gen in (slot.gen, card.pcie_gen) if gen]
        last = None if slot.position is None else slot.position + width(card) - 1
        seats.append(Seat(index, slot, lanes, min(gens, default=None), slot.position, last))
    return tuple(seats)


def _score(search: _Search, taken: tuple[tuple[Slot, int], ...]) -> tuple[float, ...]:
    """Rank a way: cards seated, narrowest link, all links, links to the CPU, smallest gap, from the top."""
    seats = _seated(search, taken)
    if any(seat.lanes == 0 for seat in seats):
        return (0.0,)
    rates = [(seat.lanes or 1) * 2.0 ** (seat.gen or 3.0) for seat in seats]
    direct = sum(seat.slot.wired_to == "cpu" for seat in seats)
    gaps = Placement(seats, (), 0).gaps
    high = -sum(seat.first or 0 for seat in seats)
    return (len(seats), min(rates, default=0.0), sum(rates), direct, min(gaps, default=9), high)
