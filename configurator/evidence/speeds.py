"""Measured speeds and their predictions. A run that its own numbers make impossible is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from configurator.catalog.catalog import Catalog
from configurator.domain.message import Message
from configurator.domain.ranges import Range
from configurator.domain.run import MeasuredRun
from configurator.domain.units import GIB
from configurator.memory.prediction import Prediction
from configurator.speed.engine import speeds_of
from configurator.speed.images import image_speeds
from configurator.speed.possible import impossible, impossible_images
from configurator.speed.power import under_limit, wall_power
from configurator.speed.subject import Subject, subject

KEYS = (
    "decode_tokens_s",
    "prefill_tokens_s",
    "train_tokens_s",
    "images_s",
    "step_s",
    "hours",
    "wall_power_w",
)
"""Measured keys that say how fast something ran, and what it drew."""


def subject_of(run: MeasuredRun, prediction: Prediction, catalog: Catalog) -> Subject | None:
    """Return what a run's speeds are computed from: its case, the size of its files, the depth it states."""
    found = subject(run.case, prediction, catalog)
    if found is None:
        return None
    size, depth = run.workload.file_gib, run.workload.decode_depth
    lengths = {key: float(run.workload.options.get(key, 0)) for key in ("input", "output")}
    if all(lengths.values()):
        # Benchmarks of servers state the lengths of their requests among their own options.
        found = replace(
            found,
            prompt=lengths["input"],
            answer=lengths["output"],
            depth=lengths["input"] + lengths["output"] / 2,
        )
    return replace(
        found,
        file_bytes=size * GIB if size else None,
        depth=found.depth if depth is None else depth,
    )


def speed_pairs(
    run: MeasuredRun, prediction: Prediction | None, catalog: Catalog
) -> Iterator[tuple[str, float, Range]]:
    """Yield every measured speed with its prediction; without a prediction of memory those of images."""
    predicted: dict[str, Range] = {}
    if not catalog.models.knows(run.workload.model):
        workload = prediction.workload if prediction else run.workload
        predicted = image_speeds(run.case, workload, catalog)
    elif prediction and (found := subject_of(run, prediction, catalog)):
        predicted = speeds_of(found)
    predicted = under_limit(predicted, run.machine, catalog)
    watts = wall_power(run.machine, prediction.workload, catalog) if prediction else None
    if watts:
        predicted["wall_power_w"] = watts
    for key in KEYS:
        value = run.measured.get(key)
        if key in predicted and isinstance(value, int | float):
            yield key, float(value), predicted[key]


def refused(run: MeasuredRun, prediction: Prediction | None, catalog: Catalog) -> Message | None:
    """Return why physics refuses a run's speeds, if it does."""
    stated = {key: float(run.measured[key]) for key in KEYS if isinstance(run.measured.get(key), int | float)}
    if not catalog.models.knows(run.workload.model):
        reasons = (impossible_images(run.case, key, value, catalog) for key, value in stated.items())
        return next(filter(None, reasons), None)
    found = subject_of(run, prediction, catalog) if prediction else None
    if found is None:
        return None
    return next(filter(None, (impossible(found, key, value) for key, value in stated.items())), None)
