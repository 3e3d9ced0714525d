"""The catalogue as one object: models, parts and frameworks by id or alias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from configurator.catalog.boards import Board, Platform
from configurator.catalog.framework import Framework, load_frameworks
from configurator.catalog.loading import read_parts
from configurator.catalog.models import ModelShelf, load_models
from configurator.catalog.names import index, resolve
from configurator.catalog.part import CatalogPart
from configurator.catalog.parts import CaseModel, Cooler, Cpu, DriveModel, Gpu, Psu, RamKit, System, Ups
from configurator.domain.architecture import Architecture
from configurator.domain.errors import unknown_id
from configurator.domain.workload import ModelFile

P = TypeVar("P", bound=CatalogPart)

VERSION = "2026-11"
"""Month of the facts; stands on every quote sheet."""


class Parts(dict[str, P]):
    """Parts of one kind by id, found by any of their names too."""

    def __init__(self, kind: str, parts: Mapping[str, P]) -> None:
        super().__init__(parts)
        self._kind = kind
        self._names = index(parts)

    def named(self, name: str) -> P | None:
        """Return a part by id or alias, if there is one."""
        return self.get(name) or self.get(resolve(name, self._names) or "")

    def find(self, name: str) -> P:
        """Return a part by id or alias. Raises BadInput that names the nearest id."""
        found = self.named(name)
        if found is None:
            raise unknown_id(self._kind, name, self)
        return found


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
    frameworks: Mapping[str, Framework]
    models: ModelShelf

    def architecture(self, model: str | ModelFile) -> Architecture:
        """Return the layers of a model. Raises BadInput."""
        return self.models.architecture(model)


@lru_cache(maxsize=8)
def load_catalog(models: tuple[Path, ...] = ()) -> Catalog:
    """Read the catalogue, with folders of `<org>--<name>.json` beside its own models."""
    return Catalog(
        gpus=Parts("GPU", read_parts("gpus", Gpu)),
        systems=Parts("system", read_parts("systems", System)),
        cpus=Parts("CPU", read_parts("cpus", Cpu)),
        platforms=Parts("platform", read_parts("platforms", Platform)),
        boards=Parts("board", read_parts("boards", Board)),
        ram=Parts("RAM kit", read_parts("ram", RamKit)),
        psus=Parts("power supply", read_parts("psus", Psu)),
        cases=Parts("case", read_parts("cases", CaseModel)),
        coolers=Parts("cooler", read_parts("coolers", Cooler)),
        drives=Parts("drive", read_parts("drives", DriveModel)),
        ups=Parts("UPS", read_parts("ups", Ups)),
        frameworks=load_frameworks(),
        models=load_models(models),
    )
