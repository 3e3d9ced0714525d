"""What the checks look at, resolved once: cards, CPU, board, supply, drives, the estimate."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.boards import Board
from configurator.catalog.catalog import Catalog
from configurator.catalog.part import CatalogPart
from configurator.catalog.parts import CaseModel, Cpu, Gpu, Psu, System
from configurator.domain.case import Case
from configurator.domain.finding import Severity
from configurator.domain.ledger import Estimate
from configurator.domain.machine import CaseFacts, GpuFacts, Mains, Part, PsuFacts
from configurator.system.rules import rule


@dataclass(frozen=True, slots=True)
class Card:
    """One card as the checks need it; what the catalogue does not know is None."""

    name: str
    watts: int | None
    connectors_12v2x6: int | None
    connectors_8pin: int | None
    slot_width: float | None
    length_mm: float | None


@dataclass(frozen=True, slots=True)
class Facts:
    """A case and its estimate with every named part looked up."""

    case: Case
    estimate: Estimate
    catalog: Catalog
    cards: tuple[Card, ...]
    system: System | None
    cpu: Cpu | None
    board: Board | None
    psu: Psu | None
    box: CaseModel | None

    @property
    def mains(self) -> Mains:
        """The circuit; 230 V and 16 A where none is named."""
        return self.case.machine.mains or Mains()

    @property
    def card_watts(self) -> int:
        """Sustained power of all cards under the power limit."""
        limit = self.case.machine.power_limit_w
        return sum(min(card.watts, limit) if limit else card.watts for card in self.cards if card.watts)

    @property
    def cpu_watts(self) -> int:
        """Sustained power of the CPU; 150 W where none is named."""
        return (self.cpu.power_w or self.cpu.tdp_w or 150) if self.cpu else 150

    @property
    def supply_connectors_known(self) -> bool:
        """Whether the supply's connectors are stated, of the kinds that the cards need."""
        psu = self.psu
        wide, narrow = (
            any(getattr(card, kind) for card in self.cards)
            for kind in ("connectors_12v2x6", "connectors_8pin")
        )
        return psu is not None and not (
            (wide and psu.connectors_12v2x6 is None) or (narrow and psu.connectors_8pin is None)
        )

    @property
    def sustained_watts(self) -> float:
        """Power that the supply delivers under load."""
        return self.card_watts + self.cpu_watts + rule("power.rest_w")


def gather(case: Case, estimate: Estimate, catalog: Catalog) -> Facts:
    """Look up every part that the case names. Raises BadInput for an unknown id."""
    machine = case.machine
    cpu = catalog.cpus.find(_id(machine.cpu)) if machine.cpu else None
    board = catalog.boards.find(_id(machine.board)) if machine.board else None
    system = catalog.systems.find(machine.system) if machine.system else None
    cards = tuple(card for kind in machine.gpus for card in (_card(kind.gpu, catalog),) * kind.count)
    return Facts(case, estimate, catalog, cards, system, cpu, board, _psu(case, catalog), _box(case, catalog))


def decided(severity: Severity, *parts: CatalogPart | None) -> Severity:
    """Return the severity, an error lowered to a warning where a part's facts are not stated by a source."""
    sure = all(part is None or part.confidence == "stated" for part in parts)
    return severity if sure or severity != "error" else "warn"


def _id(part: str | Part) -> str:
    return part.id if isinstance(part, Part) else part


def _card(gpu: str | GpuFacts, catalog: Catalog) -> Card:
    if isinstance(gpu, GpuFacts):
        return Card(
            gpu.name, gpu.tdp_w, gpu.connectors_12v2x6, gpu.connectors_8pin, gpu.slot_width, gpu.length_mm
        )
    known: Gpu = catalog.gpus.find(gpu)
    return Card(
        known.name,
        known.tdp_w,
        known.connectors_12v2x6,
        known.connectors_8pin,
        known.slot_width,
        known.length_mm,
    )


def _psu(case: Case, catalog: Catalog) -> Psu | None:
    psu = case.machine.psu
    if psu is None:
        return None
    if isinstance(psu, PsuFacts):
        return Psu(
            id="custom",
            name=f"{psu.watts} W",
            source="as stated",
            watts=psu.watts,
            standard=psu.standard,
            connectors_12v2x6=psu.connectors_12v2x6,
            connectors_8pin=psu.connectors_8pin,
        )
    return catalog.psus.find(_id(psu))


def _box(case: Case, catalog: Catalog) -> CaseModel | None:
    box = case.machine.case
    if box is None:
        return None
    if isinstance(box, CaseFacts):
        return CaseModel(
            id="custom",
            name="case",
            source="as stated",
            gpu_length_mm=round(box.gpu_length_mm),
            slots=box.slots,
        )
    return catalog.cases.find(_id(box))
