"""The devices of a machine: name, capacity, and what drives the monitors."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.catalog.loading import read_table
from configurator.catalog.parts import Gpu
from configurator.domain.machine import GpuFacts, Gpus, Machine
from configurator.domain.units import GIB

_NO_LIMIT = 2**50
_ANY = ("any", "not-stated")
"""What measured runs write when the card does not matter or the source does not name it; a name whose
memory is `not stated` sets no limit either."""


@dataclass(frozen=True, slots=True)
class Device:
    """One device that computes. `capacity` in bytes; for unified memory the share that the GPU may use."""

    id: str
    name: str
    capacity: int
    unified: bool = False
    gpu: Gpu | None = None
    drives_display: bool = False


def devices(machine: Machine, catalog: Catalog) -> tuple[Device, ...]:
    """Return the devices in order, those of further machines behind the first one's. Monitors hang on the first.

    Raises BadInput for an unknown GPU or system.
    """
    if machine.system:
        system = catalog.systems.find(machine.system)
        share = machine.gpu_share or system.gpu_share
        size = round(system.memory * share)
        return tuple(Device(f"gpu{node}", system.name, size, unified=True) for node in range(machine.nodes))
    found: list[Device] = []
    for kind in machine.gpus * machine.nodes:
        for _ in range(kind.count):
            number = len(found)
            shown = machine.display_on_gpu == number
            found.append(_device(f"gpu{number}", kind, catalog, shown))
    return tuple(found)


def _device(name: str, kind: Gpus, catalog: Catalog, shown: bool) -> Device:
    if isinstance(kind.gpu, GpuFacts):
        return Device(name, kind.gpu.name, round(kind.gpu.vram_gib * GIB), drives_display=shown)
    unified = "unified" in kind.gpu.lower()
    if kind.gpu.lower() in _ANY or "not stated" in kind.gpu.lower():
        return Device(name, "any", round(kind.vram_gib * GIB) if kind.vram_gib else _NO_LIMIT)
    if kind.vram_gib is not None:
        # A capacity stated beside a name holds, whether the catalogue knows the name or not.
        known = catalog.gpus.named(kind.gpu)
        share = _metal_share(kind.vram_gib) if unified and "apple" in kind.gpu.lower() else 1.0
        size = round(kind.vram_gib * GIB * share)
        return Device(name, known.name if known else kind.gpu, size, unified, known, shown)
    gpu = catalog.gpus.find(kind.gpu)
    return Device(name, gpu.name, gpu.capacity, False, gpu, shown)


def _metal_share(memory: float) -> float:
    """Return the share of so many GiB of unified memory that Metal lets the GPU use."""
    return next(
        float(row["share"]) for row in read_table("reserves")["metal"] if memory <= float(row["up_to_gib"])
    )
