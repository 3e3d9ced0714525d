"""The map of contexts and batches: what fits, is tight or exceeds, for a hundred values of each.

Memory is a sum of parts that grow with context and batch, and a maximum over moments: nearly everywhere a
straight line in either. The engine is therefore asked at few points, more where two neighbours and the point
between them are not on a line, and the rest is filled in one pass over arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.ledger import Verdict
from configurator.memory.engine import predict
from configurator.memory.prediction import Prediction

if TYPE_CHECKING:
    import numpy as np

_TOLERANCE = 0.004
"""Deviation from a straight line that is filled, as a share of the device's memory or of the need beyond it."""
_FIRST = 2
"""Parts of a range that are asked for before any of it is filled."""


@dataclass(frozen=True, slots=True)
class FitMap:
    """Verdicts by batch (rows) and context (columns), and the fullest device's likely share of its memory."""

    contexts: tuple[int, ...]
    batches: tuple[int, ...]
    share: np.ndarray
    verdicts: np.ndarray
    """Of `str`: fits, tight or exceeds."""
    asked: int
    """How often the engine was asked."""


def fit_map(case: Case, catalog: Catalog, contexts: Sequence[int], batches: Sequence[int]) -> FitMap:
    """Return the map of a case for ascending contexts and batches. Raises BadInput for what cannot be computed."""
    import numpy as np

    asked = 0

    def measured(context: int, batch: int) -> np.ndarray:
        nonlocal asked
        asked += 1
        return np.array(_shares(predict(_changed(case, context, batch), catalog)))

    def column(context: int) -> np.ndarray:
        return _sampled(batches, lambda batch: measured(context, batch))

    values = _sampled(contexts, column)  # contexts x batches x devices x 4
    likely, high, pool_low, pool_high = np.moveaxis(values.max(axis=2), -1, 0)
    exceeds = (likely > 1) | (pool_high > 1)
    verdicts = np.where(exceeds, "exceeds", np.where((high > 1) | (pool_low > 1), "tight", "fits"))
    return FitMap(tuple(contexts), tuple(batches), likely.T, verdicts.T, asked)


def verdict_at(found: FitMap, context: int, batch: int) -> Verdict:
    """Return the verdict of one point of the map."""
    verdict: Verdict = found.verdicts[found.batches.index(batch), found.contexts.index(context)].item()
    return verdict


def _changed(case: Case, context: int, batch: int) -> Case:
    """Return the case with another context and batch; sequences at once are a server's batch."""
    name = "concurrency" if case.workload.task == "serving" else "batch"
    workload = case.workload.model_copy(update={"context": context, name: batch})
    return case.model_copy(update={"workload": workload})


def _shares(prediction: Prediction) -> list[tuple[float, float, float, float]]:
    """Return of every device its likely and high need as shares of its memory, and the load as shares of a pool."""
    rows = []
    for ledger, view in zip(prediction.estimate.devices, prediction.devices, strict=True):
        need = view.kv_cache.likely + view.recurrent_state.likely
        pools = (
            (0.0, 0.0)
            if view.pool_kv is None
            else (need / max(1, view.pool_kv.low), need / max(1, view.pool_kv.high))
        )
        rows.append((ledger.total.likely / ledger.usable, ledger.total.high / ledger.usable, *pools))
    return rows


def _sampled(places: Sequence[int], ask: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return the answers at all places; between two of them a straight line where it holds in the middle."""
    import numpy as np

    known: dict[int, np.ndarray] = {}

    def at(index: int) -> np.ndarray:
        if index not in known:
            known[index] = ask(places[index])
        return known[index]

    def refine(first: int, last: int) -> None:
        ends = at(first), at(last)
        if last - first < 2:
            return
        middle = (first + last) // 2
        part = (places[middle] - places[first]) / (places[last] - places[first])
        guess = ends[0] + part * (ends[1] - ends[0])
        if (np.abs(at(middle) - guess) > _TOLERANCE * np.maximum(1, guess)).any():
            refine(first, middle)
            refine(middle, last)

    if len(places) == 1:
        return ask(places[0])[None]
    knots = sorted({round(k * (len(places) - 1) / _FIRST) for k in range(_FIRST + 1)})
    for first, last in pairwise(knots):
        refine(first, last)
    order = sorted(known)
    stacked = np.stack([known[index] for index in order])
    x, knots_at = np.asarray(places, dtype=float), np.asarray([places[index] for index in order], dtype=float)
    right = np.clip(np.searchsorted(knots_at, x, side="left"), 1, len(order) - 1)
    left = right - 1
    part = ((x - knots_at[left]) / (knots_at[right] - knots_at[left])).reshape(-1, *[1] * (stacked.ndim - 1))
    filled: np.ndarray = stacked[left] + part * (stacked[right] - stacked[left])
    return filled
