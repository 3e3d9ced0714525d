"""The parts of the stacks: where each lies, which one is under a point and which one is next. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from configurator.domain.ledger import DeviceLedger
from configurator.domain.units import gib
from configurator.quote.words import COMPONENTS


@dataclass(frozen=True, slots=True)
class Segment:
    """One component of one device; `left` and `width` in GiB."""

    place: int
    """Index of the device."""
    component: str
    left: float
    width: float


def sizes(device: DeviceLedger) -> dict[str, int]:
    """Return the likely bytes by component, in the order of the quote sheet."""
    found = dict.fromkeys((str(name) for name in COMPONENTS), 0)
    for entry in device.entries:
        found[entry.component] += entry.likely
    return found


def segments(devices: Sequence[DeviceLedger]) -> tuple[Segment, ...]:
    """Return the parts of all devices, each stacked from the left."""
    made = []
    for place, device in enumerate(devices):
        left = 0.0
        for name, size in sizes(device).items():
            if size:
                made.append(Segment(place, name, left, gib(size)))
                left += gib(size)
    return tuple(made)


def under(parts: Sequence[Segment], place: int, x: float) -> Segment | None:
    """Return the part of a device at `x` GiB from the left; None: nothing is there."""
    return next(
        (one for one in parts if one.place == place and one.left <= x < one.left + one.width),
        None,
    )


def beside(parts: Sequence[Segment], current: Segment, across: int) -> Segment:
    """Return the neighbour on the right (1) or left (-1); at the end the part itself."""
    row = [one for one in parts if one.place == current.place]
    return row[min(max(row.index(current) + across, 0), len(row) - 1)]


def above(parts: Sequence[Segment], current: Segment, down: int) -> Segment:
    """Return the same component of the next device (1) or the one before (-1), else what lies there."""
    row = [one for one in parts if one.place == current.place + down]
    if not row:
        return current
    middle = current.left + current.width / 2
    same = [one for one in row if one.component == current.component]
    return (same or sorted(row, key=lambda one: abs(one.left + one.width / 2 - middle)))[0]


def spoken(device: str) -> str:
    """Return the id of a device as people say it: `gpu0` is GPU 0."""
    return device.upper().replace("GPU", "GPU ")
