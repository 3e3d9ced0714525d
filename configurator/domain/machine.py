"""What the workload runs on: GPUs or a unified-memory system, and everything around them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from configurator.domain.base import Count, Several, Word
from configurator.domain.ranges import Bytes

Os = Literal["windows", "wsl2", "linux", "macos"]
Positive = Annotated[float, Field(gt=0)]


class GpuFacts(Word):
    """A GPU that the catalogue does not list, by its facts."""

    name: str
    vram_gib: Positive
    bandwidth_gbs: Positive | None = None
    tdp_w: Count | None = None
    slot_width: Positive | None = None
    length_mm: Positive | None = None
    connectors_12v2x6: int | None = None
    connectors_8pin: int | None = None


class Gpus(Word):
    """So many cards of one kind."""

    gpu: str | GpuFacts
    count: Count = 1
    vram_gib: Positive | None = None
    """Overrides the capacity of the catalogue."""
    owned: bool = False


class Mains(Word):
    """The circuit that the machine hangs on."""

    volts: Count = 230
    amps: Count = 16


class Part(Word):
    """A part of the catalogue that the customer may own already."""

    id: str
    owned: bool = False


class PsuFacts(Word):
    """A power supply by its facts."""

    watts: Count
    standard: str = "atx-3.1"
    connectors_12v2x6: Annotated[int, Field(ge=0)] | None = None
    """Absent: not known, not none."""
    connectors_8pin: Annotated[int, Field(ge=0)] | None = None
    rails: Several[str] = ()
    owned: bool = False


class CaseFacts(Word):
    """A case by its facts."""

    gpu_length_mm: Positive
    slots: Count
    form_factor: str = "atx"
    owned: bool = False


class Drive(Word):
    """A drive by its id or its facts, and what it is used for."""

    drive: str | None = None
    capacity_tb: Positive | None = None
    interface: str = "nvme-4"
    use: Literal["system", "data", "scratch", "backup", "network"] = "system"
    owned: bool = False

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.drive is None and self.capacity_tb is None:
            raise ValueError("a drive needs an id (drive) or a size (capacity_tb)")
        return self


class Machine(Word):
    """GPUs or a unified-memory system, plus CPU, board, RAM, power supply, drives and case."""

    gpus: Several[Gpus] = ()
    nodes: Count = 1
    """Equal machines that work on one plan (vLLM on Ray, torchrun); all else describes one of them."""
    system: str | None = None
    gpu_share: Annotated[float, Field(gt=0, le=1)] | None = None
    """Unified memory: the share of the memory that the GPU may use; absent: the system's default."""
    display_on_gpu: Annotated[int, Field(ge=0)] | None = None
    """Index of the GPU that drives the monitors; absent: headless or the CPU's own graphics."""
    os: Os | None = None
    power_limit_w: Count | None = None
    mains: Mains | None = None
    cpu: str | Part | None = None
    board: str | Part | None = None
    ram_gb: Count | None = None
    ram_owned: bool = False
    psu: str | Part | PsuFacts | None = None
    drives: Several[Drive] = ()
    case: str | Part | CaseFacts | None = None
    cooler: str | Part | None = None
    """Of the processor."""
    ups: str | Part | None = None

    @model_validator(mode="after")
    def _gpus_or_system(self) -> Self:
        if bool(self.gpus) == bool(self.system):
            raise ValueError("a machine has either `gpus` or a `system`, one of the two")
        if self.display_on_gpu is not None and self.gpus and self.display_on_gpu >= self.gpu_count:
            raise ValueError(
                f"display_on_gpu is {self.display_on_gpu}, but the machine has {self.gpu_count} GPU(s), counted from 0"
            )
        return self

    @property
    def gpu_count(self) -> int:
        """Number of cards of one machine; a unified-memory system counts as one."""
        return sum(kind.count for kind in self.gpus) if self.gpus else 1


class Beside(Word):
    """Another workload of the same machine and what it takes from this one, in bytes."""

    name: str
    devices: Several[Bytes] = ()
    """Of every GPU in the machine's order, while both run; empty: they run one after the other."""
    ram: Bytes = Bytes(low=0, likely=0, high=0)
    disk: Bytes = Bytes(low=0, likely=0, high=0)
    """Its files, which stay whether it runs or not."""


class Also(Word):
    """Other work on the same machine."""

    cad: bool = False
    render: str | None = None
    beside: Several[Beside] = ()
