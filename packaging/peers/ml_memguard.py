"""ml-memguard: a guard against running out of memory; inference and fine-tuning on one device."""

from __future__ import annotations

from configurator.domain.units import MIB
from peers.question import Guess, Question

_BITS = {
    "bf16": 16,
    "fp16": 16,
    "fp32": 32,
    "fp8": 8,
    "int8": 8,
    "nf4": 4,
    "nf4-dq": 4,
    "awq4": 4,
    "gptq4": 4,
}
_METHODS = {"lora": "lora", "qlora": "qlora", "full": "full", "pretrain": "full"}


def estimate(q: Question) -> Guess | None:
    """Return its answer; replicas are its ground, splits are not."""
    from memory_guard import constants, estimator

    if q.weights not in _BITS or q.plan.tp > 1 or q.plan.pp > 1 or q.plan.zero:
        return None
    if not (q.infers or q.steps):
        return None
    model = estimator.ModelSpec(
        q.parameters,
        q.hidden,
        q.heads,
        q.kv_heads,
        q.layers,
        q.intermediate,
        _BITS[q.weights],
        estimator.ModelArch.MOE if q.experts else estimator.ModelArch.DENSE,
        q.experts or 1,
        q.active_experts,
    )
    if q.infers:
        found = estimator.estimate_inference_memory(model, q.batch, q.context)
    else:
        targets = q.workload.lora.targets if q.workload.lora else "all-linear"
        training = estimator.TrainSpec(
            estimator.FinetuneMethod(_METHODS[q.workload.task]),
            q.batch,
            q.context,
            q.rank or 8,
            q.layers,
            7 if isinstance(targets, str) else len(targets),
            "sgd" if q.optimizer.startswith("sgd") else "adamw",
            bool(q.workload.checkpointing),
            qlora_double_quant=q.weights == "nf4-dq",
            flash_attention=q.workload.attention != "eager",
        )
        found = estimator.estimate_training_memory(model, training)
    return Guess(found.total_mb * MIB, outside=constants.FIXED_OVERHEAD_MB * MIB)
