"""Which predicted figure belongs to which measured key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.catalog.framework import resolve_framework
from configurator.domain.ranges import Bytes, exact
from configurator.domain.run import MeasuredRun
from configurator.domain.units import GIB, MIB
from configurator.domain.workload import Lora
from configurator.evidence.speeds import KEYS as SPEEDS
from configurator.memory.adapters import lora_parameters
from configurator.memory.prediction import Prediction
from configurator.memory.views import Views

_UNLIMITED = 2**49
_SURELY_MORE = 1.1
"""Above a card's memory by more than decimal and binary units differ."""
_UNITS = {
    "weights_gib": GIB,
    "kv_cache_gib": GIB,
    "kv_cache_bytes": 1,
    "kv_cache_tokens": 1,
    "activation_gib": GIB,
    "recurrent_state_mib": MIB,
    "compute_buffer_mib": MIB,
    "total_gib": GIB,
}
"""Measured keys of one device and the unit that they are written in."""
_PER_GPU = {"weights_mib": "weights", "kv_mib": "kv_cache", "compute_mib": "workspace"}
"""Measured keys of each device where they differ, and the view that predicts them."""
_SPLIT = "CUDA_Split"
"""Name under which llama.cpp logs the matrices that its row split spreads over all cards."""
Pair = tuple[str, float, Bytes]
"""Quantity, measured value, prediction; sizes in bytes."""


def pairs(run: MeasuredRun, prediction: Prediction, catalog: Catalog) -> Iterator[Pair]:
    """Yield every measured quantity of a run with its prediction."""
    measured = run.measured
    if (value := _number(measured.get("parameters"))) is not None:
        yield "parameters", value, exact(prediction.parameters)
    for targets, ranks in (measured.get("lora_parameters") or {}).items():
        model = catalog.architecture(run.workload.model)
        for rank, count in ranks.items():
            trained = lora_parameters(model, Lora(rank=int(rank), targets=targets))
            yield f"lora_parameters {targets} r{rank}", float(count), exact(trained)
    kind = _instrument(run, prediction)
    capacity = prediction.estimate.devices[0].capacity
    rank = run.workload.options.get("rank")
    peak = max(prediction.devices, key=lambda view: view.total.likely)
    if isinstance(rank, int) and rank < len(prediction.devices):
        peak = prediction.devices[rank]
    for key, unit in _UNITS.items():
        value = _number(measured.get(key))
        predicted = _view(key, peak, kind)
        if value is None or predicted is None:
            continue
        cache = key.startswith("kv_cache")
        if cache and capacity > _UNLIMITED and peak.pool_kv is not None:
            # A pool follows from the card's memory, which this source does not state.
            continue
        # A total above a card's own memory can only be the sum over the cards that the source printed; scripts
        # around one process of Transformers sum over the cards that its device map uses.
        above = value * unit > _SURELY_MORE * capacity
        summed = key == "total_gib" and (above or _one_process(run))
        if cache and _is_llama(run):
            predicted = _printed_cache(run, prediction)
        elif summed:
            predicted = _together(_view(key, view, kind) for view in prediction.devices)
        yield key, value * unit, predicted
    yield from _per_gpu(measured, prediction)


def _view(key: str, view: Views, kind: str) -> Bytes | None:
    """Return the figure that an instrument would have read."""
    match key:
        case "weights_gib":
            return view.weights
        case "kv_cache_gib" | "kv_cache_bytes":
            if view.pool_kv is not None:
                return view.pool_kv
            return _together((view.kv_cache, view.recurrent_state))
        case "kv_cache_tokens":
            return view.pool_tokens
        case "activation_gib":
            return view.activations
        case "recurrent_state_mib":
            return view.recurrent_state
        case "compute_buffer_mib":
            return view.workspace
    return {
        "torch_max_allocated": view.allocated,
        "torch_max_active": view.allocated,
        "torch_max_reserved": view.reserved,
        "mlx_peak": view.allocated,
        "decode": view.decode,
        # The engine's own buffers, or all that the system shows.
        "system": Bytes(low=view.allocated.low, likely=view.allocated.likely, high=view.total.high),
    }.get(kind, view.total)


def _instrument(run: MeasuredRun, prediction: Prediction) -> str:
    """Return the instrument behind a total. A log shows what the framework's trainer prints, a server's view of
    the card, a runtime's count of its tensors without the driver, or what Transformers holds while it generates.
    """
    kind = str(run.measured.get("total_kind"))
    profile = resolve_framework(run.workload.framework or "")
    if kind != "log" or profile is None or prediction.devices[0].pool_kv is not None:
        return kind
    if profile.models == "images":
        return "system"
    if run.workload.trains:
        return {"allocated": "torch_max_allocated", "reserved": "torch_max_reserved"}.get(profile.log, kind)
    return {"prefill": "decode", "llama.cpp": "system"}.get(profile.workspace, "torch_max_allocated")


def _one_process(run: MeasuredRun) -> bool:
    mapped = run.plan is not None and run.plan.pp > 1
    return mapped and not run.workload.trains and _mechanism(run) in ("prefill", "eager")


def _mechanism(run: MeasuredRun) -> str | None:
    profile = resolve_framework(run.workload.framework or "")
    return profile.workspace if profile else None


def _is_llama(run: MeasuredRun) -> bool:
    return _mechanism(run) == "llama.cpp"


def _printed_cache(run: MeasuredRun, prediction: Prediction) -> Bytes:
    """Return the cache as the llama.cpp family prints it: attention only, all devices in one line.

    Beside lines of each device that one line counts the host's layers too.
    """
    cards = _together(view.kv_cache for view in prediction.devices)
    return _together((cards, exact(prediction.host_cache))) if run.measured.get("per_gpu") else cards


def _together(views: Iterable[Bytes | None]) -> Bytes:
    sizes = [view for view in views if view is not None]
    return Bytes(
        low=sum(size.low for size in sizes),
        likely=sum(size.likely for size in sizes),
        high=sum(size.high for size in sizes),
    )


def _per_gpu(measured: dict[str, Any], prediction: Prediction) -> Iterator[Pair]:
    for number, key, value in _of_gpus(measured):
        if _is_split(measured, number):
            yield f"gpu{number} {key}", value * MIB, _together(view.weights for view in prediction.devices)
        elif number < len(prediction.devices):
            view = prediction.devices[number]
            yield f"gpu{number} {key}", value * MIB, getattr(view, _PER_GPU[key])


def _of_gpus(measured: dict[str, Any]) -> Iterator[tuple[int, str, float]]:
    """Yield number, key and value of what is stated for each device.

    Under a row split the weights in the cards' own lines are left out: these hold only the norms.
    """
    rows = measured.get("per_gpu") or ()
    split = any(_is_split(measured, number) for number in range(len(rows)))
    for number, row in enumerate(rows):
        for key in _PER_GPU:
            own = key == "weights_mib" and split and not _is_split(measured, number)
            if (value := _number(row.get(key))) is not None and not own:
                yield number, key, value


def _is_split(measured: dict[str, Any], number: int) -> bool:
    return bool(measured["per_gpu"][number].get("gpu") == _SPLIT)


def stated(measured: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the quantities that a source states, whether or not they can be predicted."""
    yield from (key for key in ("parameters", *_UNITS, *SPEEDS) if _number(measured.get(key)) is not None)
    for targets, ranks in (measured.get("lora_parameters") or {}).items():
        yield from (f"lora_parameters {targets} r{rank}" for rank in ranks)
    yield from (f"gpu{number} {key}" for number, key, _ in _of_gpus(measured))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
