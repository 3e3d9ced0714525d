"""Measured runs: a workload, a machine, a plan, and what was really measured."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, model_validator

from configurator.domain.base import Count, DateText, Several, Word
from configurator.domain.case import Case
from configurator.domain.machine import Also, Machine, Positive
from configurator.domain.plan import Plan
from configurator.domain.workload import Attention, Checkpointing, Lora, Workload

_PLANS = {
    "ddp": ("dp", 0),
    "fsdp": ("dp", 3),
    "layer": ("pp", 0),
    "pipeline-parallel": ("pp", 0),
    "tensor-parallel": ("tp", 0),
}
"""Degree that all cards share, and what data-parallel ranks shard."""
Quality = Literal["reading", "bound", "suspect", "incomplete"]


def _unknown_is_none(value: object) -> object:
    return None if value == "unknown" else value


def _first_word(value: object) -> object:
    """Return the first of several that a source names: 'sdpa/cudnn'."""
    return value.split("/")[0] if isinstance(value, str) else value


def _known_optimizer(value: object) -> object:
    """Return an optimizer by name; 'auto (SGD/AdamW)' and 'not stated' leave it to the framework."""
    unknown = isinstance(value, str) and value.split(" ")[0] in ("auto", "not", "default", "unknown")
    return None if unknown else value


def _ranked(value: object) -> object:
    """Return adapters; a rank in words ('script default', 'lokr') is left to the default."""
    if not isinstance(value, dict):
        return value
    rank = value.get("rank")
    known = {k: v for k, v in value.items() if k in Lora.model_fields}
    return known if isinstance(rank, int) else {k: v for k, v in known.items() if k != "rank"}


def _at_least_one(value: object) -> object:
    return 1 if value == 0 else value


class MeasuredWorkload(Workload):
    """A workload as a source reports it."""

    context: Annotated[Count | None, BeforeValidator(_at_least_one)] = None
    """Benchmarks that begin with an empty context write 0."""
    decode_depth: Annotated[int, Field(ge=0)] | None = None
    """Tokens before those whose generation was timed; absent: the context."""
    file_gib: Positive | None = None
    """Size of the model's files where the source states it."""

    framework_variant: str | None = None
    """The fork, backend or front end that the source names."""
    checkpointing: Annotated[Checkpointing | None, BeforeValidator(_unknown_is_none)] = None
    attention: Annotated[Attention | None, BeforeValidator(_first_word)] = None
    optimizer: Annotated[str | None, BeforeValidator(_known_optimizer)] = None
    lora: Annotated[Lora | None, BeforeValidator(_ranked)] = None


class MeasuredRun(Word):
    """One run of the file format `measured-runs/1`."""

    id: str
    source: str
    date: DateText | None = None
    workload: MeasuredWorkload
    machine: Machine
    plan: Plan | None = None
    also: Also = Also()
    measured: dict[str, Any] = Field(default_factory=dict)
    outcome: Literal["fits", "oom"] = "fits"
    quality: Quality = "reading"
    note: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _plan_by_name(cls, run: Any) -> Any:
        """Read a plan that a source only names: the cards of the machine share one way."""
        if not isinstance(run, dict):
            return run
        plan = run.get("plan")
        options = (run.get("workload") or {}).get("options") or {}
        name = (plan.get("mode") or plan.get("split")) if isinstance(plan, dict) else options.get("layout")
        if not isinstance(name, str) or name not in _PLANS:
            return run
        kinds = (run.get("machine") or {}).get("gpus") or ()
        cards = sum(kind.get("count", 1) for kind in kinds) or 1
        degree, zero = _PLANS[name]
        return {**run, "plan": {degree: cards, "zero": zero}}

    @property
    def case(self) -> Case:
        """The run as a case: all that the prediction may look at."""
        return Case(workload=self.workload, machine=self.machine, plan=self.plan, also=self.also)


class RunsFile(Word):
    """The file format `measured-runs/1`. Runs are read one by one: a bad one spoils no other."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    format: Literal["measured-runs/1"]
    runs: Several[dict[str, Any]]


class ScoredQuantity(Word):
    """Predicted against measured for one quantity of one run. Sizes in bytes."""

    id: str
    quantity: str | None = None
    measured: float | None = None
    low: float | None = None
    likely: float | None = None
    high: float | None = None
    inside: bool | None = None
    error_percent: float | None = None
    outcome: str | None = None
    verdict: str | None = None
    skipped: str | None = None


class GroupScore(Word):
    """How well a group of quantities was predicted."""

    group: str
    n: int
    median_abs_error_percent: float | None
    p90_abs_error_percent: float | None
    coverage: float | None
    mean_relative_width: float | None = None
    """Mean of (high - low) / likely: how much room the range takes to hold the values."""
    verdict_accuracy: float | None


class Validation(Word):
    """The JSON of `validate`."""

    format: Literal["validation/1"] = "validation/1"
    runs: tuple[ScoredQuantity, ...]
    summary: tuple[GroupScore, ...]
