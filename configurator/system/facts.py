"""What the checks look at, resolved once: cards, CPU, board, supply, drives, the estimate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from configurator.catalog.boards import Board, Platform
from configurator.catalog.catalog import Catalog
from configurator.catalog.framework import Framework, resolve_framework
from configurator.catalog.part import Sourced
from configurator.catalog.parts import CaseModel, Cooler, Cpu, Gpu, Psu, System, Ups
from configurator.domain.architecture import Architecture
from configurator.domain.case import Case
from configurator.domain.errors import BadInput, NotYet
from configurator.domain.finding import Severity
from configurator.domain.ledger import DeviceLedger, Estimate
from configurator.domain.machine import CaseFacts, GpuFacts, Gpus, Mains, Part, PsuFacts
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload
from configurator.memory.images.subject import image_subject
from configurator.memory.tensors import parameters
from configurator.system.placement import Placement, place, sockets_in_use
from configurator.system.rules import rule


@dataclass(frozen=True)
class Facts:
    """A case and its estimate with every named part looked up."""

    case: Case
    estimate: Estimate
    catalog: Catalog
    cards: tuple[Gpu, ...]
    system: System | None
    cpu: Cpu | None
    board: Board | None
    psu: Psu | None
    box: CaseModel | None
    cooler: Cooler | None = None
    ups: Ups | None = None

    @property
    def workload(self) -> Workload:
        """What is run."""
        return self.case.workload

    @property
    def plan(self) -> Plan:
        """How it is laid over the cards."""
        return self.estimate.plan

    @cached_property
    def model(self) -> Architecture | None:
        """The layers of a language model; None: an image model, or one that is not known by layers."""
        try:
            return self.catalog.architecture(self.workload.model)
        except (BadInput, NotYet):
            return None

    @cached_property
    def parameters(self) -> float:
        """Parameters of the model; 0 where they are not known."""
        if self.model:
            return float(parameters(self.model))
        images = self.framework is not None and self.framework.models == "images"
        subject = image_subject(self.workload, self.catalog.images) if images else None
        return float(subject.network.parameters) if subject else 0.0

    @cached_property
    def framework(self) -> Framework | None:
        """The profile of the framework."""
        return resolve_framework(self.workload.framework) if self.workload.framework else None

    @property
    def weights(self) -> str:
        """Format of the stored weights."""
        return self.workload.weights or "bf16"

    @property
    def vendor(self) -> str:
        """Vendor of cards or system in lower case; empty where it is not known."""
        return (self.cards[0].vendor if self.cards else self.system.vendor if self.system else "").lower()

    @property
    def limiting(self) -> DeviceLedger:
        """The device that is fullest."""
        return max(self.estimate.devices, key=lambda device: device.total.likely / device.usable)

    @property
    def talks(self) -> bool:
        """Whether the cards exchange much in every step: tensor parallel, sharding, full gradients."""
        plan = self.plan
        if len(self.cards) < 2:
            return False
        return plan.tp > 1 or plan.zero == 3 or (plan.dp > 1 and self.workload.task in ("full", "pretrain"))

    @cached_property
    def platform(self) -> Platform | None:
        """The CPU's platform, else the one with fewest lanes that fits the board's socket."""
        known = self.catalog.platforms
        if self.cpu and self.cpu.platform and self.cpu.platform in known:
            return known[self.cpu.platform]
        socket = self.board.socket if self.board else self.cpu.socket if self.cpu else None
        fitting = [platform for platform in known.values() if platform.socket == socket]
        return min(fitting, key=lambda platform: platform.gpu_lanes, default=None)

    @property
    def platform_name(self) -> str:
        """Name of the CPU, else the socket of the board."""
        return self.cpu.name if self.cpu else self.board.socket if self.board else ""

    @property
    def nvme_drives(self) -> int:
        """Drives that sit in an M.2 socket."""
        kinds = (
            (self.catalog.drives.find(drive.drive).interface or "") if drive.drive else drive.interface
            for drive in self.case.machine.drives
            if drive.use != "network"
        )
        return sum(kind.lower().startswith("nvme") for kind in kinds)

    @cached_property
    def sockets(self) -> frozenset[str]:
        """Names of the M.2 sockets that the drives take."""
        return sockets_in_use(self.board, self.nvme_drives) if self.board else frozenset()

    @cached_property
    def placement(self) -> Placement | None:
        """Which card sits where; None: no board is named, or its slots are not known."""
        if self.board is None or not self.board.slots:
            return None
        room = self.box.slots if self.box else None
        return place(self.board, self.cards, self.cpu, self.sockets, room)

    @property
    def mains(self) -> Mains:
        """The circuit; 230 V and 16 A where none is named."""
        return self.case.machine.mains or Mains()

    @property
    def card_watts(self) -> int:
        """Sustained power of all cards under the power limit."""
        limit = self.case.machine.power_limit_w
        return sum(min(card.tdp_w, limit) if limit else card.tdp_w for card in self.cards if card.tdp_w)

    @property
    def cpu_watts(self) -> int:
        """Sustained power of the CPU; 150 W where none is named."""
        return (self.cpu.power_w or self.cpu.tdp_w or 150) if self.cpu else 150

    @property
    def sustained_watts(self) -> float:
        """Power that the supply delivers under load."""
        return self.card_watts + self.cpu_watts + rule("power.rest_w")

    @property
    def low_line(self) -> bool:
        """Whether the circuit has 100 to 127 V."""
        return self.mains.volts <= rule("power.low_line_v")

    @property
    def wall_watts(self) -> float:
        """Power at the socket under load; all of it becomes heat."""
        efficiency = rule("power.efficiency_low_line" if self.low_line else "power.efficiency")
        return self.sustained_watts / efficiency


def gather(case: Case, estimate: Estimate, catalog: Catalog) -> Facts:
    """Look up every part that the case names. Raises BadInput for an unknown id."""
    machine = case.machine
    cpu = catalog.cpus.find(_id(machine.cpu)) if machine.cpu else None
    board = catalog.boards.find(_id(machine.board)) if machine.board else None
    system = catalog.systems.find(machine.system) if machine.system else None
    cards = tuple(card for kind in machine.gpus for card in (_card(kind, catalog),) * kind.count)
    cooler = catalog.coolers.find(_id(machine.cooler)) if machine.cooler else None
    ups = catalog.ups.find(_id(machine.ups)) if machine.ups else None
    psu, box = _psu(case, catalog), _box(case, catalog)
    return Facts(case, estimate, catalog, cards, system, cpu, board, psu, box, cooler, ups)


def decided(severity: Severity, *facts: tuple[Sourced | None, str]) -> Severity:
    """Return the severity, an error lowered to a warning where a field behind it is not stated by a source."""
    sure = all(part is None or part.sure(field) for part, field in facts)
    return severity if sure or severity != "error" else "warn"


def _id(part: str | Part) -> str:
    return part.id if isinstance(part, Part) else part


def _card(kind: Gpus, catalog: Catalog) -> Gpu:
    if isinstance(kind.gpu, GpuFacts):
        facts = kind.gpu
        return Gpu(
            id="custom",
            name=facts.name,
            source="as stated",
            vendor="",
            architecture="",
            vram_gb=facts.vram_gib,
            bandwidth_gbs=facts.bandwidth_gbs,
            tdp_w=facts.tdp_w,
            slot_width=facts.slot_width,
            length_mm=facts.length_mm,
            connectors_12v2x6=facts.connectors_12v2x6,
            connectors_8pin=facts.connectors_8pin,
        )
    try:
        return catalog.gpus.find(kind.gpu)
    except BadInput:
        if kind.vram_gib is None:
            raise
        # A name that the catalogue does not know, with its memory stated: nothing else is known of it.
        return Gpu(
            id="custom", name=kind.gpu, source="as stated", vendor="", architecture="", vram_gb=kind.vram_gib
        )


def _psu(case: Case, catalog: Catalog) -> Psu | None:
    psu = case.machine.psu
    if psu is None:
        return None
    if isinstance(psu, PsuFacts):
        return Psu.model_construct(  # facts of the case, as they are stated
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
        return CaseModel.model_construct(
            id="custom",
            name="case",
            source="as stated",
            gpu_length_mm=round(box.gpu_length_mm),
            slots=box.slots,
        )
    return catalog.cases.find(_id(box))
