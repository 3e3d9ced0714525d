"""The picture of the sheet: a bar per device, made of ledger entries, against what is usable."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.ledger import DeviceLedger, Estimate
from configurator.domain.message import message
from configurator.domain.units import gib
from configurator.quote.words import COMPONENTS, VERDICTS
from configurator.texts import Say

_AIR = 1.03
"""Room right of the longest mark, so that no line touches the column beside it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One entry of the stack: its component and its width as a share of the figure's width."""

    component: str
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One device. Positions are shares of the figure's width."""

    name: str
    device: str
    note: str
    segments: tuple[Segment, ...]
    capacity: float
    usable: float
    low: float
    high: float
    total: str
    range: str
    word: str
    tone: str


@dataclass(frozen=True, slots=True)
class Key:
    """One line of the legend; size of the largest such entry among the devices."""

    component: str
    name: str
    size: str


@dataclass(frozen=True, slots=True)
class Figure:
    """Bars, legend, how to read them, and the same in words for those who cannot see it."""

    bars: tuple[Bar, ...]
    legend: tuple[Key, ...]
    note: str
    alt: str


def figure(estimate: Estimate, display: int | None, say: Say) -> Figure:
    """Return the picture of an estimate; `display` is the index of the device with the monitors."""
    scale = max(max(device.capacity, device.total.high) for device in estimate.devices) * _AIR
    bars = tuple(
        _bar(device, scale, say("with monitor") if place == display else "", say)
        for place, device in enumerate(estimate.devices)
    )
    device = estimate.devices[0]
    note = message(
        "Grey area: memory of the device ({capacity:gib}). Red line: what of it is usable ({usable:gib}). "
        "Whisker: nine of ten measurements of comparable runs lie within it.",
        capacity=device.capacity,
        usable=device.usable,
    )
    return Figure(bars, _legend(estimate, say), say(note), "; ".join(_words(bar) for bar in bars))


def _bar(device: DeviceLedger, scale: float, note: str, say: Say) -> Bar:
    word, tone = VERDICTS[device.verdict]
    total = device.total
    return Bar(
        name=device.device.upper().replace("GPU", "GPU "),
        device=device.name,
        note=note,
        segments=tuple(Segment(name, size / scale) for name, size in _sizes(device).items() if size),
        capacity=device.capacity / scale,
        usable=device.usable / scale,
        low=total.low / scale,
        high=total.high / scale,
        total=say(message("{size:gib}", size=total.likely)),
        range=say(message("{low:1}–{high:gib}", low=gib(total.low), high=total.high)),
        word=say(word),
        tone=tone,
    )


def _sizes(device: DeviceLedger) -> dict[str, int]:
    """Likely sizes by component, in the order of `COMPONENTS` so that every stack reads alike."""
    sizes = dict.fromkeys((str(name) for name in COMPONENTS), 0)
    for entry in device.entries:
        sizes[entry.component] += entry.likely
    return sizes


def _legend(estimate: Estimate, say: Say) -> tuple[Key, ...]:
    stacks = [_sizes(device) for device in estimate.devices]
    largest = {name: max(stack[name] for stack in stacks) for name in COMPONENTS}
    return tuple(
        Key(name, say(COMPONENTS[name]), say(message("{size:gib}", size=size)))
        for name, size in largest.items()
        if size
    )


def _words(bar: Bar) -> str:
    return f"{bar.name} {bar.device}: {bar.total} ({bar.range}), {bar.word}"
