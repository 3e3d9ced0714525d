"""The largest context, batch and number of requests that still fit, one varied at a time."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from configurator.advice.steps import Steps
from configurator.catalog.catalog import Catalog
from configurator.catalog.framework import resolve_framework
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.ledger import Limits
from configurator.domain.workload import Workload
from configurator.memory.engine import predict
from configurator.memory.prediction import Prediction
from configurator.memory.views import Views

_MOST = {"context": 2**20, "batch": 2**16, "concurrency": 2**16}
"""Where the search ends; for the context where a model does not say how long its texts may be."""
_STRIDE = 4
"""Factor by which the search goes up while everything fits."""


def limits(case: Case, full: Workload, catalog: Catalog) -> Steps[Limits]:
    """Return the limits of a case; `full` is its workload without open questions. Raises BadInput.

    The plan, where the case has none, is proposed anew for every value tried.
    """
    found: dict[str, int | None] = {}
    for field in _questions(full):
        own = catalog.architecture(case.workload.model).max_context if field == "context" else None
        bound = own or _MOST[field]

        def room_at(value: int, field: str = field) -> float:
            workload = case.workload.model_copy(update={field: value})
            try:
                return room(predict(case.model_copy(update={"workload": workload}), catalog))
            except BadInput:
                return -inf

        most = yield from largest(room_at, getattr(full, field) or 1, bound)
        # What fits without end is limited by something else than memory.
        found[f"max_{field}"] = None if most == bound != own else most
    return Limits(**found)


def _questions(full: Workload) -> tuple[str, ...]:
    profile = resolve_framework(full.framework) if full.framework else None
    if profile is not None and profile.models == "images":
        return ("batch",)
    if full.trains:
        return ("context", "batch")
    # A server makes its batches itself, from the requests that are there.
    return ("context", "concurrency") if full.task == "serving" else ("context", "batch", "concurrency")


def room(prediction: Prediction) -> float:
    """Return the bytes that stay free in the worst case on the fullest device; below zero: does not fit.

    Where a server fills a pool, the stated load has to find room in the pool too.
    """
    free = (device.usable - device.total.high for device in prediction.estimate.devices)
    return min(*free, *map(_room_in_pool, prediction.devices))


def _room_in_pool(view: Views) -> float:
    if view.pool_kv is None:
        return inf
    return view.pool_kv.low - view.kv_cache.high - view.recurrent_state.high


def largest(room_at: Callable[[int], float], stated: int, bound: int) -> Steps[int | None]:
    """Return the largest whole number from 1 to `bound` that leaves room; None where 1 does not.

    The room shrinks as the number grows, nearly in a
    straight line, so the search follows the line and halves the interval where the line misleads.
    """
    low, high = 1, min(stated, bound)
    free = room_at(low)
    if free < 0:
        return None
    while (lack := room_at(high)) >= 0:
        yield
        if high == bound:
            return bound
        low, free, high = high, lack, min(high * _STRIDE, bound)
    halve = False
    while high - low > 1:
        yield
        width = high - low
        along = 0.5 if halve or lack == -inf else free / (free - lack)
        guess = min(max(low + int(along * width), low + 1), high - 1)
        left = room_at(guess)
        if left >= 0:
            low, free = guess, left
        else:
            high, lack = guess, left
        halve = high - low > width / 2
    return low
