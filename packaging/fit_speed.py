"""Learns the constants of speed from measured runs: on a part of the sources, judged on the other part.

Run it as `packaging/fit_speed`, which sets up what it needs. Nothing is written without `--write`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean, median

import numpy as np
from benchmark import EVIDENCE, table
from pydantic import ValidationError
from speed_constants import MECHANISMS, SPREADS, Where, places, put, restored, value, write
from speed_rules import NAMES, by_rule

from configurator.catalog.catalog import Catalog
from configurator.domain.errors import BadInput
from configurator.domain.ranges import Range
from configurator.domain.run import MeasuredRun, RunsFile
from configurator.domain.workload import Workload
from configurator.evidence.groups import group_of
from configurator.evidence.speeds import refused, speed_pairs, subject_of
from configurator.evidence.validate import catalog_for, placed
from configurator.memory.engine import predict
from configurator.reading.files import read_word
from configurator.speed.chips import Chip, chips
from configurator.speed.engine import speeds_of
from configurator.speed.images import image_speeds
from configurator.speed.subject import Subject
from configurator.texts import say_in

COLUMNS = (
    "mechanism",
    "rows",
    "sources",
    "fitted part",
    "other part",
    "range learnt there holds here",
    "all",
    "mean width / likely",
    "rule of thumb",
    "its error",
)
_STEPS = (0.7, 0.85, 0.93, 0.97, 1.03, 1.07, 1.15, 1.4)
"""Factors by which a search moves a constant."""
_ROUNDS = 6
_ENOUGH = 4
"""Rows from which on a constant is learnt, and a spread from twice as many."""
_ENDS = (0.07, 0.93)
"""Ends of a spread over rows met and unmet together: new sources lie further off than those that were learnt from."""
_LEAST = (0.85, 1.15)
"""No spread is narrower: two builds of one program differ as much."""
_HOLD = 0.6
"""Rows that speak for the value before: what a search costs to move away from it."""


@dataclass(frozen=True)
class Speed:
    """One measured quantity of a run."""

    run: MeasuredRun
    workload: Workload
    subject: Subject | None
    """What a language model's speeds are computed from; None: a network of images."""
    chip: Chip
    catalog: Catalog
    mechanism: str
    key: str

    @property
    def source(self) -> str:
        """Who measured it."""
        return self.run.source

    def ratio(self) -> tuple[float, Range]:
        """Return what was measured over the likely value, and the predicted range over it."""
        found = (
            speeds_of(self.subject)
            if self.subject
            else image_speeds(self.run.case, self.workload, self.catalog)
        )
        predicted = found[self.key]
        measured = float(self.run.measured[self.key])
        return measured / predicted.likely, predicted.scaled(1 / predicted.likely)

    def rule(self) -> float | None:
        """Return what the rule of thumb says over what was measured."""
        said = by_rule(self.mechanism, self.key, self.run, self.subject, self.catalog)
        return said / float(self.run.measured[self.key]) if said else None


def speeds(files: Sequence[Path]) -> list[Speed]:
    """Return the measured speeds that count: predicted, not doubted, not impossible."""
    found = []
    for file in files:
        catalog = catalog_for(file, ())
        for content in read_word(file, RunsFile).runs:
            try:
                run = MeasuredRun.model_validate(content)
            except ValidationError:
                continue
            try:
                prediction = predict(placed(run, catalog), catalog)
            except BadInput:
                prediction = None
            if run.quality != "reading" or refused(run, prediction, catalog):
                continue
            for key, _, _ in speed_pairs(run, prediction, catalog):
                mechanism = group_of(content, key).removeprefix("speed: ")
                if mechanism in MECHANISMS:
                    workload = prediction.workload if prediction else run.workload
                    language = catalog.models.knows(run.workload.model) and prediction is not None
                    subject = subject_of(run, prediction, catalog) if language and prediction else None
                    chip = chips(run.machine, catalog)[0]
                    found.append(Speed(run, workload, subject, chip, catalog, mechanism, key))
    return found


def halves(rows: Sequence[Speed]) -> tuple[list[Speed], list[Speed]]:
    """Return the rows in two parts that share no source, as equal as the sources allow."""
    parts: tuple[list[Speed], list[Speed]] = ([], [])
    sources = sorted({row.source for row in rows}, key=lambda one: (-sum(r.source == one for r in rows), one))
    for source in sources:
        smaller = min(parts, key=len)
        smaller.extend(row for row in rows if row.source == source)
    return parts


