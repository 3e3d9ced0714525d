"""How good the figures are: every group of measured quantities against its aim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.domain.machine import Machine
from configurator.domain.run import ScoredQuantity
from configurator.evidence.groups import (
    AIMS,
    OUT_OF_MEMORY,
    OUTCOMES,
    POOL,
    Aim,
    group_of,
    is_exact,
)
from configurator.evidence.quantities import stated
from configurator.evidence.summary import is_right, score
from configurator.evidence.validate import catalog_for, scored
from configurator.memory.devices import devices
from configurator.texts import Say

Runs = Sequence[tuple[Mapping[str, Any], Sequence[ScoredQuantity]]]
"""Runs as they are written, each with its predicted quantities."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How well one group of one file was predicted. Shares of 1, errors in percent."""

    group: str
    n: int
    """Quantities that the sources state and that count."""
    answered: float
    """Share of them that were predicted."""
    median: float | None
    p90: float | None
    holds: float | None
    """Share of the predicted ones inside the range; of outcomes, the share judged rightly."""
    width: float | None

    @property
    def aim(self) -> Aim | None:
        """What the group is meant to reach."""
        return AIMS.get(self.group)

    @property
    def missed(self) -> tuple[str, ...]:
        """Return what falls short of the aim."""
        aim = self.aim
        if aim is None:
            return ()
        if not self.answered:
            return ("answered",)
        short = {
            name: wanted is not None and (figure is None or figure < wanted)
            for name, figure, wanted in (
                ("answered", self.answered, aim.answered),
                ("holds", self.holds, aim.holds),
            )
        }
        over = {
            name: wanted is not None and (figure is None or figure > wanted)
            for name, figure, wanted in (
                ("median", self.median, aim.median),
                ("p90", self.p90, aim.p90),
                ("width", self.width, aim.width),
            )
        }
        return tuple(name for name, missed in (short | over).items() if missed)


def benchmark(path: Path, models: tuple[Path, ...], say: Say) -> tuple[Figures, ...]:
    """Return the figures of every group of a file of measured runs. Raises BadInput for a file that is none."""
    return tuple(figures(tuple(scored(path, models, say)), catalog_for(path, models)))


def figures(runs: Runs, catalog: Catalog) -> Iterator[Figures]:
    """Yield the figures of every group; what a source marks as doubtful is left out."""
    reliable = [(run, rows) for run, rows in runs if run.get("quality", "reading") == "reading"]
    wanted: dict[str, int] = {}
    found: dict[str, list[ScoredQuantity]] = {}
    for run, rows in reliable:
        for quantity in stated(run.get("measured") or {}):
            group = group_of(run, quantity)
            wanted[group] = wanted.get(group, 0) + 1
        for row in rows:
            if row.quantity is not None and row.likely is not None:
                group = group_of(run, row.quantity)
                shown = _of_card(row, run, catalog) if group == POOL else row
                found.setdefault(group, []).append(shown)
    for group, n in wanted.items():
        yield _figures(group, n, found.get(group, []))
    yield from _outcomes([(run, rows) for run, rows in reliable if "outcome" in run and not is_exact(run)])


def _figures(group: str, n: int, rows: Sequence[ScoredQuantity]) -> Figures:
    result = score(group, rows)
    return Figures(
        group=group,
        n=n,
        answered=len(rows) / n,
        median=result.median_abs_error_percent,
        p90=result.p90_abs_error_percent,
        holds=result.coverage,
        width=result.mean_relative_width,
    )


def _of_card(row: ScoredQuantity, run: Mapping[str, Any], catalog: Catalog) -> ScoredQuantity:
    """Return a row with its error in percent of the card's memory: a small pool is a difference of large sizes."""
    capacity = devices(Machine.model_validate(run["machine"]), catalog)[0].capacity
    error = 100 * ((row.likely or 0) - (row.measured or 0)) / capacity
    return row.model_copy(update={"error_percent": error})


def _outcomes(runs: Runs) -> Iterator[Figures]:
    for group, some in (
        (OUTCOMES, runs),
        (OUT_OF_MEMORY, [(run, rows) for run, rows in runs if run["outcome"] == "oom"]),
    ):
        judged = [rows[0] for _, rows in some if rows and rows[0].verdict is not None]
        if some:
            right = sum(map(is_right, judged)) / len(judged) if judged else None
            yield Figures(group, len(some), len(judged) / len(some), None, None, right, None)
