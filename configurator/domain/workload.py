"""What the customer wants to run: the answers of the questionnaire."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from configurator.domain.base import Count, Several, Word

Task = Literal["inference", "serving", "lora", "qlora", "full", "pretrain"]
Checkpointing = bool | Literal["selective", "unsloth"]
Attention = Literal["flash", "sdpa", "eager", "flex"]

TRAINING: frozenset[str] = frozenset({"lora", "qlora", "full", "pretrain"})
ADAPTERS: frozenset[str] = frozenset({"lora", "qlora"})


class ModelFile(Word):
    """A model that is not in the catalogue: its `config.json` (or the folder of it), or its GGUF file."""

    config: str | None = None
    gguf: str | None = None

    @model_validator(mode="after")
    def _one_of_the_two(self) -> Self:
        if bool(self.config) == bool(self.gguf):
            raise ValueError("a model file is either 'config' or 'gguf'")
        return self

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self.config or self.gguf or ""


class Lora(Word):
    """Low-rank adapters: their rank and the modules they are put on."""

    rank: Count = 16
    targets: str | Several[str] = "all-linear"
    layers: Count | None = None
    """Only the last so many layers carry adapters (mlx-lm); absent: all."""
    dora: bool = False
    """Weight-decomposed adapters: one magnitude per output beside the two factors."""
    modules_to_save: Several[str] = ()
    """Modules trained in full beside the adapters, e.g. embeddings and head."""
    trainable_params: Count | None = None
    """Trainable parameters where the source states them."""


class Dataset(Word):
    """The training data as far as the customer knows it."""

    size_gb: Annotated[float, Field(gt=0)] | None = None
    samples: Count | None = None
    tokens: Count | None = None


class Workload(Word):
    """The answers of the questionnaire. `None` is a question not yet answered: it is assumed."""

    task: Task
    model: str | ModelFile
    framework: str | None = None
    framework_version: str | None = None
    weights: str | None = None
    compute: str | None = None
    kv_cache: str | None = None
    context: Count | None = None
    """Tokens per sequence."""
    batch: Count | None = None
    """Sequences or images per GPU and step (micro-batch)."""
    grad_accum: Count | None = None
    concurrency: Count | None = None
    """Serving: sequences at the same time."""
    growth: Annotated[float, Field(ge=1)] | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    resolution: tuple[Count, Count] | None = Field(default=None, strict=False)
    """Width and height in pixels."""
    classes: Count | None = None
    optimizer: str | None = None
    optimizer_states: str | None = None
    checkpointing: Checkpointing | None = None
    attention: Attention | None = None
    lora: Lora | None = None
    adapter_dtype: str | None = None
    offload: str | None = None
    dataset: Dataset | None = None
    options: dict[str, Any] = Field(default_factory=dict)
    """The framework's own switches by their own names."""

    @property
    def trains(self) -> bool:
        """Whether gradients are needed."""
        return self.task in TRAINING

    @property
    def model_name(self) -> str:
        """The model's name as people say it, without the organisation's folder."""
        return (self.model if isinstance(self.model, str) else self.model.path).rpartition("/")[2]
