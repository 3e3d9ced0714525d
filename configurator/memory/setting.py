"""All that a prediction is made from, resolved once: workload, profile, model, plan, formats."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.framework import Framework
from configurator.domain.architecture import Architecture
from configurator.domain.case import Case
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload
from configurator.memory.weights import Stage


@dataclass(frozen=True, slots=True)
class Basis:
    """A case without open questions, whatever kind of model it runs."""

    case: Case
    workload: Workload
    framework: Framework
    plan: Plan

    @property
    def batch(self) -> int:
        """Sequences or images per device and step."""
        return self.workload.batch or 1

    def option(self, name: str, default: object = None) -> object:
        """Return one of the framework's own switches."""
        return self.workload.options.get(name, default)

    def number(self, name: str, default: float) -> float:
        """Return one of the framework's numeric switches."""
        return float(str(self.option(name, default)))

    def whole(self, name: str, default: int) -> int:
        """Return one of the framework's switches that count something."""
        return int(self.number(name, default))


@dataclass(frozen=True, slots=True)
class Setting(Basis):
    """A case of a language model."""

    model: Architecture
    stages: tuple[Stage, ...] = ()
    """What the stages of the pipeline hold, in order."""

    @property
    def weight_format(self) -> str:
        """Format of the stored weights."""
        return self.workload.weights or "bf16"

    @property
    def as_stored(self) -> bool:
        """Whether the weights have the bytes that the model's file holds."""
        return self.model.stored is not None and self.model.stored.format == self.weight_format

    @property
    def context(self) -> int:
        """Tokens per sequence."""
        return self.workload.context or 1

    @property
    def tokens(self) -> float:
        """Tokens that one device works on in a training step."""
        return self.batch * self.context / self.plan.cp
