"""What a device needs beside the workload: driver context, monitors, CAD and rendering."""

from __future__ import annotations

from configurator.catalog.loading import read_table
from configurator.domain.ledger import Component, Phase
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, Range, spread
from configurator.memory.books import Books, gib_range
from configurator.memory.devices import Device
from configurator.memory.setting import Basis
from configurator.memory.sources import ANOTHER_WORKLOAD


def usable(device: Device) -> int:
    """Return the bytes that programs get of a device."""
    if device.unified:
        return device.capacity
    return round(device.capacity * (1 - float(read_table("reserves")["unusable_share"]["value"])))


def enter_reserves(books: Books, s: Basis, device: Device) -> None:
    """Enter fragmentation, context, monitors and other programs in every phase."""
    whole = tuple(books.phases)
    for phase in whole:
        _fragmentation(books, s, phase)
    books.add(
        whole,
        "context",
        gib_range(s.framework.context_gib),
        message("driver context and libraries of one process"),
        s.framework.source,
    )
    if device.drives_display:
        os = s.case.machine.os or "linux"
        _enter(books, whole, "display", os, message("monitors and desktop on this card"))
    # Monitors hang where the other programs draw; without monitors they use the first card.
    if device.drives_display or (s.case.machine.display_on_gpu is None and device.id == "gpu0"):
        if s.case.also.cad:
            _enter(books, whole, "other_apps", "cad", message("CAD keeps its models on this card"))
        if s.case.also.render:
            _enter(books, whole, "other_apps", "render", message("a rendering scene lies in one card"))
    for other, size in beside(s, device):
        books.add(
            whole, "other_apps", size, message("{name} runs at the same time", name=other), ANOTHER_WORKLOAD
        )


def beside(s: Basis, device: Device) -> list[tuple[str, Bytes]]:
    """Return what other workloads keep on a device at the same time, by their names."""
    place = int(device.id.removeprefix("gpu"))
    return [(one.name, one.devices[place]) for one in s.case.also.beside if place < len(one.devices)]


def _fragmentation(books: Books, s: Basis, phase: Phase) -> None:
    factor = s.framework.fragmentation if s.workload.trains else _SERVING
    moving = sum(
        entry.likely
        for entry in books.phases[phase]
        if entry.component in ("activations", "logits", "workspace", "gradients", "communication")
    )
    share = Range(low=factor.low - 1, likely=factor.likely - 1, high=factor.high - 1)
    books.add(
        (phase,),
        "fragmentation",
        spread(moving, share),
        message("{share:%} of {moving:gib} that come and go", share=share.likely, moving=moving),
        s.framework.source,
    )


_SERVING = Range(low=1.0, likely=1.02, high=1.1)


def _enter(books: Books, phases: tuple[Phase, ...], component: Component, key: str, why: Message) -> None:
    table = read_table("reserves")
    facts = table["display"][key] if component == "display" else table[key]
    size = gib_range(Range(low=facts["low"], likely=facts["likely"], high=facts["high"]))
    books.add(phases, component, size, why, facts["source"])
