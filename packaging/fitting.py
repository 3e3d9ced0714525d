"""What measured runs say about a constant: the value each would have needed, and the range of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np
from profile_constants import Constant, trying
from pydantic import ValidationError

from configurator.catalog.catalog import Catalog
from configurator.domain.errors import BadInput
from configurator.domain.ranges import Bytes, Range
from configurator.domain.run import MeasuredRun, RunsFile
from configurator.evidence.quantities import pairs
from configurator.evidence.validate import catalog_for, placed
from configurator.memory.engine import predict
from configurator.reading.files import read_word

ENOUGH = 5
"""Runs from which on the old range has no say."""
ENOUGH_SOURCES = 2
"""Sources from which on: one that errs in its own way must not decide alone."""
_DOMINANT = 0.5
"""Share of a prediction's squared width from which on a residual is put down to one constant."""
_READ = 0.0005
"""A log rounds to the last digit it prints."""
Predicted = dict[str, tuple[float, Bytes]]
"""Measured value and prediction by quantity."""


@dataclass(frozen=True)
class Evidence:
    """A run that can be computed, with the catalogue that knows its model."""

    run: MeasuredRun
    profile: str
    catalog: Catalog

    def predicted(self) -> Predicted:
        """Return every measured quantity with its prediction."""
        prediction = predict(placed(self.run, self.catalog), self.catalog)
        return {name: (value, size) for name, value, size in pairs(self.run, prediction, self.catalog)}


def evidence(files: Sequence[Path]) -> list[Evidence]:
    """Return the runs that fitted, that their sources do not doubt, and that can be computed."""
    found = []
    for file in files:
        catalog = catalog_for(file, ())
        for content in read_word(file, RunsFile).runs:
            try:
                run = MeasuredRun.model_validate(content)
                prediction = predict(placed(run, catalog), catalog)
            except (BadInput, ValidationError):
                continue
            if run.quality == "reading" and run.outcome == "fits":
                found.append(Evidence(run, prediction.workload.framework or "", catalog))
    return found


def implied(constant: Constant, one: Evidence) -> float | None:
    """Return the value that a constant would have needed to predict a run.

    Only quantities whose range is for the most part the constant's own say something about it: in any other,
    its error would be taken for the errors of others. Predictions are straight lines in a constant nearby.
    """
    old = constant.range
    step = max(old.high - old.likely, 0.01 * old.likely, 1e-6)
    usual = one.predicted()
    with trying(constant, Range(low=old.likely, likely=old.likely, high=old.likely)):
        certain = one.predicted()
    moved_to = old.likely + step
    with trying(constant, Range(low=moved_to, likely=moved_to, high=moved_to)):
        moved = one.predicted()
    values = []
    for name, (measured, size) in usual.items():
        width, rest = size.high - size.low, certain[name][1].high - certain[name][1].low
        slope = (moved[name][1].likely - certain[name][1].likely) / step
        if width and slope > 0 and 1 - (rest / width) ** 2 >= _DOMINANT:
            values.append(old.likely + (measured - size.likely) / slope)
    return fmean(values) if values else None


def fitted(old: Range, values: Sequence[float], sources: int) -> Range:
    """Return the range that holds nine in ten values; the fewer runs or sources, the more the old range stays."""
    if len(values) < 2:
        return old
    weight = min(1.0, len(values) / ENOUGH, sources / ENOUGH_SOURCES)
    ends = zip(np.quantile(values, (0.05, 0.5, 0.95)), (old.low, old.likely, old.high), strict=True)
    low, likely, high = (weight * max(0.0, float(new)) + (1 - weight) * before for new, before in ends)
    return Range(low=low, likely=likely, high=high)


def quality(rows: Sequence[Evidence]) -> tuple[float, float]:
    """Return the median error in percent and the share of values inside their range."""
    errors, inside = [], []
    for one in rows:
        for measured, size in one.predicted().values():
            slack = _READ * measured
            errors.append(100 * abs(size.likely - measured) / measured if measured else 0.0)
            inside.append(size.low - slack <= measured <= size.high + slack)
    return (float(np.median(errors)), fmean(inside)) if errors else (0.0, 1.0)
