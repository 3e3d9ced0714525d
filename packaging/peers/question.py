"""What every estimator is asked: one run without its measured figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from configurator.catalog.catalog import Catalog
from configurator.domain.errors import BadInput
from configurator.domain.plan import Plan
from configurator.domain.run import MeasuredRun
from configurator.domain.workload import Workload
from configurator.memory.assume import completed, framework_of
from configurator.memory.devices import devices
from configurator.memory.tensors import parameters


@dataclass(frozen=True, slots=True)
class Guess:
    """What an estimator says for one GPU, in bytes."""

    total: float
    outside: float = 0.0
    """Part of it that lies outside the allocator: driver context and libraries."""


@dataclass(frozen=True, slots=True)
class Question:
    """One run: its workload without open questions, its plan, and the facts of its model."""

    workload: Workload
    plan: Plan
    gpu: str
    capacity: int
    """Bytes of one card."""
    config: Mapping[str, Any]
    """The model's `config.json`, the language model's part of it."""
    parameters: int
    """Counted exactly, as an estimator would read it online."""

    @property
    def infers(self) -> bool:
        """Whether nothing is trained."""
        return not self.workload.trains

    @property
    def context(self) -> int:
        """Tokens per sequence."""
        return self.workload.context or 4096

    @property
    def batch(self) -> int:
        """Sequences at once."""
        return max(self.workload.batch or 1, self.workload.concurrency or 1 if self.infers else 1)

    @property
    def weights(self) -> str:
        """Format of the weights, lower case."""
        return (self.workload.weights or "bf16").lower()

    @property
    def optimizer(self) -> str:
        """Optimizer by the name of the case file."""
        return (self.workload.optimizer or "adamw").lower()

    @property
    def steps(self) -> bool:
        """Whether an optimizer step is part of the run."""
        return not self.infers and self.optimizer != "none"

    @property
    def rank(self) -> int | None:
        """Rank of the adapters, if there are any."""
        return self.workload.lora.rank if self.workload.lora else None

    @property
    def layers(self) -> int:
        """Number of layers."""
        return int(self.config["num_hidden_layers"])

    @property
    def hidden(self) -> int:
        """Width of the model."""
        return int(self.config["hidden_size"])

    @property
    def heads(self) -> int:
        """Query heads."""
        return int(self.config["num_attention_heads"])

    @property
    def kv_heads(self) -> int:
        """Key and value heads."""
        return int(self.config.get("num_key_value_heads") or self.heads)

    @property
    def intermediate(self) -> int:
        """Width of the feed-forward."""
        return int(self.config.get("intermediate_size") or 4 * self.hidden)

    @property
    def experts(self) -> int:
        """Experts of a layer; 0: dense."""
        keys = ("num_local_experts", "num_experts", "n_routed_experts")
        return next((int(self.config[key]) for key in keys if self.config.get(key)), 0)

    @property
    def active_experts(self) -> int:
        """Experts that a token visits."""
        return int(self.config.get("num_experts_per_tok") or 1)


def question(content: Mapping[str, Any], catalog: Catalog) -> Question | None:
    """Return a run as a question; None where its model or machine is not known."""
    try:
        run = MeasuredRun.model_validate(content)
        if not isinstance(run.workload.model, str):
            return None
        model = catalog.architecture(run.workload.model)
        apple = run.machine.os == "macos" or (run.machine.system or "").startswith("mac")
        workload, _ = completed(run.workload, framework_of(run.workload, apple), model)
        device = devices(run.machine, catalog)[0]
    except (BadInput, ValidationError):
        return None
    config = catalog.models.configs[catalog.models.aliases[run.workload.model.lower()]]
    return Question(
        workload=workload,
        plan=run.plan or Plan(),
        gpu=device.gpu.id if device.gpu else device.name,
        capacity=device.capacity,
        config=config.get("text_config") or config,
        parameters=parameters(model),
    )
