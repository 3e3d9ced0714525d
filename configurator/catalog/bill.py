"""What a machine is made of, item by item, with the workshop's price where it has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configurator.catalog.catalog import Catalog, P, Parts
from configurator.catalog.part import CatalogPart
from configurator.catalog.prices import Price
from configurator.domain.machine import CaseFacts, Drive, Gpus, Machine, Part, PsuFacts
from configurator.domain.message import Message, message
from configurator.domain.units import GIB


@dataclass(frozen=True, slots=True)
class Item:
    """One item. `key` is its place in the machine: `gpus.0`, `cpu`, `ram`, `drives.1`."""

    key: str
    text: Message
    count: int
    owned: bool
    part: str | None = None
    """Its id; None: known by its facts alone."""
    price: Price | None = None


def bill(machine: Machine, catalog: Catalog) -> tuple[Item, ...]:
    """Return all items of a machine, also those that the customer owns. Raises BadInput for unknown ids."""
    found = [*_devices(machine, catalog), *_around(machine, catalog), *_drives(machine, catalog)]
    return tuple(found)


def _devices(machine: Machine, catalog: Catalog) -> Iterator[Item]:
    if machine.system:
        system = catalog.systems.find(machine.system)
        yield _part("system", message("{text}", text=system.name), system, machine.nodes, False, catalog)
    for place, kind in enumerate(machine.gpus):
        yield _card(f"gpus.{place}", kind, machine.nodes, catalog)


def _card(key: str, kind: Gpus, nodes: int, catalog: Catalog) -> Item:
    count = kind.count * nodes
    if not isinstance(kind.gpu, str):
        text = message("Graphics card {name}, {size} GB", name=kind.gpu.name, size=kind.gpu.vram_gib)
        return Item(key, text, count, kind.owned)
    gpu = catalog.gpus.find(kind.gpu)
    size = round(gpu.capacity / GIB)
    return _part(
        key,
        message("Graphics card {name}, {size} GB", name=gpu.name, size=size),
        gpu,
        count,
        kind.owned,
        catalog,
    )


def _around(machine: Machine, catalog: Catalog) -> Iterator[Item]:
    """Processor, board, cooler, memory, supply, case, battery."""
    nodes = machine.nodes
    yield from _named("cpu", message("Processor {name}"), machine.cpu, catalog.cpus, nodes, catalog)
    yield from _named("board", message("Mainboard {name}"), machine.board, catalog.boards, nodes, catalog)
    yield from _named("cooler", message("Cooler {name}"), machine.cooler, catalog.coolers, nodes, catalog)
    if machine.ram_gb:
        yield Item("ram", message("RAM, {size} GB", size=machine.ram_gb), nodes, machine.ram_owned)
    if isinstance(machine.psu, PsuFacts):
        text = message("Power supply {power:w}", power=machine.psu.watts)
        yield Item("psu", text, nodes, machine.psu.owned)
    else:
        yield from _named("psu", message("Power supply {name}"), machine.psu, catalog.psus, nodes, catalog)
    if isinstance(machine.case, CaseFacts):
        yield Item("case", message("Case"), nodes, machine.case.owned)
    else:
        yield from _named("case", message("Case {name}"), machine.case, catalog.cases, nodes, catalog)
    yield from _named("ups", message("UPS {name}"), machine.ups, catalog.ups, nodes, catalog)


def _named(
    key: str, text: Message, chosen: str | Part | None, shelf: Parts[P], count: int, catalog: Catalog
) -> Iterator[Item]:
    if chosen is not None:
        id_, owned = (chosen, False) if isinstance(chosen, str) else (chosen.id, chosen.owned)
        part = shelf.find(id_)
        yield _part(key, Message(text.template, {"name": part.name}), part, count, owned, catalog)


def _drives(machine: Machine, catalog: Catalog) -> Iterator[Item]:
    for place, drive in enumerate(machine.drives):
        if drive.use != "network":
            yield _drive(f"drives.{place}", drive, machine.nodes, catalog)


def _drive(key: str, drive: Drive, count: int, catalog: Catalog) -> Item:
    if drive.drive is None:
        kind = drive.interface.partition("-")[0].upper().replace("NVME", "NVMe")
        text = message("{kind} drive, {size} TB", kind=kind, size=drive.capacity_tb)
        return Item(key, text, count, drive.owned)
    part = catalog.drives.find(drive.drive)
    return _part(key, message("Drive {name}", name=part.name), part, count, drive.owned, catalog)


def _part(key: str, text: Message, part: CatalogPart, count: int, owned: bool, catalog: Catalog) -> Item:
    return Item(key, text, count, owned, part.id, catalog.prices.get(part.id))
