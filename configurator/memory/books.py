"""The books of one device while a prediction is made: items by phase, added up once."""

from __future__ import annotations

from dataclasses import dataclass, field

from configurator.domain.ledger import Component, Entry, Phase
from configurator.domain.message import Message
from configurator.domain.ranges import Bytes, Range, combined, spread


@dataclass(slots=True)
class Books:
    """Items of one device, phase by phase."""

    phases: dict[Phase, list[Entry]] = field(default_factory=dict)

    def add(
        self,
        phases: tuple[Phase, ...],
        component: Component,
        size: Bytes,
        why: Message,
        source: str,
    ) -> None:
        """Enter an item in every phase in which it lives; an empty item is not entered."""
        if size.high <= 0:
            return
        entry = Entry(
            component=component, low=size.low, likely=size.likely, high=size.high, why=why, source=source
        )
        for phase in phases:
            self.phases.setdefault(phase, []).append(entry)

    def peak(self) -> Phase:
        """Return the phase with the largest likely total."""
        return max(self.phases, key=lambda phase: sum(entry.likely for entry in self.phases[phase]))

    def total(self, phase: Phase) -> Bytes:
        """Return the total of a phase."""
        return combined(self.phases[phase])

    def of(self, phase: Phase, *components: Component) -> Bytes:
        """Return the sum of some components in a phase."""
        return combined(entry for entry in self.phases[phase] if entry.component in components)


def gib_range(low_likely_high: Range) -> Bytes:
    """Return a range in GiB as bytes."""
    return spread(2**30, low_likely_high)
