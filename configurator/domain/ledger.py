"""The answer of the engine: memory of every device, entry by entry."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from configurator.domain.base import Word
from configurator.domain.message import Text
from configurator.domain.plan import Plan
from configurator.domain.ranges import Bytes, Range

Component = Literal[
    "weights",
    "adapter",
    "gradients",
    "optimizer",
    "master_weights",
    "activations",
    "logits",
    "kv_cache",
    "recurrent_state",
    "workspace",
    "communication",
    "context",
    "display",
    "other_apps",
    "fragmentation",
    "reserve",
]
Phase = Literal["load", "encode", "prefill", "denoise", "decode", "forward", "backward", "step"]
Verdict = Literal["fits", "tight", "exceeds", "spills"]
WORSENING: tuple[Verdict, ...] = ("fits", "tight", "spills", "exceeds")
"""The verdicts from the best to the worst."""


class Entry(Word):
    """One line of a device's ledger."""

    component: Component
    low: int
    likely: int
    high: int
    why: Text
    source: str

    @property
    def size(self) -> Bytes:
        """The entry's size with its range."""
        return Bytes(low=self.low, likely=self.likely, high=self.high)


class DeviceLedger(Word):
    """Memory of one device at its peak. Sizes in bytes."""

    device: str
    name: str
    capacity: int
    usable: int
    verdict: Verdict
    entries: tuple[Entry, ...]
    total: Bytes
    reserved_by_framework: int | None = None


class PhaseTotal(Word):
    """What a device needs in one phase; its peak is the largest of them."""

    phase: Phase
    device: str
    total: Bytes


class Host(Word):
    """What the workload needs of the host: RAM and disk in bytes."""

    ram: Bytes
    disk: Bytes


class Limits(Word):
    """The largest values that still fit, one varied at a time; absent: not a question here."""

    max_context: int | None = None
    max_batch: int | None = None
    max_concurrency: int | None = None


class Remedy(Word):
    """A change of the case and what it brings: keys of the workload, `machine` and `plan` as in the case."""

    change: dict[str, Any]
    saves: int
    """Bytes less on the device that decides; 0 where that device becomes a larger one."""
    verdict: Verdict
    why: Text
    action: Text = Field(exclude=True)
    """What is done, in a few words."""
    price: Text = Field(exclude=True)
    """What it costs, in a few words."""


class Estimate(Word):
    """The JSON of `estimate`."""

    format: Literal["estimate/1"] = "estimate/1"
    verdict: Verdict
    plan: Plan
    devices: tuple[DeviceLedger, ...]
    host: Host
    phases: tuple[PhaseTotal, ...]
    limits: Limits = Limits()
    remedies: tuple[Remedy, ...] = ()
    speed: dict[str, Range] = Field(default_factory=dict)
    notes: tuple[Text, ...] = ()
