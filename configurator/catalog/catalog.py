"""The catalogue as one object: models, parts and frameworks by id or alias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

from configurator.catalog.boards import Board, Platform
from configurator.catalog.framework import Framework, load_frameworks
from configurator.catalog.images import ImageShelf, load_images
from configurator.catalog.kinds import KINDS
from configurator.catalog.loading import read_parts, read_price
from configurator.catalog.models import ModelShelf, load_models
from configurator.catalog.names import Index, containing, index, meant
from configurator.catalog.overlay import overlay_files, read_overlay
from configurator.catalog.part import CatalogPart
from configurator.catalog.parts import CaseModel, Cooler, Cpu, DriveModel, Gpu, Psu, RamKit, System, Ups
from configurator.catalog.places import overlay_folder
from configurator.catalog.prices import Price, asked, latest
from configurator.domain.architecture import Architecture
from configurator.domain.errors import ambiguous_id, unknown_id
from configurator.domain.workload import ModelFile
from configurator.reading.workshop import load_workshop

P = TypeVar("P", bound=CatalogPart)

VERSION = "2026-11"
"""Month of the facts; stands on every quote sheet."""


class Parts(dict[str, P]):
    """Parts of one kind by id, found by any of their names too."""

    def __init__(self, kind: str, parts: Mapping[str, P]) -> None:
        super().__init__(parts)
        self._kind = kind

    @cached_property
    def _names(self) -> Index:
        return index(self)

    def named(self, name: str) -> P | None:
        """Return the part that a name leads to, if it is one."""
        found = self._meant(name)
        return found[0] if len(found) == 1 else None

    def find(self, name: str) -> P:
        """Return a part by id or alias, of several memory sizes the smallest.

        Raises BadInput that names the nearest id, or the parts that the name may mean.
        """
        found = self._meant(name)
        if not found:
            raise unknown_id(self._kind, name, self)
        if len(found) > 1:
            raise ambiguous_id(self._kind, name, [part.id for part in found])
        return found[0]

    def _meant(self, name: str) -> list[P]:
        if name in self:
            return [self[name]]
        found = [self[one] for one in meant(name, self._names)]
        # The words of a card are its model: '4080' is no '4080 Super'. Elsewhere they only describe.
        if any(isinstance(part, Gpu | System) for part in self.values()):
            return [min(found, key=_memory)] if found else []
        return found or [self[one] for one in containing(name, self)]


def _memory(part: CatalogPart) -> int:
    return part.capacity if isinstance(part, Gpu) else part.memory if isinstance(part, System) else 0


@dataclass(frozen=True, eq=False)
class Catalog:
    """All that the program knows."""

    gpus: Parts[Gpu]
    systems: Parts[System]
    cpus: Parts[Cpu]
    platforms: Parts[Platform]
    boards: Parts[Board]
    ram: Parts[RamKit]
    psus: Parts[Psu]
    cases: Parts[CaseModel]
    coolers: Parts[Cooler]
    drives: Parts[DriveModel]
    ups: Parts[Ups]
    prices: Mapping[str, Price]
    """The workshop's own, by the id of the part."""
    frameworks: Mapping[str, Framework]
    models: ModelShelf

    @property
    def images(self) -> ImageShelf:
        """Networks and pipelines for images, read when they are asked for."""
        return load_images()

    def architecture(self, model: str | ModelFile) -> Architecture:
        """Return the layers of a model. Raises BadInput."""
        return self.models.architecture(model)


def load_catalog(models: tuple[Path, ...] = ()) -> Catalog:
    """Read the catalogue with the workshop's own parts and prices, and folders of `<org>--<name>.json`.

    Raises BadInput for a file of the workshop or a folder that cannot be used.
    """
    files = overlay_files(overlay_folder())
    times = tuple(path.stat().st_mtime_ns for path in files)
    return _load(models, files, times, load_workshop().margin_percent)


@lru_cache(maxsize=8)
def _load(
    models: tuple[Path, ...], files: tuple[Path, ...], _times: tuple[int, ...], margin: Decimal | None
) -> Catalog:
    own = read_overlay(files)
    parts = {name: Parts(word, read_parts(name, kind, own[name])) for name, (word, kind) in KINDS.items()}
    known = [id_ for shelf in parts.values() for id_ in shelf]
    prices = latest(asked(read_price(entry, known), margin) for entry in own["prices"])
    return Catalog(
        **parts,  # type: ignore[arg-type]
        prices=prices,
        frameworks=load_frameworks(),
        models=load_models(models),
    )
