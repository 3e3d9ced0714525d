"""The kinds of parts: what they are called in files and on the command line, and what they are."""

from __future__ import annotations

from configurator.catalog.boards import Board, Platform
from configurator.catalog.part import CatalogPart
from configurator.catalog.parts import CaseModel, Cooler, Cpu, DriveModel, Gpu, Psu, RamKit, System, Ups

KINDS: dict[str, tuple[str, type[CatalogPart]]] = {
    "gpus": ("GPU", Gpu),
    "systems": ("system", System),
    "cpus": ("CPU", Cpu),
    "platforms": ("platform", Platform),
    "boards": ("board", Board),
    "ram": ("RAM kit", RamKit),
    "psus": ("power supply", Psu),
    "cases": ("case", CaseModel),
    "coolers": ("cooler", Cooler),
    "drives": ("drive", DriveModel),
    "ups": ("UPS", Ups),
}
"""Word for messages and class, by the name of file, key, sheet and `catalog list`."""
