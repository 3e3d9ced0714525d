"""Changes of the workload: formats, switches of the training, load, what waits in RAM."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.advice.option import Cost, Option, Situation
from configurator.domain.message import Message, message
from configurator.domain.workload import ADAPTERS, Checkpointing
from configurator.memory.formats import cache_bytes, weight_bits
from configurator.memory.optimizers import optimizer

_CHECKPOINTING: tuple[Checkpointing, ...] = (False, "selective", True, "unsloth")
"""From the one that keeps most to the one that keeps least."""
_WORTH = 4
"""A text or a load of less than a quarter of what was asked for is another task, not a way out."""
_ROUND = 256
"""Context lengths are named in multiples of this."""


def formats(s: Situation) -> Iterator[Option]:
    """Offer fewer bits for the weights and for the cache."""
    loss = message("answers get a little worse with fewer bits")
    present = _bits(s.workload.weights or "bf16")
    for name in s.steps("weights"):
        if _bits(name) < present:
            action = message("weights in {format}", format=name)
            yield Option("weights", Cost.QUALITY, {"weights": name}, action, loss)
    if s.workload.trains:
        return
    for name in s.steps("kv_cache"):
        if cache_bytes(name) < cache_bytes(s.workload.kv_cache or "bf16"):
            action = message("KV cache in {format}", format=name)
            price = message("long texts are remembered a little less exactly")
            yield Option("kv_cache", Cost.SPEED, {"kv_cache": name}, action, price)


def _bits(name: str) -> float:
    bits = weight_bits(name)
    return min(bits["linear"], bits["expert"])


def training(s: Situation) -> Iterator[Option]:
    """Offer checkpointing, a smaller batch, a leaner optimizer, an adapter instead of the whole model."""
    if not s.workload.trains:
        return
    yield from _smaller_batches(s)
    yield from _checkpointing(s)
    present = optimizer(s.workload.optimizer or "adamw")
    for name in s.steps("optimizer"):
        other = optimizer(name)
        if (other.per_parameter(2), not other.paged) < (present.per_parameter(2), not present.paged):
            action = message("optimizer {name}", name=name)
            price = message("the quality stays practically the same")
            yield Option("optimizer", Cost.SPEED, {"optimizer": name}, action, price)
    yield from _frameworks(s)
    yield from _adapters(s)


def _frameworks(s: Situation) -> Iterator[Option]:
    """Offer a framework that keeps less; own switches of the present one would not be understood by it."""
    if s.cards > 1 or s.workload.options or s.full.machine.system:
        return
    for name in s.steps("framework"):
        other = s.catalog.frameworks[name]
        if s.full.machine.os is None or s.full.machine.os in other.os:
            change = {"framework": name, "framework_version": None, "checkpointing": None}
            action = message("{name} as the framework", name=other.name)
            price = message("another tool to set up")
            yield Option("framework", Cost.EFFORT, change, action, price)


def _checkpointing(s: Situation) -> Iterator[Option]:
    present = _CHECKPOINTING.index(s.workload.checkpointing or False)
    if present < _CHECKPOINTING.index(True):
        action, price = (
            message("checkpointing of every layer"),
            message("every step computes the layers twice"),
        )
        yield Option("checkpointing", Cost.SPEED, {"checkpointing": True}, action, price)
    if present < _CHECKPOINTING.index("unsloth") and s.framework.checkpointing == "unsloth":
        action = message("checkpointing in the manner of Unsloth")
        price = message("the inputs of the layers travel to the RAM and back")
        yield Option("checkpointing", Cost.SPEED, {"checkpointing": "unsloth"}, action, price)


def _smaller_batches(s: Situation) -> Iterator[Option]:
    """Offer every divisor of the batch, accumulated to the same effective batch."""
    batch, accumulated = s.workload.batch or 1, s.workload.grad_accum or 1
    for smaller in range(batch - 1, 0, -1):
        if batch % smaller == 0:
            change = {"batch": smaller, "grad_accum": accumulated * batch // smaller}
            action = message(
                "batch {batch}, accumulated over {steps} steps", batch=smaller, steps=change["grad_accum"]
            )
            yield Option(
                "batch",
                Cost.NOTHING,
                change,
                action,
                message("the effective batch stays, a step takes a little longer"),
            )


def _adapters(s: Situation) -> Iterator[Option]:
    task, tasks = s.workload.task, s.framework.tasks
    if task == "full" and "lora" in tasks:
        change: dict[str, Any] = {"task": "lora", "weights": s.framework.default_weights.get("lora", "bf16")}
        price = message("adapters learn style and form well, new knowledge less")
        yield Option(
            "adapter", Cost.SCOPE, change, message("LoRA adapters instead of the whole model"), price
        )
    if task in ("full", "lora") and "qlora" in tasks:
        change = {"task": "qlora", "weights": s.framework.default_weights.get("qlora", "nf4")}
        price = message("adapters on a base in 4 bit, a step takes longer")
        cost = Cost.QUALITY if task in ADAPTERS else Cost.SCOPE
        yield Option("adapter", cost, change, message("QLoRA: the base model in 4 bit"), price)


def load(s: Situation) -> Iterator[Option]:
    """Offer the longest text and the most requests that fit, else half and a quarter of them."""
    for kind, cost, action, price in _LOADS:
        wanted, most = getattr(s.workload, kind), getattr(s.limits, f"max_{kind}")
        if not wanted or (kind != "context" and s.workload.trains):
            continue
        step = _ROUND if kind == "context" else 1
        for value in (most or 0, wanted // 2, wanted // _WORTH):
            value -= value % step
            if max(wanted // _WORTH, _least(s, kind)) <= value < wanted:
                said = Message(action.template, {"value": value, "wanted": wanted})
                yield Option(kind, cost, {kind: value}, said, price)


_LOADS = (
    (
        "context", Cost.SCOPE, message("context {value:n} instead of {wanted:n} tokens"),
        message("longer texts are cut off"),
    ),
    (
        "concurrency", Cost.SCOPE, message("{value:n} instead of {wanted:n} requests at once"),
        message("the others wait their turn"),
    ),
    ("batch", Cost.SPEED, message("batch {value:n} instead of {wanted:n}"), message("a run takes longer")),
)  # fmt: skip


def _least(s: Situation, kind: str) -> int:
    """Return what the customer said the texts need at least."""
    return (s.workload.input_tokens or 0) + (s.workload.output_tokens or 0) if kind == "context" else 1
