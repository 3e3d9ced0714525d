"""What a machine of the project is called where the customer gave it no name. No Qt."""

from __future__ import annotations

from configurator.catalog.catalog import Catalog, Parts
from configurator.catalog.parts import Gpu, System
from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Project


def machine_label(project: Project, place: int, catalog: Catalog) -> str:
    """Return letter and name of a machine: `A · 2 × GeForce RTX 4090`."""
    entry = project.machines[place]
    return f"{letter(place)} · {entry.name or machine_name(entry.machine, catalog)}"


def letter(place: int) -> str:
    """Return A for the first, Z for the 26th, A2 for the next."""
    round_, rest = divmod(place, 26)
    return chr(ord("A") + rest) + (str(round_ + 1) if round_ else "")


def machine_name(machine: Machine, catalog: Catalog) -> str:
    """Return the graphics cards with their numbers, or the system."""
    if machine.system:
        return _known(machine.system, catalog.systems)
    return ", ".join(_cards(kind, catalog) for kind in machine.gpus)


def _cards(kind: Gpus, catalog: Catalog) -> str:
    name = _known(kind.gpu, catalog.gpus) if isinstance(kind.gpu, str) else kind.gpu.name
    return f"{kind.count} × {name}" if kind.count > 1 else name


def _known(name: str, shelf: Parts[Gpu] | Parts[System]) -> str:
    part = shelf.named(name)
    return part.name if part else name
