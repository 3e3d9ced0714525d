"""ftuneai: fine-tuning, full or with adapters, data parallel with ZeRO."""

from __future__ import annotations

from configurator.domain.units import GIB
from peers.question import Guess, Question


def estimate(q: Question) -> Guess | None:
    """Return its answer; what it adds for context and fragmentation lies outside the allocated peak."""
    from ftuneai.core import models
    from ftuneai.core.memory import MemoryEstimator

    if q.workload.task not in ("lora", "qlora", "full") or not q.steps or q.plan.tp > 1 or q.plan.pp > 1:
        return None
    model = models.ModelSpec(
        "model",
        q.parameters,
        q.hidden,
        q.layers,
        q.heads,
        q.kv_heads,
        q.intermediate,
        int(q.config["vocab_size"]),
        max(int(q.config.get("max_position_embeddings") or 0), q.context),
        is_moe=bool(q.experts),
        num_experts=q.experts or None,
        num_active_experts=q.active_experts if q.experts else None,
    )
    rank = q.rank or 16
    training = models.TrainingConfig(
        "model",
        models.FineTuneMethod(q.workload.task),
        _quantization(models, q),
        q.batch,
        q.context,
        bool(q.workload.checkpointing),
        _optimizer(models, q),
        rank,
        2 * rank,
        _targets(models, q),
        q.workload.attention == "flash",
        models.ShardingStrategy("none" if not q.plan.zero else f"zero_{q.plan.zero}"),
        q.plan.dp,
    )
    found = MemoryEstimator(model, training).estimate()
    return Guess(found.total_gb * GIB, outside=found.overhead_gb * GIB)


def _quantization(models, q: Question):  # type: ignore[no-untyped-def]
    if q.workload.task == "qlora" or q.weights.startswith("nf4"):
        return models.Quantization.INT4
    return models.Quantization.INT8 if q.weights == "int8" else models.Quantization.NONE


def _optimizer(models, q: Question):  # type: ignore[no-untyped-def]
    for part, kind in (("8bit", "ADAM_8BIT"), ("adafactor", "ADAFACTOR"), ("sgd", "SGD")):
        if part in q.optimizer:
            return models.OptimizerType[kind]
    return models.OptimizerType.ADAMW


def _targets(models, q: Question):  # type: ignore[no-untyped-def]
    named = q.workload.lora.targets if q.workload.lora else "all-linear"
    if isinstance(named, str) or len(named) > 4:
        return models.LoRATarget.ALL_LINEAR
    return models.LoRATarget.ATTENTION_ALL if len(named) > 2 else models.LoRATarget.ATTENTION
