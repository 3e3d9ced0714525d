"""Which predicted figure belongs to which measured key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.domain.ranges import Bytes, exact
from configurator.domain.run import MeasuredRun
from configurator.domain.units import GIB, MIB
from configurator.domain.workload import Lora
from configurator.memory.adapters import lora_parameters
from configurator.memory.engine import Prediction
from configurator.memory.views import Views

Pair = tuple[str, float, Bytes]
"""Quantity, measured value, prediction; sizes in bytes."""


def pairs(run: MeasuredRun, prediction: Prediction, catalog: Catalog) -> Iterator[Pair]:
    """Yield every measured quantity of a run with its prediction."""
    measured = run.measured
    if (value := _number(measured.get("parameters"))) is not None:
        yield "parameters", value, exact(prediction.parameters)
    model = catalog.architecture(run.workload.model)
    for targets, ranks in (measured.get("lora_parameters") or {}).items():
        for rank, count in ranks.items():
            trained = lora_parameters(model, Lora(rank=int(rank), targets=targets))
            yield f"lora_parameters {targets} r{rank}", float(count), exact(trained)
    peak = max(prediction.devices, key=lambda view: view.total.likely)
    for key, unit in (
        ("weights_gib", GIB),
        ("kv_cache_gib", GIB),
        ("kv_cache_bytes", 1),
        ("kv_cache_tokens", 1),
        ("activation_gib", GIB),
        ("recurrent_state_mib", MIB),
        ("compute_buffer_mib", MIB),
        ("total_gib", GIB),
    ):
        value = _number(measured.get(key))
        predicted = _view(key, peak, str(measured.get("total_kind")))
        if value is not None and predicted is not None:
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
            sizes = (view.kv_cache, view.recurrent_state)
            return Bytes(
                **{side: sum(getattr(size, side) for size in sizes) for side in ("low", "likely", "high")}
            )
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
    }.get(kind, view.total)


def _per_gpu(measured: dict[str, Any], prediction: Prediction) -> Iterator[Pair]:
    for number, (row, view) in enumerate(
        zip(measured.get("per_gpu") or (), prediction.devices, strict=False)
    ):
        for key, predicted in (
            ("weights_mib", view.weights),
            ("kv_mib", view.kv_cache),
            ("compute_mib", view.workspace),
        ):
            value = _number(row.get(key))
            if value is not None:
                yield f"gpu{number} {key}", value * MIB, predicted


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
