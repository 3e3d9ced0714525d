"""How well groups of quantities were predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from statistics import fmean, median

from configurator.domain.run import GroupScore, ScoredQuantity

_RIGHT = {"fits": ("fits", "tight", "spills"), "oom": ("exceeds", "tight")}
"""Verdicts that agree with an outcome; `tight` counts for both."""

Rows = Sequence[tuple[str, ScoredQuantity]]


def summary(rows: Rows) -> Iterator[GroupScore]:
    """Yield one group per file and quantity, and one of answered runs and outcomes per file."""
    for stem in dict.fromkeys(stem for stem, _ in rows):
        mine = [row for name, row in rows if name == stem]
        yield _answered(stem, mine)
        for quantity in dict.fromkeys(_kind(row) for row in mine if row.quantity):
            yield score(
                f"{stem} {quantity}", [row for row in mine if row.quantity and _kind(row) == quantity]
            )


def _kind(row: ScoredQuantity) -> str:
    """Return the kind of quantity: `gpu1 weights_mib` counts with `weights_mib`."""
    words = (row.quantity or "").split()
    return words[-1] if words and words[0].startswith("gpu") else words[0] if words else ""


def _answered(stem: str, rows: Sequence[ScoredQuantity]) -> GroupScore:
    """Score a file: n runs, coverage is the share answered, accuracy that of the outcomes."""
    ids = {row.id for row in rows}
    answered = {row.id: row for row in rows if row.verdict is not None}
    judged = [row for row in answered.values() if row.skipped is None]
    right = [is_right(row) for row in judged]
    return GroupScore(
        group=f"{stem} answered",
        n=len(ids),
        median_abs_error_percent=None,
        p90_abs_error_percent=None,
        coverage=len(answered) / len(ids) if ids else None,
        verdict_accuracy=sum(right) / len(right) if right else None,
    )


def score(name: str, rows: Sequence[ScoredQuantity]) -> GroupScore:
    """Score the rows of one group; rows that are only shown do not count."""
    counted = [row for row in rows if row.skipped is None]
    errors = [abs(row.error_percent) for row in counted if row.error_percent is not None]
    inside = [row.inside for row in counted if row.inside is not None]
    widths = [width for row in counted if (width := _relative_width(row)) is not None]
    return GroupScore(
        group=name,
        n=len(inside),
        median_abs_error_percent=median(errors) if errors else None,
        p90_abs_error_percent=p90(errors) if errors else None,
        coverage=sum(inside) / len(inside) if inside else None,
        mean_relative_width=fmean(widths) if widths else None,
        verdict_accuracy=None,
    )


def p90(errors: Sequence[float]) -> float:
    """Return the smallest error that nine in ten do not exceed."""
    return sorted(errors)[ceil(0.9 * len(errors)) - 1]


def is_right(row: ScoredQuantity) -> bool:
    """Whether a verdict agrees with what happened."""
    return row.verdict in _RIGHT.get(row.outcome or "fits", ())


def _relative_width(row: ScoredQuantity) -> float | None:
    if row.low is None or row.high is None or not row.likely:
        return None
    return (row.high - row.low) / row.likely
