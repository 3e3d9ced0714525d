"""vramcalc: inference, full training and LoRA of dense Llama-like models in 16 or 32 bit on one GPU."""

from __future__ import annotations

from peers.question import Guess, Question

_OPTIMIZERS = {"adam": "adamw", "adamw": "adamw", "sgd": "sgd"}


def estimate(q: Question) -> Guess | None:
    """Return its answer; quantised weights, other optimizers and splits are not its ground."""
    import vramcalc

    if q.weights not in ("bf16", "fp16", "fp32") or q.workload.task == "qlora" or q.plan.gpus > 1:
        return None
    if not q.infers and q.optimizer not in _OPTIMIZERS:
        return None
    training = (
        {}
        if q.infers
        else {
            "lora_rank": q.rank,
            "grad_checkpoint": bool(q.workload.checkpointing),
            "optimizer": _OPTIMIZERS[q.optimizer],
            "precision": "amp" if q.weights == "fp32" and q.workload.compute != "fp32" else "pure",
        }
    )
    # It calls the type of the arithmetic dtype, and keeps fp32 weights beside it under amp.
    dtype = (q.workload.compute or q.weights) if training.get("precision") == "amp" else q.weights
    found = vramcalc.estimate(
        dict(q.config),
        mode="inference" if q.infers else "train",
        dtype=dtype,
        batch=q.batch,
        seq_len=q.context,
        attn_impl="eager" if q.workload.attention == "eager" else "sdpa",
        **training,
    )
    return Guess(found.total + found.overhead, outside=found.overhead)
