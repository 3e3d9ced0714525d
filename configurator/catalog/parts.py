"""Parts of a machine as the catalogue knows them: strict, each with its source.

A field that is absent is not known. Zero is a number that a source states.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from configurator.catalog.part import (
    CatalogPart,
    FormFactor,
    Gigabytes,
    Lanes,
    Millimetres,
    ModuleType,
    Number,
    Speed,
    Watts,
)
from configurator.domain.base import Count, Several, Share, Word
from configurator.domain.units import GB, GIB, MIB

Rate = Annotated[float, Field(ge=0.1, le=50_000)]
"""Dense matrix rate in TFLOPS."""
Volts = Annotated[int, Field(ge=90, le=400)]
Throughput = Annotated[int, Field(ge=10, le=50_000)]
"""Megabytes a second."""


class Gpu(CatalogPart):
    """A graphics card. Sizes as the vendor and the driver state them; those of the reference card."""

    vendor: str
    architecture: str
    compute_capability: str | None = None
    vram_gb: Annotated[float, Field(ge=1, le=1_000)]
    capacity_mib: Annotated[int, Field(ge=1_000, le=1_000_000)] | None = None
    """Total that the driver reports; absent: not seen."""
    memory_type: str | None = None
    bandwidth_gbs: Annotated[float, Field(ge=20, le=20_000)] | None = None
    fp16_tflops: Rate | None = None
    """Dense matrix rate with FP32 accumulation, as all rates here."""
    bf16_tflops: Rate | None = None
    fp8_tflops: Rate | None = None
    fp4_tflops: Rate | None = None
    pcie_gen: Annotated[int, Field(ge=1, le=7)] | None = None
    pcie_lanes: Lanes | None = None
    tdp_w: Watts | None = None
    suggested_psu_w: Watts | None = None
    connectors_12v2x6: Number | None = None
    connectors_8pin: Number | None = None
    connectors_6pin: Number | None = None
    connectors_eps: Number | None = None
    """8-pin sockets wired as for a CPU, as on data-centre cards."""
    slot_width: Annotated[float, Field(ge=1, le=5)] | None = None
    length_mm: Millimetres | None = None
    height_mm: Millimetres | None = None
    cooling: Literal["open", "flow-through", "blower", "passive", "liquid"] | None = None
    """Open and flow-through leave their heat in the case; passive needs the chassis's own fans."""
    ecc: bool | None = None
    nvlink: Number | None = None
    """Cards that a bridge joins; 0: none."""
    display_outputs: Number | None = None
    """Monitors that can be plugged in; 0: a card for computing only."""

    @property
    def capacity(self) -> int:
        """Memory in bytes: the driver's total, else the nominal size."""
        return self.capacity_mib * MIB if self.capacity_mib else round(self.vram_gb * GIB)


class System(CatalogPart):
    """A machine with unified memory."""

    vendor: str
    memory_gb: Gigabytes
    gpu_share: Share
    """Share of the memory that the GPU may use by default."""
    gpu_share_source: str
    bandwidth_gbs: Annotated[float, Field(ge=20, le=20_000)] | None = None
    gpu_cores: Count | None = None
    bf16_tflops: Rate | None = None
    """Dense rate of the graphics in 16 bit."""
    peak_w: Watts | None = None
    """Power at the wall under load."""
    power_w: str | None = None

    @property
    def memory(self) -> int:
        """Memory in bytes; sold in binary gigabytes."""
        return self.memory_gb * GIB


class Cpu(CatalogPart):
    """A processor."""

    vendor: str | None = None
    socket: str
    platform: str | None = None
    """Id of the platform that states lanes, channels and memory speeds."""
    cores: Count | None = None
    threads: Count | None = None
    tdp_w: Watts | None = None
    power_w: Watts | None = None
    """Sustained package power: PPT or PL2 where stated, else the TDP."""
    max_ram_gb: Gigabytes | None = None
    ecc: bool | None = None
    """Whether the CPU corrects errors on a board that wires it."""
    igpu: bool | None = None


class Rail(Word):
    """One 12 V rail of a power supply."""

    name: str
    amps: Annotated[float, Field(gt=0, le=300)]


