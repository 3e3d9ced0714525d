"""Predicted totals beside those of other estimators, on exactly the rows that each of them answers."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.domain.units import GIB
from configurator.evidence.groups import (
    ACTIVATIONS,
    INFERENCE_TOTALS,
    TRAINING_TOTALS,
    group_of,
)
from configurator.evidence.summary import p90
from configurator.evidence.validate import catalog_for, scored
from configurator.texts import say_in
from peers.question import Guess, Question, question

PEERS = {
    "hf-mem": "hf_mem",
    "vramcalc": "vramcalc",
    "vramscout": "vramscout",
    "ridgepoint": "ridgepoint",
    "llm-analysis": "llm_analysis",
    "ftuneai": "ftuneai",
    "ml-memguard": "ml_memguard",
}
"""Packages of the registry and the module here that asks each."""
COLUMNS = (
    "estimator",
    "rows",
    "answers",
    "ours",
    "median error",
    "p90",
    "ours, same rows",
    "p90, same rows",
    "ours ahead",
)
_GROUPS = (ACTIVATIONS, INFERENCE_TOTALS, TRAINING_TOTALS)
Estimator = Callable[[Question], Guess | None]


@dataclass(frozen=True, slots=True)
class Total:
    """A measured total of one run, our likely value for it, and the run as a question."""

    group: str
    measured: float
    ours: float | None
    asked: Question | None
    whole: bool
    """Whether the instrument saw the driver's context too."""


def compared(files: Sequence[Path], models: tuple[Path, ...]) -> Iterator[tuple[str, ...]]:
    """Yield one row for every estimator and group of totals; one that is not installed says so."""
    rows = [total for file in files for total in totals(file, models)]
    for name, module in PEERS.items():
        try:
            installed = f"{name} {version(name)}"
        except PackageNotFoundError:
            yield (name, "not installed", *[""] * (len(COLUMNS) - 2))
            continue
        estimate: Estimator = import_module(f"peers.{module}").estimate
        for group in _GROUPS:
            mine = [row for row in rows if row.group == group]
            guesses = [asked(estimate, row) for row in mine]
            if any(guess is not None for guess in guesses):
                yield (f"{installed}, {group}", *beside(mine, guesses))


def totals(file: Path, models: tuple[Path, ...]) -> Iterator[Total]:
    """Yield the reliable totals of runtimes without a pool that a file states."""
    catalog = catalog_for(file, models)
    for run, found in scored(file, models, say_in("en")):
        measured = (run.get("measured") or {}).get("total_gib")
        if measured is None or run.get("quality", "reading") != "reading":
            continue
        group = group_of(run, "total_gib")
        if group in _GROUPS:
            ours = next((row.likely for row in found if row.quantity == "total_gib"), None)
            yield Total(group, measured * GIB, ours, _question(run, catalog), _sees_driver(run))


def _question(run: Mapping[str, Any], catalog: Catalog) -> Question | None:
    # None of them knows work that was moved to the host.
    return None if run["workload"].get("offload") not in (None, "none") else question(run, catalog)


def _sees_driver(run: Mapping[str, Any]) -> bool:
    kind = run["measured"].get("total_kind")
    # The log of a runtime without a pool counts its tensors.
    return kind == "nvidia-smi" or (kind == "log" and group_of(run, "total_gib") == TRAINING_TOTALS)


def asked(estimate: Estimator, row: Total) -> float | None:
    """Return what an estimator says the instrument would have read; None where it does not answer."""
    if row.asked is None:
        return None
    silent = io.StringIO()
    with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            guess = estimate(row.asked)
        except Exception:
            # A program of others fails in its own ways; a failure is no answer.
            return None
    if guess is None:
        return None
    return guess.total if row.whole else guess.total - guess.outside


def beside(rows: Sequence[Total], guesses: Sequence[float | None]) -> tuple[str, ...]:
    """Return the cells of one estimator: answered, errors, ours on the same rows, who is ahead in what."""
    theirs = [
        (row, abs(guess - row.measured) / row.measured)
        for row, guess in zip(rows, guesses, strict=True)
        if guess is not None
    ]
    ours = [abs(row.ours - row.measured) / row.measured for row, _ in theirs if row.ours is not None]
    answered = sum(row.ours is not None for row in rows)
    counts = (str(len(rows)), str(len(theirs)), str(answered))
    if not ours:
        return (*counts, "-", "-", "-", "-", "no: answers")
    errors = [error for _, error in theirs]
    behind = [
        name
        for name, behind in (
            ("answers", answered < len(theirs)),
            ("median", median(ours) > median(errors)),
            ("p90", p90(ours) > p90(errors)),
        )
        if behind
    ]
    figures = (median(errors), p90(errors), median(ours), p90(ours))
    said = "no: " + ", ".join(behind) if behind else "yes"
    return (*counts, *(f"{100 * figure:.1f} %" for figure in figures), said)
