"""What a power limit costs in speed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.domain.ranges import Range
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source, table


def check_limit(facts: Facts) -> Iterator[Finding]:
    """Say what the stated limit saves and costs."""
    limit = facts.case.machine.power_limit_w
    rated = max((card.tdp_w or 0 for card in facts.cards), default=0)
    if not limit or not rated:
        return
    share = limit / rated
    alone = not facts.workload.trains and (facts.workload.concurrency or 1) == 1
    rows = table("power_limit")
    speed = speed_at(share, rows["single" if alone else "training"])
    numbers = {
        "limit_w": limit,
        "rated_w": rated,
        "low": speed.low,
        "likely": speed.likely,
        "high": speed.high,
    }
    yield gravest("power.limit", _judged(limit, rated, share, speed, str(rows["source"])), numbers)


def speed_at(share: float, rows: Sequence[Any]) -> Range:
    """Return the speed left at a share of the rated power, between the rows of the table."""
    ordered = sorted(rows, key=lambda row: float(row["share"]))
    share = min(max(share, ordered[0]["share"]), ordered[-1]["share"])
    for below, above in itertools.pairwise(ordered):
        if share <= above["share"]:
            part = (share - below["share"]) / (above["share"] - below["share"])
            low, likely, high = (
                round(below[name] + part * (above[name] - below[name]), 3)
                for name in ("low", "likely", "high")
            )
            return Range(low=low, likely=likely, high=high)
    return Range(low=1.0, likely=1.0, high=1.0)


def _judged(limit: int, rated: int, share: float, speed: Range, where: str) -> list[Problem]:
    why = message(
        "{limit:w} of {rated:w}: {low:%} to {high:%} of the speed, likely {likely:%}",
        limit=limit,
        rated=rated,
        low=speed.low,
        high=speed.high,
        likely=speed.likely,
    )
    found = [
        Problem(
            "ok", message("The power limit leaves {likely:%} of the speed", likely=speed.likely), why, where
        )
    ]
    if share > 1:
        text = message("The power limit lies above the card's rating")
        found.append(Problem("info", text, why, where, message("no limit"), {"power_limit_w": None}))
    elif share < rule("power.limit_least"):
        text = message("The driver may not accept so low a limit")
        fix = message("{least:w} or more", least=0.5 * rated)
        found.append(
            Problem(
                "warn", text, why, source("power.limit_least"), fix, {"power_limit_w": round(0.5 * rated)}
            )
        )
    elif speed.likely < 0.9:
        text = message("The power limit costs more than a tenth of the speed")
        fix = message("{better:w} cost little", better=0.8 * rated)
        found.append(Problem("info", text, why, where, fix, {"power_limit_w": round(0.8 * rated)}))
    return found
