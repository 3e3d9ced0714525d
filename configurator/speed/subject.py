"""What a speed is computed from: the case without open questions, and the chips that work on it."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload
from configurator.memory.assume import framework_of
from configurator.memory.setting import Setting
from configurator.memory.stored import shared_out
from configurator.speed.chips import Chip, chips
from configurator.speed.constants import Family, constants
from configurator.speed.work import expert_layers, file_format, recurrent_layers, whole_bytes


@dataclass(frozen=True, slots=True)
class Subject:
    """A language model at work on chips."""

    setting: Setting
    chips: tuple[Chip, ...]
    depth: float
    """Tokens before the one that is written."""
    file_bytes: float | None = None
    """Size of the model's files where it is known; else by the rules of the format."""

    @property
    def slowest(self) -> Chip:
        """The chip that the others wait for."""
        return min(self.chips, key=lambda chip: chip.bandwidth)

    @property
    def family(self) -> Family:
        """The constants of the slowest chip."""
        return constants().families[self.slowest.family]

    @property
    def kind(self) -> str:
        """The spread that holds: of dense models, of models with experts, or of chips hardly measured."""
        if self.family.few:
            return "few"
        return "experts" if expert_layers(self.setting.model) else "dense"

    @property
    def launches(self) -> int:
        """Layers, those with experts or a recurrent state counted twice: they start about twice the kernels."""
        model = self.setting.model
        return len(model.layers) + expert_layers(model) + recurrent_layers(model)

    @property
    def scale(self) -> float:
        """Bytes of the model's files over those that the rules of the format give."""
        if not self.file_bytes:
            return 1.0
        return self.file_bytes / whole_bytes(self.setting.model, file_format(self.setting))


def subject(case: Case, workload: Workload, plan: Plan, catalog: Catalog) -> Subject | None:
    """Return the subject of a completed workload; None for networks of images, and where a chip is not known
    well enough."""
    if not catalog.models.knows(workload.model):
        return None
    found = chips(case.machine, catalog)[: plan.gpus]
    if len(found) < plan.gpus:
        return None
    framework = framework_of(workload, apple=False)
    model = shared_out(catalog.architecture(workload.model))
    setting = Setting(case, workload, framework, plan, model)
    return Subject(setting, found, depth=_depth(workload))


def _depth(workload: Workload) -> float:
    """Return the tokens before those that are written: prompt and half of the answer, else the whole context."""
    if workload.input_tokens:
        return workload.input_tokens + (workload.output_tokens or 0) / 2
    return workload.context or 1
