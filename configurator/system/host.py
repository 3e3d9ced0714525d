"""RAM and drives."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import message
from configurator.domain.units import GB, GIB
from configurator.system.facts import Facts
from configurator.system.rules import rule, source

_STEPS = (64, 128, 256, 384, 512, 768, 1024, 1536, 2048)


def wanted_ram(facts: Facts) -> tuple[float, float]:
    """Return the RAM in GiB that must be there, and the RAM that is comfortable."""
    must = facts.estimate.host.ram.likely / GIB
    vram = sum(device.capacity for device in facts.estimate.devices) / GIB * rule("ram.per_vram")
    return must, max(must, vram, rule("ram.base_gb"))


def _step(size: float) -> int:
    """Return the next size as sold."""
    return next((step for step in _STEPS if step >= size), _STEPS[-1])


def check_ram(facts: Facts) -> Iterator[Finding]:
    """Check RAM against the workload's need and the memory of all cards."""
    if facts.system is not None:
        return
    must, enough = wanted_ram(facts)
    comfortable = _step(enough)
    have = facts.case.machine.ram_gb
    why = message(
        "the workload needs {need:gib} of RAM; as much RAM as the cards have together is comfortable: {comfortable} GB",
        need=facts.estimate.host.ram.likely,
        comfortable=comfortable,
    )
    severity: Severity = (
        "info" if have is None else "ok" if have >= enough else "warn" if have >= must else "error"
    )
    texts = {
        "info": message("No RAM named; {comfortable} GB are proposed", comfortable=comfortable),
        "ok": message("{have} GB of RAM are enough", have=have),
        "warn": message("{have} GB of RAM are enough for this, with little room", have=have),
        "error": message("{have} GB of RAM are not enough", have=have),
    }
    good = severity == "ok"
    yield Finding(
        id="ram.capacity",
        severity=severity,
        message=texts[severity],
        numbers={"have_gb": have or 0, "needed_gb": round(must, 1), "comfortable_gb": comfortable},
        why=why,
        source=source("ram.per_vram"),
        fix=None if good else message("{comfortable} GB of RAM", comfortable=comfortable),
        change=None if good else {"ram_gb": comfortable},
    )


def check_storage(facts: Facts) -> Iterator[Finding]:
    """Check the drives against model files, data set and checkpoints."""
    bare = facts.estimate.host.disk.likely
    need = bare / (1 - rule("storage.free"))
    have = 0.0
    for drive in facts.case.machine.drives:
        if drive.use not in ("backup", "network"):
            have += (
                facts.catalog.drives.find(drive.drive).capacity
                if drive.drive
                else (drive.capacity_tb or 0) * 1000 * GB
            )
    named = bool(facts.case.machine.drives)
    severity: Severity = (
        "info" if not named else "ok" if have >= need else "warn" if have >= bare else "error"
    )
    terabytes = next((tb for tb in (1, 2, 4, 8, 16, 32) if tb * 1000 * GB >= need), 64)
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
        numbers={"needed_gb": round(need / GB), "have_gb": round(have / GB)},
        why=message("model files, data and checkpoints take {need:gb}, with 15 % kept free", need=need),
        source=source("storage.free"),
        fix=None if good else message("an NVMe drive of {tb} TB", tb=terabytes),
        change=None
        if good
        else {
            "drives": [drive.model_dump(exclude_defaults=True) for drive in facts.case.machine.drives]
            + [{"capacity_tb": float(terabytes), "interface": "nvme-4", "use": "data"}]
        },
    )


def check_backup(facts: Facts) -> Iterator[Finding]:
    """Say whether a backup is part of the machine."""
    there = any(drive.use in ("backup", "network") for drive in facts.case.machine.drives)
    yield Finding(
        id="storage.backup",
        severity="ok" if there else "info",
        message=message("A place for backups is planned")
        if there
        else message("No place for backups is planned"),
        why=message("training data and adapters exist once; a second drive or network storage keeps them"),
        source="good practice of workshops",
        fix=None if there else message("a second drive or network storage"),
    )
