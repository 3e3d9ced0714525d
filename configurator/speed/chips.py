"""What computes and how fast its memory is: a card, or the graphics of a unified-memory system."""

from __future__ import annotations

import re
from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.catalog.parts import Gpu, System
from configurator.domain.errors import BadInput
from configurator.domain.machine import GpuFacts, Gpus, Machine
from configurator.speed.constants import constants

_APPLE = re.compile(
    r"\b(?P<generation>m\d)(?:[ -](?P<size>pro|max|ultra))?\b(?:.*?\b(?P<cores>\d+) ?c(?:ores?)?\b)?"
)
_ACCELERATED = 5
"""Generation from which every core of the graphics has an accelerator for matrices."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One device that computes. Rates are peaks: dense, 16 bit, FP32 accumulation."""

    name: str
    family: str
    """Kind of chip whose efficiencies were measured together, a key of `catalogs/speed.yaml`."""
    bandwidth: float
    """Bytes a second."""
    peak: float
    """Operations a second in 16 bit."""
    peak_fp32: float
    """The same for 32-bit weights with tensor arithmetic where the chip has it (TF32)."""
    watts: float
    """Power of the card, or of a small machine as a whole."""
    memory: float | None = None
    """Bytes of its own memory."""
    halved: bool = False
    """Whether the peak is only half as high with FP32 accumulation as without (GeForce)."""
    joined: int = 0
    """Cards that NVLink joins."""
    direct: bool = False
    """Whether its driver lets cards reach each other without the host's memory."""


def chips(machine: Machine, catalog: Catalog) -> tuple[Chip, ...]:
    """Return the chips of a machine in order; empty where one of them is not known well enough."""
    if machine.system:
        found = of_system(catalog.systems.find(machine.system))
        return (found,) if found else ()
    kinds = [(_named(kind, catalog), kind.count) for kind in machine.gpus]
    limited = [chip for chip, count in kinds for _ in range(count) if chip]
    return tuple(limited) if all(chip for chip, _ in kinds) else ()


def _named(kind: Gpus, catalog: Catalog) -> Chip | None:
    if isinstance(kind.gpu, GpuFacts):
        return None
    card = catalog.gpus.named(kind.gpu)
    if card:
        return of_card(card)
    # Logs of a Mac name its chip as the GPU.
    try:
        return of_system(catalog.systems.find(kind.gpu))
    except BadInput:
        return of_apple(kind.gpu)


def of_card(card: Gpu) -> Chip | None:
    """Return the chip of a card; None where bandwidth or rate is not known."""
    rate = card.bf16_tflops or card.fp16_tflops
    family = _family(card.id)
    if not card.bandwidth_gbs or not rate or not card.tdp_w or not family:
        return None
    return Chip(
        card.name,
        family,
        card.bandwidth_gbs * 1e9,
        rate * 1e12,
        rate * 1e12 * _of_fp32(card),
        float(card.tdp_w),
        float(card.capacity),
        halved=family == "geforce",
        joined=card.nvlink or 0,
        direct=family in ("workstation", "datacentre"),
    )


def of_system(system: System) -> Chip | None:
    """Return the graphics of a unified-memory system; None where bandwidth or rate is not known."""
    family = _family(system.id)
    if not system.bandwidth_gbs or not system.bf16_tflops or not system.peak_w or not family:
        return None
    peak = system.bf16_tflops * 1e12
    fp32 = peak if system.vendor == "apple" else peak / 2
    return Chip(
        system.name,
        family,
        system.bandwidth_gbs * 1e9,
        peak,
        fp32,
        float(system.peak_w),
        float(system.memory),
    )


def of_apple(name: str) -> Chip | None:
    """Return the graphics of an Apple chip by its name: 'M3 Max 30c', 'M1-Pro-16GB'."""
    found = _APPLE.search(name.lower())
    table = constants().apple
    if not found or found["generation"] not in table.clock_ghz:
        return None
    generation, size = found["generation"], found["size"] or "base"
    cores = int(found["cores"]) if found["cores"] else table.cores[size].get(generation)
    bandwidth = table.bandwidth_gbs[size].get(generation)
    if not cores or not bandwidth:
        return None
    accelerated = 4 if int(generation[1:]) >= _ACCELERATED else 1
    peak = cores * 256 * table.clock_ghz[generation] * 1e9 * accelerated
    family = "apple-ultra" if size == "ultra" else "apple"
    return Chip(name, family, bandwidth * 1e9, peak, peak, table.watts[size])


def _family(id_: str) -> str | None:
    """Return the first family whose pattern the id fits."""
    families = constants().families
    return next((name for name, family in families.items() if re.search(family.ids, id_)), None)


def _of_fp32(card: Gpu) -> float:
    """Return the rate of 32-bit arithmetic over that of 16 bit: TF32 since Ampere, else the plain units."""
    capability = card.compute_capability or ""
    newer = card.vendor == "nvidia" and capability.split(".")[0].isdigit() and float(capability) >= 8
    return 0.5 if newer else 0.125
