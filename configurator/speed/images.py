"""Images a second: recognised, trained or generated, and what processor and drive can feed."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.machine import Machine, Part
from configurator.domain.ranges import Range
from configurator.domain.workload import Workload
from configurator.speed.chips import Chip, chips
from configurator.speed.constants import Link, constants
from configurator.speed.image_work import ImageWork, image_work
from configurator.speed.prompt import reached

_SAMPLE = 150_000
"""Pixels of the image that `loader_per_core` was measured with."""
_ROOM = 0.6
"""Share of a card's memory that a batch fills where its size is not stated, of what its values take three times."""


def image_speeds(case: Case, w: Workload, catalog: Catalog) -> dict[str, Range]:
    """Return the speeds of a workload on images; empty where work or chips are not known."""
    work, found = image_work(w, catalog), chips(case.machine, catalog)
    if work is None or not found:
        return {}
    copies = case.plan.dp if case.plan else len(found) if w.trains else 1
    slowest = min(found[:copies], key=lambda chip: chip.peak)
    if work.steps:
        return _denoised(w, work, slowest)
    seconds = image_seconds(w, work, slowest)
    c = constants().images
    spread = c.spread["training" if w.trains else "inference"]
    rate = copies / (seconds + exchange_seconds(w, work, slowest, copies, linked(found)))
    speeds = {"images_s": spread.scaled(rate)}
    return speeds | _fed(w, case.machine, catalog) if w.trains else speeds


def image_seconds(w: Workload, work: ImageWork, chip: Chip) -> float:
    """Return the seconds of one image on one chip."""
    c = constants().images
    wide = in_fp32(w)
    rate = reached(chip) * c.compute * (chip.peak_fp32 / chip.peak if wide else 1.0)
    each = c.bytes_per_output if work.matrices else c.bytes_per_value
    moving = work.values * each * (2 if wide else 1) / chip.bandwidth
    return (work.operations / rate + moving) * (c.train if w.trains else 1.0)


def in_fp32(w: Workload) -> bool:
    """Whether the arithmetic is in 32 bit."""
    return (w.compute or w.weights or "").startswith("fp32")


def exchange_seconds(w: Workload, work: ImageWork, chip: Chip, copies: int, link: Link) -> float:
    """Return the seconds of an image's share in the exchange of gradients after each step."""
    if copies == 1 or not w.trains:
        return 0.0
    moved = 4 * work.parameters * 2 * (copies - 1) / copies
    hidden = constants().training.overlap
    return (1 - hidden) * moved / (link.gbs * 1e9) / batch(w, work, chip)


def batch(w: Workload, work: ImageWork, chip: Chip) -> float:
    """Return the images of a step: as stated, else as many as benchmarks put on such a card."""
    if w.batch:
        return float(w.batch)
    return max(1.0, _ROOM * (chip.memory or 0.0) / (6 * max(1.0, work.values)))


def linked(cards: tuple[Chip, ...]) -> Link:
    """Return how cards exchange."""
    links = constants().links
    if all(chip.joined > 2 and chip.joined >= len(cards) for chip in cards):
        return links["nvlink"]
    return links["p2p" if all(chip.direct for chip in cards) else "host"]


def _denoised(w: Workload, work: ImageWork, chip: Chip) -> dict[str, Range]:
    """Return the seconds of a denoising step of the whole batch, and the images a second after all steps."""
    c, images = constants().denoising, w.batch or 1
    wide = chip.peak_fp32 / chip.peak if in_fp32(w) else 1.0
    computing = images * work.operations / (reached(chip) * c.compute * wide)
    seconds = max(computing * (constants().images.train if w.trains else 1.0), c.launch_ms * 1e-3)
    step = Range(low=seconds / c.spread.high, likely=seconds, high=seconds / c.spread.low)
    of_one = 1 if w.trains else work.steps
    return {"step_s": step, "images_s": c.spread.scaled(images / of_one / seconds)}


def _fed(w: Workload, machine: Machine, catalog: Catalog) -> dict[str, Range]:
    """Return the images a second that the processor prepares, where it is known."""
    if machine.cpu is None or catalog.cpus is None:
        return {}
    cpu = catalog.cpus.find(machine.cpu.id if isinstance(machine.cpu, Part) else machine.cpu)
    if not cpu.cores:
        return {}
    width, height = w.resolution or (387, 387)
    larger = max(1.0, width * height / _SAMPLE)
    return {"loader_images_s": constants().images.loader_per_core.scaled(cpu.cores / larger)}
