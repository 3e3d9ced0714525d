"""What a speed is computed from: the case without open questions, and the chips that work on it."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.workload import Workload
from configurator.memory.assume import framework_of
from configurator.memory.prediction import Prediction
from configurator.memory.setting import Setting
from configurator.memory.stored import shared_out
from configurator.speed.chips import Chip, chips
from configurator.speed.constants import Family, Link, constants
from configurator.speed.host import host_bytes, memory_rate
from configurator.speed.work import expert_layers, file_format, recurrent_layers, whole_bytes


@dataclass(frozen=True, slots=True)
class Subject:
    """A language model at work on chips."""

    setting: Setting
    chips: tuple[Chip, ...]
    depth: float
    """Tokens before the one that is written."""
    prompt: float
    """Tokens of a prompt."""
    answer: float | None
    """Tokens of an answer; None: not stated."""
    pool_tokens: float | None = None
    """Tokens that a server's pool holds on the fullest device."""
    host_weights: float = 0.0
    """Bytes of matrices that the host keeps."""
    spilled: float = 0.0
    """Bytes that the driver moves to the host's memory because a card is full."""
    host_rate: float = 0.0
    """Bytes a second of the host's memory."""
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
    def link(self) -> Link:
        """How the cards of the plan exchange."""
        cards, links = self.chips, constants().links
        # A bridge between two cards is bought; eight on one board are joined as they come.
        soldered = min(chip.joined for chip in cards) > 2 or self.setting.option("nvlink")
        if soldered and all(chip.joined >= len(cards) for chip in cards):
            return links["nvlink"]
        return links["p2p" if all(chip.direct for chip in cards) else "host"]

    @property
    def away(self) -> bool:
        """Whether the host has a part in it."""
        return self.host_weights > 0 or self.spilled > 0

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


def subject(case: Case, prediction: Prediction, catalog: Catalog) -> Subject | None:
    """Return the subject of a predicted case; None for networks of images, and where a chip is not known well
    enough."""
    workload, plan = prediction.workload, prediction.estimate.plan
    if not catalog.models.knows(workload.model):
        return None
    found = chips(case.machine, catalog)[: plan.gpus]
    if len(found) < plan.gpus:
        return None
    framework = framework_of(workload, apple=False)
    model = shared_out(catalog.architecture(workload.model))
    setting = Setting(case, workload, framework, plan, model)
    excess = [max(0, one.total.likely - one.usable) for one in prediction.estimate.devices]
    pools = [view.pool_tokens.likely for view in prediction.devices if view.pool_tokens]
    return Subject(
        setting,
        found,
        depth=_depth(workload),
        prompt=workload.input_tokens or workload.context or 1,
        answer=workload.output_tokens,
        pool_tokens=min(pools) if pools else None,
        host_weights=host_bytes(setting, prediction),
        spilled=float(max(excess)) if prediction.estimate.verdict == "spills" else 0.0,
        host_rate=memory_rate(case.machine, catalog),
    )


def _depth(workload: Workload) -> float:
    """Return the tokens before those that are written: prompt and half of the answer, else the whole context."""
    if workload.input_tokens:
        return workload.input_tokens + (workload.output_tokens or 0) / 2
    return workload.context or 1
