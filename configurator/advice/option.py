"""A change that may be worth trying, what it costs, and the situation it is sought for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.catalog.framework import Framework
from configurator.catalog.loading import read_table
from configurator.domain.case import Case
from configurator.domain.ledger import DeviceLedger, Estimate, Limits
from configurator.domain.message import Message
from configurator.domain.workload import Workload


class Cost(IntEnum):
    """What a change costs the customer, cheapest first."""

    NOTHING = 1
    SPEED = 2
    EFFORT = 3
    """Another tool to set up and to learn."""
    QUALITY = 4
    SCOPE = 5
    """Another result: shorter texts, fewer requests, an adapter instead of the whole model."""
    PATIENCE = 6
    """Much of the speed."""
    MONEY = 7


@dataclass(frozen=True, slots=True)
class Option:
    """A change of the case. Of one kind only one is chosen; the milder comes first."""

    kind: str
    cost: Cost
    change: dict[str, Any]
    action: Message
    price: Message


@dataclass(frozen=True, slots=True)
class Situation:
    """A case that does not fit: as it was given, without open questions, and what follows from it."""

    case: Case
    full: Case
    estimate: Estimate
    limits: Limits
    framework: Framework
    catalog: Catalog

    @property
    def workload(self) -> Workload:
        """The workload without open questions."""
        return self.full.workload

    @property
    def cards(self) -> int:
        """Cards of the machine."""
        return self.full.machine.gpu_count

    @property
    def deciding(self) -> int:
        """Place of the device that lacks most."""
        places = range(len(self.estimate.devices))
        return max(places, key=lambda place: _lack(self.estimate.devices[place]))

    @property
    def device(self) -> DeviceLedger:
        """The device that lacks most."""
        return self.estimate.devices[self.deciding]

    def steps(self, name: str) -> Iterator[Any]:
        """Return what the framework offers for the task, from mild to strong."""
        for row in read_table("remedies")[name]:
            if self.framework.id in row["frameworks"] and self.workload.task in row.get(
                "tasks", (self.workload.task,)
            ):
                yield from row["steps"]


def _lack(device: DeviceLedger) -> int:
    return device.total.high - device.usable
