"""Parts of a machine as the catalogue knows them: strict, each with its source."""

from __future__ import annotations

from typing import Literal

from configurator.domain.base import DateText, Several, Word
from configurator.domain.units import GB, GIB, MIB

Confidence = Literal["stated", "derived", "inferred", "low"]


class CatalogPart(Word):
    """What every part has."""

    id: str
    name: str
    aliases: Several[str] = ()
    source: str
    date: DateText | None = None
    confidence: Confidence = "stated"


class Gpu(CatalogPart):
    """A graphics card. Sizes as the vendor and the driver state them."""

    vendor: str
    architecture: str
    compute_capability: str | None = None
    vram_gb: float
    capacity_mib: int | None = None
    """Total that the driver reports; absent: not seen."""
    memory_type: str | None = None
    bandwidth_gbs: float | None = None
    bf16_tflops: float | None = None
    pcie_gen: int | None = None
    pcie_lanes: int | None = None
    tdp_w: int | None = None
    connectors_12v2x6: int | None = None
    connectors_8pin: int | None = None
    slot_width: float | None = None
    length_mm: float | None = None
    cooling: str | None = None
    ecc: str | None = None
    nvlink: str | None = None

    @property
    def capacity(self) -> int:
        """Memory in bytes: the driver's total, else the nominal size."""
        return self.capacity_mib * MIB if self.capacity_mib else round(self.vram_gb * GIB)


class System(CatalogPart):
    """A machine with unified memory."""

    vendor: str
    memory_gb: int
    gpu_share: float
    """Share of the memory that the GPU may use by default."""
    gpu_share_source: str
    bandwidth_gbs: float | None = None
    power_w: str | None = None

    @property
    def memory(self) -> int:
        """Memory in bytes; sold in binary gigabytes."""
        return self.memory_gb * GIB


class Cpu(CatalogPart):
    """A processor."""

    socket: str
    cores: int | None = None
    tdp_w: int | None = None
    power_w: int | None = None
    """Sustained package power: PPT or PL2 where stated, else the TDP."""
    gpu_lanes: int | None = None
    gpu_gen: int | None = None
    igpu: bool = False


class Slot(Word):
    """A slot of a board; slot 1 is nearest to the CPU."""

    name: str
    lanes: int
    """Electrical width when the slots before it are in use."""
    gen: float | None = None
    wired_to: str | None = None
    position: int | None = None
    """Slot position counted from the CPU, in units of 20.32 mm."""
    note: str | None = None


class Board(CatalogPart):
    """A mainboard."""

    socket: str
    form_factor: str | None = None
    memory_type: str | None = None
    dimm_slots: int | None = None
    max_ram_gb: int | None = None
    slots: Several[Slot] = ()


class Psu(CatalogPart):
    """A power supply."""

    watts: int
    standard: str | None = None
    efficiency: str | None = None
    connectors_12v2x6: int
    connectors_8pin: int


class CaseModel(CatalogPart):
    """A case."""

    gpu_length_mm: int | None = None
    slots: int | None = None
    form_factors: Several[str] = ()


class RamKit(CatalogPart):
    """Memory modules sold together."""

    type: str
    modules: int
    module_gb: int
    speed_mts: int | None = None
    module_type: str | None = None
    ecc: bool | None = None

    @property
    def capacity(self) -> int:
        """Size in bytes; memory is sold in binary gigabytes."""
        return self.modules * self.module_gb * GIB


class DriveModel(CatalogPart):
    """A drive."""

    capacity_gb: int
    interface: str | None = None
    read_mbs: int | None = None
    write_mbs: int | None = None
    endurance_tbw: int | None = None

    @property
    def capacity(self) -> int:
        """Size in bytes; drives are sold in decimal gigabytes."""
        return self.capacity_gb * GB
