"""Years until checkpoints have worn a drive out."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.drives import scratch_drive
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source
from configurator.system.storage import checkpoint_bytes, with_drive


def check_endurance(facts: Facts) -> Iterator[Finding]:
    """Hold the checkpoints of a year against what the maker lets write."""
    drive = scratch_drive(facts)
    if drive is None or not facts.workload.trains or drive.interface in ("hdd", "network", "network-10g"):
        return
    minutes = float(str(facts.workload.options.get("checkpoint_minutes", rule("storage.checkpoint_minutes"))))
    each = checkpoint_bytes(facts)
    if not each:
        return
    daily = each * 24 * 60 / minutes
    yearly = daily * 365 * rule("storage.training_share")
    years = drive.endurance / yearly
    numbers = {"years": round(years, 1), "daily_gb": round(daily / 1e9), "tbw": round(drive.endurance / 1e12)}
    short = years < rule("storage.warranty_years")
    why = message(
        "{each:gb} every {minutes:n} minutes (assumed) in half of the year: {daily:gb} a training day against {tbw:n} TB written ({figure})",
        each=each,
        minutes=minutes,
        daily=daily,
        tbw=drive.endurance / 1e12,
        figure=message("maker's figure") if drive.stated else message("usual for its size"),
    )
    found = Problem(
        "warn" if short else "ok",
        message("Checkpoints wear the drive out in {years:1} years", years=years)
        if short
        else message("The drive outlives its warranty"),
        why,
        source("storage.tbw_per_tb"),
        message("fewer checkpoints, or a scratch drive with more endurance") if short else None,
        with_drive(facts, 8, "scratch") if short else None,
    )
    yield gravest("storage.endurance", [found], numbers)
