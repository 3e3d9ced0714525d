"""Predicted against measured, run by run. The prediction never sees `measured`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from configurator.catalog.catalog import Catalog, load_catalog
from configurator.catalog.framework import resolve_framework
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.machine import GpuFacts, Gpus
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, Range
from configurator.domain.run import MeasuredRun, RunsFile, ScoredQuantity, Validation
from configurator.evidence.quantities import pairs
from configurator.evidence.speeds import refused, speed_pairs
from configurator.evidence.summary import summary
from configurator.memory.engine import predict
from configurator.memory.prediction import Prediction
from configurator.reading.files import read_word
from configurator.reading.problems import first_problem
from configurator.texts import Say


def validate(paths: Sequence[Path], models: tuple[Path, ...], say: Say) -> Validation:
    """Return predicted against measured for all runs of the files.

    A folder `model_configs` beside a file or beside its folder adds its models. Raises BadInput only for
    a file that is none; a run that cannot be computed is listed with the reason.
    """
    rows = [(path.stem, row) for path in paths for _, found in scored(path, models, say) for row in found]
    return Validation(runs=tuple(row for _, row in rows), summary=tuple(summary(rows)))


def scored(
    path: Path, models: tuple[Path, ...], say: Say
) -> Iterator[tuple[dict[str, Any], tuple[ScoredQuantity, ...]]]:
    """Yield every run of a file as it is written, with its predicted quantities."""
    catalog = catalog_for(path, models)
    for index, content in enumerate(read_word(path, RunsFile).runs):
        yield content, tuple(_rows(content, path, index, catalog, say))


def catalog_for(path: Path, models: tuple[Path, ...]) -> Catalog:
    """Return the catalogue with the models that lie in a folder `model_configs` beside a file of runs."""
    return load_catalog(models + _beside(path))


def _beside(path: Path) -> tuple[Path, ...]:
    folders = (path.parent / "model_configs", path.resolve().parent.parent / "model_configs")
    return tuple(folder for folder in folders if folder.is_dir())


def _rows(
    content: dict[str, Any], path: Path, index: int, catalog: Catalog, say: Say
) -> Iterator[ScoredQuantity]:
    name = str(content.get("id", "?"))
    outcome = str(content.get("outcome", "fits"))

    def skipped(reason: Message) -> ScoredQuantity:
        return ScoredQuantity(id=name, outcome=outcome, skipped=say(reason))

    try:
        run = MeasuredRun.model_validate(content)
    except ValidationError as problem:
        yield skipped(first_problem(problem, path, MeasuredRun, under=("runs", index)))
        return
    prediction, unknown = _predicted(run, catalog)
    found: list[tuple[str, float, Bytes | Range]] = [*speed_pairs(run, prediction, catalog)]
    if prediction:
        found = [*pairs(run, prediction, catalog), *found]
    if unknown and not found:
        yield skipped(unknown)
        return
    verdict = prediction.estimate.verdict if prediction else None
    shown = refused(run, prediction, catalog)
    if run.quality != "reading" and not shown:
        shown = message("shown, not scored: the source's figure is '{quality}'", quality=run.quality)
    for quantity, measured, predicted in found:
        row = _scored(name, quantity, measured, predicted, outcome, verdict)
        yield row if shown is None else row.model_copy(update={"skipped": say(shown)})
    if not found:
        yield ScoredQuantity(id=name, outcome=outcome, verdict=verdict, skipped=say(shown) if shown else None)


def _predicted(run: MeasuredRun, catalog: Catalog) -> tuple[Prediction | None, Message | None]:
    """Return the prediction of a run's memory, or why there is none."""
    try:
        return predict(placed(run, catalog), catalog), None
    except BadInput as problem:
        return None, problem.text


def placed(run: MeasuredRun, catalog: Catalog) -> Case:
    """Return the run as a case; a card that no catalogue knows and whose memory is not stated sets no limit.

    A variant that has a profile of its own (AutoAWQ inside Transformers) is that framework.
    """
    stated = (part for kind in run.machine.gpus for part in _parts(kind, catalog))
    kinds = tuple(
        kind.model_copy(update={"gpu": "any"}) if not _known(kind, catalog) else kind for kind in stated
    )
    needed = run.plan.gpus if run.plan else 1
    if kinds and sum(kind.count for kind in kinds) < needed:
        # Some logs count the kinds of cards, not the cards.
        kinds = (kinds[0].model_copy(update={"count": needed}),)
    machine = run.machine.model_copy(update={"gpus": kinds})
    variant = resolve_framework(run.workload.framework_variant or "")
    workload = run.workload.model_copy(update={"framework": variant.id}) if variant else run.workload
    return run.case.model_copy(update={"machine": machine, "workload": workload})


def _parts(stated: Gpus, catalog: Catalog) -> Iterator[Gpus]:
    """Yield the kinds of cards that a log joins in one name ('RTX 3090 + RTX 5090', three cards).

    What the count leaves over is taken for the kind named first. CUDA numbers the newest architecture first.
    """
    names = stated.gpu.split(" + ") if isinstance(stated.gpu, str) else []
    known = [gpu for name in names if (gpu := catalog.gpus.named(name))]
    if len(names) < 2 or len(known) < len(names) or stated.count < len(names):
        yield stated
        return
    first = known[0]
    for gpu in sorted(known, key=lambda gpu: float(gpu.compute_capability or 0), reverse=True):
        count = stated.count - len(known) + 1 if gpu is first else 1
        yield stated.model_copy(update={"gpu": gpu.id, "count": count})


def _known(kind: Gpus, catalog: Catalog) -> bool:
    if kind.vram_gib is not None or isinstance(kind.gpu, GpuFacts):
        return True
    return catalog.gpus.named(kind.gpu) is not None


def _scored(
    name: str, quantity: str, measured: float, predicted: Bytes | Range, outcome: str, verdict: str | None
) -> ScoredQuantity:
    error = 100 * (predicted.likely - measured) / measured if measured else None
    # A log rounds to the last digit it prints: half a thousandth counts as the same.
    slack = 0.0005 * abs(measured)
    return ScoredQuantity(
        id=name,
        quantity=quantity,
        measured=measured,
        low=predicted.low,
        likely=predicted.likely,
        high=predicted.high,
        inside=predicted.low - slack <= measured <= predicted.high + slack,
        error_percent=error,
        outcome=outcome,
        verdict=verdict,
    )
