"""Boards, the platforms that they carry, and how their slots share lanes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Literal

from pydantic import Field

from configurator.catalog.part import (
    CatalogPart,
    FormFactor,
    Generation,
    Gigabytes,
    Lanes,
    ModuleType,
    Number,
    Sourced,
    Speed,
)
from configurator.domain.base import Several, Word

Origin = Literal["cpu", "chipset"]


class Sharing(Word):
    """What is left of a slot when another slot or socket is in use."""

    used: str
    """Name of the other slot or M.2 socket on the same board."""
    lanes: Lanes
    """Lanes that remain; 0: switched off."""


class Socket(Sourced):
    """A place on a board that PCIe lanes lead to."""

    name: str
    lanes: Lanes
    """Electrical width while nothing shares it."""
    gen: Generation | None = None
    wired_to: Origin | None = None
    shares_with: Several[Sharing] = ()

    def lanes_beside(self, used: Collection[str]) -> int:
        """Return the electrical lanes while the named slots and sockets are in use."""
        return min((self.lanes, *(sharing.lanes for sharing in self.shares_with if sharing.used in used)))


class M2(Socket):
    """An M.2 socket."""


class Slot(Socket):
    """An expansion slot."""

    mechanical: Lanes | None = None
    """Length as a number of lanes: what a card must fit into; 16 takes every card."""
    position: Annotated[int, Field(ge=1, le=12)] | None = None
    """Slot position counted from the CPU, in units of 20.32 mm: 1 is the topmost of the case."""
    lanes_by_platform: Mapping[str, Lanes] = {}
    """Lanes with CPUs of a platform, by its id, where they differ; 0: the slot is dead."""
    note: str | None = None


class Population(Word):
    """How fast memory runs with so many modules on each channel."""

    per_channel: Annotated[int, Field(ge=1, le=3)]
    ranks: Annotated[int, Field(ge=1, le=8)] | None = None
    """Ranks of a module; absent: whatever their number."""
    speed_mts: Speed


class Platform(CatalogPart):
    """A family of CPUs: what all of them share."""

    socket: str
    gpu_lanes: Annotated[int, Field(ge=4, le=160)]
    """CPU lanes that boards lead to slots."""
    gen: Generation
    m2_lanes: Number | None = None
    """CPU lanes that boards lead to M.2 sockets beside those."""
    bifurcation: Several[str] = ()
    """Ways to cut a slot of 16 lanes: x16, x8/x8, x8/x4/x4, x4/x4/x4/x4. Empty: not known."""
    channels: Annotated[int, Field(ge=1, le=12)]
    module_types: Several[ModuleType]
    max_ram_gb: Gigabytes | None = None
    population: Several[Population] = ()
    """Rated speed by modules on a channel, as the CPU's vendor states it."""


class Board(CatalogPart):
    """A mainboard."""

    socket: str
    cpus: Annotated[int, Field(ge=1, le=2)] = 1
    """CPUs that it takes."""
    vendor: str | None = None
    chipset: str | None = None
    form_factor: FormFactor | None = None
    memory_type: str | None = None
    module_types: Several[ModuleType] = ()
    """Empty: as the platform takes them."""
    ecc: bool | None = None
    """Whether the board wires error correction."""
    dimm_slots: Number | None = None
    channels: Number | None = None
    """Memory channels that lead to sockets, with a CPU that has as many."""
    max_ram_gb: Gigabytes | None = None
    population: Several[Population] = ()
    """Speeds of this board where its maker states them; empty: the platform's."""
    slots: Several[Slot] = ()
    """Topmost first. Empty: not known."""
    m2: Several[M2] = ()
    double_width_cards: Number | None = None
    """Most cards of two positions by the maker's table."""
    case_positions: Number | None = None
    """Slot positions that a case must have for so many."""
    bifurcation: Several[str] = ()
    """Ways that the firmware offers; empty: those of the platform."""
    sata_ports: Number | None = None
    ethernet: Several[str] = ()
    remote_management: bool | None = None
