"""Measured runs of the same kind: the same model in the same format on the same chips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import CATALOGS
from configurator.domain.case import Case
from configurator.domain.machine import GpuFacts
from configurator.domain.message import Message, message
from configurator.domain.workload import Workload
from configurator.memory.formats import plain

_SHOWN = ("decode_tokens_s", "train_tokens_s", "images_s")
_AT_MOST = 2
Kind = tuple[str, str, str, int]
"""Model, format, chip and number of chips."""


def measured_beside(case: Case, w: Workload, catalog: Catalog) -> Iterator[Message]:
    """Yield what others measured of the same kind and task, a few at most."""
    kind = _kind(str(w.model), w.weights, _chips(case, catalog), catalog)
    if kind is None:
        return
    rows = [row for row in _by_kind(catalog).get(kind, ()) if row["workload"]["task"] == w.task]
    for row in rows[:_AT_MOST]:
        key = next((key for key in _SHOWN if key in row["measured"]), None)
        if key is None:
            continue
        yield message(
            "measured by others: {value} {what} with {framework}, {batch} at once ({source}, {date})",
            value=row["measured"][key],
            what=message("images/s") if key == "images_s" else message("tokens/s"),
            framework=row["workload"]["framework"],
            batch=row["workload"].get("batch", 1),
            source=row["source"],
            date=str(row["date"]),
        )


def _chips(case: Case, catalog: Catalog) -> tuple[str, int] | None:
    machine = case.machine
    if machine.system:
        return _part(machine.system, catalog), 1
    names = {kind.gpu for kind in machine.gpus if not isinstance(kind.gpu, GpuFacts)}
    return (_part(names.pop(), catalog), machine.gpu_count) if len(names) == 1 else None


def _part(name: str, catalog: Catalog) -> str:
    """Return the chip that a name means: a card, or a system by its graphics, whatever its memory."""
    card = catalog.gpus.named(name)
    if card:
        return card.id
    system = catalog.systems.named(name)
    return f"{system.vendor} {system.bandwidth_gbs} {system.bf16_tflops}" if system else name


def _kind(model: str, weights: str | None, chip: tuple[str, int] | None, catalog: Catalog) -> Kind | None:
    if chip is None:
        return None
    known = catalog.models.id_of(model) or model.lower()
    return known, plain(weights or ""), *chip


@lru_cache(maxsize=2)
def _by_kind(catalog: Catalog) -> Mapping[Kind, list[dict[str, Any]]]:
    found: dict[Kind, list[dict[str, Any]]] = {}
    for row in read_catalog_file(CATALOGS / "evidence" / "speed.yaml")["runs"]:
        if row.get("quality", "reading") != "reading":
            continue
        cards = row["machine"]["gpus"][0]
        chip = (_part(cards["gpu"], catalog), cards.get("count", 1))
        kind = _kind(str(row["workload"]["model"]), row["workload"].get("weights"), chip, catalog)
        if kind:
            found.setdefault(kind, []).append(row)
    return found
