"""Images a second: recognised, trained or generated, and what processor and drive can feed."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog
from configurator.catalog.loading import read_table
from configurator.domain.case import Case
from configurator.domain.machine import Machine, Part
from configurator.domain.ranges import Range
from configurator.domain.units import GB
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
        return _denoised(w, work, slowest, copies)
    seconds = image_seconds(w, work, slowest)
    c = constants().images
    spread = c.spread["training" if w.trains else "inference"]
    rate = copies / (seconds + exchange_seconds(w, work, slowest, copies, linked(found)))
    speeds = {"images_s": spread.scaled(rate)}
    if w.trains and w.batch:
        whole = speeds["images_s"].scaled(1 / (w.batch * copies))
        speeds["step_s"] = Range(low=1 / whole.high, likely=1 / whole.likely, high=1 / whole.low)
    if w.trains and w.context:
        speeds["train_tokens_s"] = speeds["images_s"].scaled(w.context)
    return speeds | _fed(w, case.machine, catalog) if w.trains else speeds


def image_seconds(w: Workload, work: ImageWork, chip: Chip) -> float:
    """Return the seconds of one image on one chip."""
    c = constants().images
    wide = in_fp32(w)
    rate = reached(chip, wide) * c.compute
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


def _denoised(w: Workload, work: ImageWork, chip: Chip, copies: int) -> dict[str, Range]:
    """Return the seconds of a denoising step of the whole batch, and the images a second after all steps."""
    c, images = constants().denoising, w.batch or 1
    computing = images * work.operations / (reached(chip, in_fp32(w)) * c.compute)
    seconds = max(computing * (constants().images.train if w.trains else 1.0), c.launch_ms * 1e-3)
    step = Range(low=seconds / c.spread.high, likely=seconds, high=seconds / c.spread.low)
    of_one = 1 if w.trains else work.steps
    return {"step_s": step, "images_s": c.spread.scaled(copies * images / of_one / seconds)}


def _fed(w: Workload, machine: Machine, catalog: Catalog) -> dict[str, Range]:
    """Return the images a second that the processor prepares and the drive reads, where they are known."""
    found = {}
    cpu = (
        catalog.cpus.find(machine.cpu.id if isinstance(machine.cpu, Part) else machine.cpu)
        if machine.cpu
        else None
    )
    if cpu and cpu.cores:
        width, height = w.resolution or (387, 387)
        larger = max(1.0, width * height / _SAMPLE)
        found["loader_images_s"] = constants().images.loader_per_core.scaled(cpu.cores / larger)
    data, rate = w.dataset, _drive_rate(machine, catalog)
    if data and data.size_gb and data.samples and rate:
        # Files of images are read one by one, in an order that changes: half to all of the sequential rate.
        likely = rate * data.samples / (data.size_gb * GB)
        found["storage_images_s"] = Range(low=0.4 * likely, likely=0.7 * likely, high=likely)
    return found


def _drive_rate(machine: Machine, catalog: Catalog) -> float | None:
    """Return the bytes a second that the drive of the data reads."""
    drives = [drive for drive in machine.drives if drive.use in ("data", "scratch", "system", "network")]
    drive = next((one for one in drives if one.use == "data"), drives[0] if drives else None)
    if drive is None:
        return None
    known = catalog.drives.find(drive.drive) if drive.drive else None
    if known and known.read_mbs:
        return known.read_mbs * 1e6
    rates = read_table("rules")["tables"]["drives"]
    row = rates.get((known.interface if known else None) or drive.interface)
    return float(row["read"]) * 1e6 if isinstance(row, dict) else None