class Psu(CatalogPart):
    """A power supply."""

    watts: Watts
    standard: str | None = None
    """atx-2, atx-3.0 or atx-3.1; absent: the source does not say."""
    efficiency: str | None = None
    connectors_12v2x6: Number | None = None
    """Sockets that hold a native 12V-2x6 or 12VHPWR cable."""
    connectors_12v2x6_w: Watts | None = None
    """Watts of one such cable: 600, 450 or 300."""
    connectors_8pin: Number | None = None
    """PCIe 8-pin (6+2) plugs."""
    connectors_eps: Number | None = None
    rails: Several[Rail] = ()
    """Empty: one rail, or not known."""
    excursion: Annotated[float, Field(ge=1, le=3)] | None = None
    """Peak of 100 microseconds that it is built to carry, as a factor of its watts; 2 by ATX 3."""
    full_power_from_v: Volts | None = None
    """Mains voltage from which it delivers all its watts."""
    watts_low_line: Watts | None = None
    """Watts at 100 to 127 V where they are fewer."""
    inlet: Literal["C14", "C20"] | None = None
    form_factor: str | None = None
    length_mm: Millimetres | None = None


class CaseModel(CatalogPart):
    """A case."""

    form_factor: str | None = None
    """Its own form: mid tower, full tower, 4U rack."""
    gpu_length_mm: Millimetres | None = None
    gpu_height_mm: Millimetres | None = None
    """Room above the slots for a card and the bend of its power cable."""
    slots: Number | None = None
    """Slot positions at the back."""
    cooler_height_mm: Millimetres | None = None
    radiators_mm: Several[int] = ()
    """Sizes that it takes, longest side: 240, 280, 360, 420. Empty: not known."""
    form_factors: Several[FormFactor] = ()
    """Boards that it takes."""
    psu_length_mm: Millimetres | None = None
    psus: Count = 1
    """Power supplies that it takes."""
    drives_35: Number | None = None
    airflow: Literal["mesh", "mixed", "closed"] | None = None
    """Front of mesh, partly open, or closed for silence."""


class Cooler(CatalogPart):
    """A CPU cooler."""

    kind: Literal["air", "liquid"]
    sockets: Several[str]
    height_mm: Millimetres | None = None
    radiator_mm: Millimetres | None = None
    rated_w: Watts | None = None
    """Heat that its maker rates it for."""


class RamKit(CatalogPart):
    """Memory modules sold together."""

    type: str
    modules: Count
    module_gb: Gigabytes
    speed_mts: Speed | None = None
    module_type: ModuleType | None = None
    ecc: bool | None = None
    ranks: Number | None = None
    height_mm: Millimetres | None = None

    @property
    def capacity(self) -> int:
        """Size in bytes; memory is sold in binary gigabytes."""
        return self.modules * self.module_gb * GIB


class DriveModel(CatalogPart):
    """A drive."""

    capacity_gb: Gigabytes
    interface: Literal["nvme-3", "nvme-4", "nvme-5", "sata", "sas"] | None = None
    form_factor: Literal["m.2-2280", "m.2-22110", "u.2", "2.5", "3.5"] | None = None
    lanes: Lanes | None = None
    read_mbs: Throughput | None = None
    write_mbs: Throughput | None = None
    sustained_write_mbs: Throughput | None = None
    """Once the cache is full."""
    endurance_tbw: Count | None = None
    """Terabytes that may be written within the warranty."""

    @property
    def capacity(self) -> int:
        """Size in bytes; drives are sold in decimal gigabytes."""
        return self.capacity_gb * GB


class Ups(CatalogPart):
    """An uninterruptible power supply."""

    va: Count
    watts: Watts
    topology: Literal["standby", "line-interactive", "online"] | None = None
    waveform: Literal["sine", "stepped"] | None = None
    """On battery; supplies with active power factor correction want a sine."""
    volts: Volts | None = None
    """Nominal output: 120 or 230."""
    outlets: Mapping[str, int] = {}
    """Number by kind: C13, C19, schuko, nema-5-15. Empty: not known."""
    inlet: Literal["C14", "C20", "hard-wired"] | None = None
