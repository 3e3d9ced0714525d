"""What software wants of a card, from `catalogs/software.yaml`, and versions compared."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from configurator.catalog.loading import read_table
from configurator.catalog.parts import Gpu
from configurator.domain.base import Several, Word

Version = tuple[int, ...]


class Architecture(Word):
    """Cards from one compute capability on, and the first versions with kernels for them."""

    capability: float
    name: str
    cuda: str
    torch: str
    driver: str | None = None
    last_cuda: str | None = None
    source: str


class Precision(Word):
    """Compute capability that calculates in a format, and the one that at least loads it."""

    computes: float
    stored: float
    source: str


class Engine(Word):
    """What one framework runs on and reads."""

    vendors: Several[str]
    families: Several[str]
    not_on_amd: Several[str] = ()
    not_on_apple: Several[str] = ()
    capability: float = 0.0
    """Lowest compute capability of its NVIDIA kernels."""
    blackwell: str | None = None
    """First version for Blackwell where a source states it."""
    divides_heads: bool = False
    """Tensor parallelism wants whole heads on each card."""
    refuses_bf16: bool = False
    """Refuses to start in bf16 where the card has none, instead of running slowly."""
    splits_unevenly: bool = False
    """Deals layers out to unequal cards by their memory."""
    offloads: Several[str] = ()
    """Kinds of offload that it knows."""
    shards: Several[str] = ()
    """Families whose weights full sharding divides."""
    source: str


@lru_cache
def engine(name: str) -> Engine | None:
    """Return what is known of a framework; None: nothing."""
    row = _table()["engines"].get(name)
    return None if row is None else Engine.model_validate(row)


@lru_cache
def architecture(capability: float) -> Architecture | None:
    """Return the architecture of a compute capability; None: older than all that is known."""
    rows = (Architecture.model_validate(row) for row in _table()["architectures"])
    return next((row for row in rows if capability >= row.capability), None)


@lru_cache
def precision(name: str) -> Precision | None:
    """Return what a number format wants of a card; None: every card has it."""
    row = _table()["precisions"].get(name)
    return None if row is None else Precision.model_validate(row)


@lru_cache
def family(weights: str) -> str:
    """Return the family of a weight format: plain, bnb4, awq, gguf ...; a format of nobody is plain."""
    name = weights.lower()
    rows = _table()["families"]
    return next((str(row["family"]) for row in rows if re.fullmatch(row["pattern"], name)), "plain")


def fact(name: str) -> Any:
    """Return a single fact of the table by its key."""
    return _table()[name]


def capability(card: Gpu) -> float | None:
    """Return the compute capability of an NVIDIA card as a number; None: another vendor or not known."""
    text = card.compute_capability or ""
    return float(text) if re.fullmatch(r"\d+\.\d+", text) else None


def version(text: object) -> Version | None:
    """Return the numbers of a version: '2.6.0+cu124' -> (2, 6, 0); None where there is none."""
    found = re.search(r"\d+(?:\.\d+)*", str(text or ""))
    return tuple(int(number) for number in found[0].split(".")) if found else None


def older(stated: object, wanted: str) -> bool:
    """Whether a stated version lies before the wanted one; a version that is not stated does not."""
    found, least = version(stated), version(wanted)
    if found is None or least is None:
        return False
    width = min(len(found), len(least))
    # '2026.10' states a year: release numbers of that kind are newer than every 0.x or 12.x.
    return found[:width] < least[:width]


def _table() -> dict[str, Any]:
    return read_table("software")
