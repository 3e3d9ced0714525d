"""Whether the drives feed the cards: model loading, samples a second, small files."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.domain.units import GB, MIB
from configurator.system.drives import Storage, data_drive
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source, table
from configurator.system.sharding import whole_weights
from configurator.system.storage import checkpoint_bytes, with_drive

_MB = GB / 1000


def check_throughput(facts: Facts) -> Iterator[Finding]:
    """Check how long model and checkpoint take, and whether samples come fast enough."""
    drive = data_drive(facts)
    if drive is None or facts.system is not None:
        return
    weights = whole_weights(facts)
    load, save = weights / (drive.read * _MB), checkpoint_bytes(facts) / (drive.write * _MB)
    numbers = {"read_mbs": drive.read, "write_mbs": drive.write, "load_s": round(load), "save_s": round(save)}
    numbers |= {"wanted_mbs": round(wanted_rate(facts) / _MB)}
    found = [_loading(drive, weights, load), *_samples(facts, drive), *_checkpoints(facts, drive, save)]
    yield gravest("storage.throughput", found, numbers)


def wanted_rate(facts: Facts) -> float:
    """Return the bytes a second that the cards take of the data set: samples a second times their size."""
    dataset, speed = facts.workload.dataset, facts.estimate.speed.get("images_s")
    if not facts.workload.trains or dataset is None or not dataset.size_gb or not dataset.samples:
        return 0.0
    return dataset.size_gb * GB / dataset.samples * (speed.likely if speed else 0.0)


def _loading(drive: Storage, weights: float, seconds: float) -> Problem:
    slow = seconds > rule("storage.load_seconds")
    return Problem(
        "warn" if slow else "ok",
        message("Loading the model takes {minutes:1} minutes", minutes=seconds / 60)
        if slow
        else message("The drive loads the model in {seconds:n} s", seconds=max(1.0, seconds)),
        message("{size:gib} at {rate:n} MB/s from {drive}", size=weights, rate=drive.read, drive=drive.name),
        str(table("drives")["source"]),
        message("models on an NVMe drive") if slow else None,
    )


def _samples(facts: Facts, drive: Storage) -> Iterator[Problem]:
    wanted = wanted_rate(facts)
    if wanted > drive.read * _MB:
        yield Problem(
            "warn",
            message("The drive is slower than the cards read samples"),
            message("{wanted:n} MB/s are wanted, {rate:n} MB/s come", wanted=wanted / _MB, rate=drive.read),
            str(table("drives")["source"]),
            message("the data set on an NVMe drive"),
            with_drive(facts, 4, "data"),
        )
    dataset = facts.workload.dataset
    images = facts.framework is not None and facts.framework.models == "images"
    small = bool(
        dataset and dataset.size_gb and dataset.samples and dataset.size_gb * GB / dataset.samples < 4 * MIB
    )
    if facts.workload.trains and drive.interface == "hdd" and (images or small):
        yield Problem(
            "warn",
            message("Many small files on a hard disk starve the cards"),
            message("a hard disk seeks for every file; training reads them in random order"),
            "MIC-DKFZ/nnUNet issue 25",
            message("the data set on an NVMe drive"),
            with_drive(facts, 4, "data"),
        )


def _checkpoints(facts: Facts, drive: Storage, seconds: float) -> Iterator[Problem]:
    if seconds > rule("storage.load_seconds"):
        yield Problem(
            "info",
            message("Saving a checkpoint takes {minutes:1} minutes", minutes=seconds / 60),
            message(
                "{size:gb} at {rate:n} MB/s once the cache is full",
                size=checkpoint_bytes(facts),
                rate=drive.write,
            ),
            source("storage.checkpoint_minutes"),
            message("a scratch drive with a high sustained rate"),
            with_drive(facts, 4, "scratch"),
        )
