"""Size of the drives, and a place for backups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import message
from configurator.domain.units import GB
from configurator.system.drives import drives
from configurator.system.facts import Facts
from configurator.system.rules import rule, source

_SIZES_TB = (1, 2, 4, 8, 16, 32, 64)


def checkpoint_bytes(facts: Facts) -> float:
    """Return the bytes of one checkpoint: weights in 16 bit, fp32 master and two states; adapters are small."""
    if not facts.workload.trains:
        return 0.0
    if facts.workload.task in ("lora", "qlora"):
        return 2.0 * GB
    return 14.0 * facts.parameters


def check_storage(facts: Facts) -> Iterator[Finding]:
    """Check the drives against model files, data set and checkpoints."""
    bare = facts.estimate.host.disk.likely
    need = bare / (1 - rule("storage.free"))
    have = sum(drive.capacity for drive in drives(facts) if drive.local)
    named = bool(facts.case.machine.drives)
    severity: Severity = (
        "info" if not named else "ok" if have >= need else "warn" if have >= bare else "error"
    )
    terabytes = size_for(need - have)
    good = severity == "ok"
    yield Finding(
        id="storage.capacity",
        severity=severity,
        message=message("The drives are large enough")
        if good
        else message("The drives fill up")
        if severity == "warn"
        else message("The drives are too small")
        if named
        else message("No drive named; {tb} TB are proposed", tb=terabytes),
        numbers={
            "needed_gb": round(need / GB),
            "have_gb": round(have / GB),
            "checkpoint_gb": round(checkpoint_bytes(facts) / GB),
        },
        why=message("model files, data and checkpoints take {need:gb}, with 15 % kept free", need=need),
        source=source("storage.free"),
        fix=None if good else message("an NVMe drive of {tb} TB", tb=terabytes),
        change=None if good else with_drive(facts, terabytes, "data"),
    )


def size_for(need: float) -> int:
    """Return the next size of a drive as sold, TB."""
    return next((tb for tb in _SIZES_TB if tb * 1000 * GB >= need), _SIZES_TB[-1])


def with_drive(facts: Facts, terabytes: int, use: str) -> dict[str, Any]:
    """Return the change that adds a drive to those that are there."""
    there = [drive.model_dump(exclude_defaults=True) for drive in facts.case.machine.drives]
    interface = "nvme-4" if use in ("data", "scratch") else "hdd"
    return {"drives": [*there, {"capacity_tb": float(terabytes), "interface": interface, "use": use}]}


def check_backup(facts: Facts) -> Iterator[Finding]:
    """Say whether a backup is part of the machine, and whether it is large enough."""
    places = [drive for drive in drives(facts) if drive.use in ("backup", "network")]
    dataset = facts.workload.dataset
    keep = (dataset.size_gb or 0) * GB if dataset else 0.0
    keep += checkpoint_bytes(facts)
    have = sum(drive.capacity for drive in places)
    terabytes = size_for(2 * keep)
    severity: Severity = "info" if not places else "ok" if have >= keep else "warn"
    yield Finding(
        id="storage.backup",
        severity=severity,
        message=message("No place for backups is planned")
        if not places
        else message("A place for backups is planned")
        if severity == "ok"
        else message("The place for backups is too small"),
        numbers={"keep_gb": round(keep / GB), "have_gb": round(have / GB)},
        why=message("training data and adapters exist once; a second drive or network storage keeps them"),
        source="good practice of workshops",
        fix=None
        if severity == "ok"
        else message("a second drive of {tb} TB, or network storage", tb=terabytes),
        change=None if severity == "ok" else with_drive(facts, terabytes, "backup"),
    )