def fit(mechanism: str, rows: Sequence[Speed], ignorant: bool) -> None:
    """Search the constants of a mechanism one after the other until none gets better.

    `ignorant`: begin with the same value for all kinds of chips, so that what is judged later was never seen.
    """
    wheres = MECHANISMS[mechanism]
    if ignorant:
        for where, start in wheres:
            for place in places(where):
                put(place, start)
        for _ in range(_ROUNDS // 2):
            for where, _ in wheres:
                _improve(places(where), rows)
    for _ in range(_ROUNDS):
        before = error(rows)
        for where, _ in wheres:
            for place in places(where):
                _improve([place], rows)
        if error(rows) > 0.999 * before:
            break


def _improve(where: Sequence[Where], rows: Sequence[Speed]) -> None:
    """Move constants together to where the rows that depend on them are met best; few rows move them little."""
    old = [value(place) for place in where]
    depending = _depending(where, old, rows)
    if len(depending) < _ENOUGH:
        return
    best, factor = error(depending), 1.0
    for step in _STEPS:
        _scale(where, old, step)
        if (found := error(depending) + _HOLD * abs(log(step)) / len(depending)) < 0.9995 * best:
            best, factor = found, step
    _scale(where, old, factor)


def _depending(where: Sequence[Where], old: Sequence[float], rows: Sequence[Speed]) -> list[Speed]:
    """Return the rows whose prediction changes with the constants."""
    before = [row.ratio()[0] for row in rows]
    _scale(where, old, _STEPS[-1])
    after = [row.ratio()[0] for row in rows]
    _scale(where, old, 1.0)
    return [row for row, one, two in zip(rows, before, after, strict=True) if abs(two / one - 1) > 0.01]


def _scale(where: Sequence[Where], old: Sequence[float], factor: float) -> None:
    for place, one in zip(where, old, strict=True):
        put(place, one * factor)


def error(rows: Sequence[Speed]) -> float:
    """Return the mean of how far predictions lie off, as a factor; one that errs wildly counts as twice off."""
    return fmean(min(0.7, abs(float(np.log(row.ratio()[0])))) for row in rows)


Ratios = dict[str, list[float]]
"""Measured over likely speeds, by kind."""


def ratios(mechanism: str, rows: Sequence[Speed]) -> Ratios:
    """Return how far measured speeds lie from the likely ones."""
    kinds: Ratios = {}
    for row in rows:
        measured = row.ratio()[0]
        kinds.setdefault(_kind(mechanism, row), []).append(1 / measured if row.key == "step_s" else measured)
    return kinds


def fit_spread(mechanism: str, found: Ratios) -> None:
    """Let the spreads hold nine in ten of the ratios of each kind."""
    for kind, values in found.items():
        if len(values) >= 2 * _ENOUGH:
            low, high = (float(one) for one in np.quantile(values, _ENDS))
            place = (*SPREADS[mechanism], kind or "spread")
            put(place, {"low": min(_LEAST[0], low), "likely": 1.0, "high": max(_LEAST[1], high)})


def together(*parts: Ratios) -> Ratios:
    """Return ratios of several parts as one."""
    return {kind: [r for part in parts for r in part.get(kind, ())] for part in parts for kind in part}


def _kind(mechanism: str, row: Speed) -> str:
    if mechanism == "diffusion":
        return ""
    if mechanism == "vision":
        return "training" if row.run.workload.trains else "inference"
    return row.subject.kind if row.subject else "dense"


def judged(rows: Sequence[Speed]) -> tuple[float, float, float]:
    """Return median error in percent, share inside the range, and mean width."""
    errors, inside, widths = [], [], []
    for row in rows:
        measured, range_ = row.ratio()
        errors.append(100 * abs(1 / measured - 1))
        inside.append(range_.low <= measured <= range_.high)
        widths.append(range_.high - range_.low)
    return median(errors), fmean(inside), fmean(widths)


def lines(rows: Sequence[Speed], only: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield a line for each mechanism; the constants learnt from all rows stay in force."""
    for mechanism in MECHANISMS:
        mine = [row for row in rows if row.mechanism == mechanism]
        if not mine or (only and mechanism not in only):
            continue
        parts = halves(mine)
        seen = [(here, *_learnt(mechanism, here, there)) for here, there in (parts, parts[::-1]) if there]
        known = [(len(here), median(100 * abs(1 / r - 1) for r in _flat(fits))) for here, fits, _ in seen]
        unseen = [(_count(other), median(100 * abs(1 / r - 1) for r in _flat(other))) for _, _, other in seen]
        # The spread for one half is learnt from how the other half was missed.
        held = (
            [_held(mechanism, seen[1 - i][2], seen[i][2]) for i in range(len(seen))] if len(seen) == 2 else []
        )
        fit(mechanism, mine, ignorant=False)
        fit_spread(mechanism, together(ratios(mechanism, mine), *(other for _, _, other in seen)))
        whole = judged(mine)
        rules = [abs(said - 1) * 100 for row in mine if (said := row.rule()) is not None]
        yield (
            mechanism,
            str(len(mine)),
            str(len({row.source for row in mine})),
            f"{_mean(known):.1f} %" if known else "-",
            f"{_mean(unseen):.1f} %" if unseen else "-",
            f"{100 * fmean(held):.0f} %" if held else "-",
            f"{whole[0]:.1f} %, {100 * whole[1]:.0f} % held",
            f"{whole[2]:.2f}",
            NAMES[mechanism],
            f"{median(rules):.0f} %" if rules else "-",
        )


def _learnt(mechanism: str, here: Sequence[Speed], there: Sequence[Speed]) -> tuple[Ratios, Ratios]:
    """Return how constants that are learnt from some rows meet these rows and others."""
    with restored():
        fit(mechanism, here, ignorant=True)
        return ratios(mechanism, here), ratios(mechanism, there)


def _held(mechanism: str, learnt: Ratios, met: Ratios) -> float:
    """Return the share of ratios that a spread holds which is learnt from others."""
    with restored():
        fit_spread(mechanism, learnt)
        spread = value(SPREADS[mechanism])
        inside = []
        for kind, values in met.items():
            one = spread[kind or "spread"]
            inside += [one["low"] <= r <= one["high"] for r in values]
    return fmean(inside)


def _flat(found: Ratios) -> list[float]:
    return [r for values in found.values() for r in values]


def _count(found: Ratios) -> int:
    return len(_flat(found))


def _mean(parts: Sequence[tuple[int, float]]) -> float:
    return sum(count * figure for count, figure in parts) / sum(count for count, _ in parts)


def main() -> int:
    """Print how well the constants do on sources that they were not learnt from; write new ones when asked."""
    reader = argparse.ArgumentParser(description="Learn the constants of speed from measured runs.")
    reader.add_argument(
        "files", nargs="*", type=Path, help="measured-runs/1; default: the project's own copy"
    )
    reader.add_argument("--write", action="store_true", help="change the numbers in catalogs/speed.yaml")
    reader.add_argument("--only", action="append", default=[], help="a mechanism, e.g. decode")
    given = reader.parse_args()
    try:
        rows = speeds(given.files or [EVIDENCE / "speed.yaml"])
    except BadInput as problem:
        print(say_in("en")(problem.text), file=sys.stderr)
        return 2
    print("\n".join(table(COLUMNS, list(lines(rows, given.only)))))
    changed = dict(_numbers(given.only))
    if given.write:
        write(changed)
    else:
        print("\nconstants learnt from all rows:")
        print("\n".join(f"  {'.'.join(where)}: {float(number):.3g}" for where, number in changed.items()))
    return 0


def _numbers(only: Sequence[str]) -> Iterator[tuple[Where, float]]:
    for mechanism, wheres in MECHANISMS.items():
        if only and mechanism not in only:
            continue
        for where, _ in wheres:
            yield from ((place, value(place)) for place in places(where))
        spread = value(SPREADS[mechanism])
        kinds = {"spread": spread["spread"]} if mechanism == "diffusion" else spread
        for kind, range_ in kinds.items():
            yield from (((*SPREADS[mechanism], kind, end), range_[end]) for end in ("low", "high"))


if __name__ == "__main__":
    sys.exit(main())
