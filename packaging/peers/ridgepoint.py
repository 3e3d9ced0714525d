"""ridgepoint: inference on vLLM and the llama.cpp family on cards of its own list."""

from __future__ import annotations

import json

from peers.question import Guess, Question

_TYPES = {"bf16": "bf16", "fp16": "fp16", "fp8": "fp8", "int8": "int8", "awq4": "awq", "gptq4": "gptq"}
_FILES = ("q2_k", "q3_k_m", "q4_0", "q4_k_s", "q4_k_m", "q5_k_m", "q6_k", "q8_0")
_CARDS = {
    "a100-80": "a100-80gb",
    "a100-40": "a100-40gb",
    "h100": "h100-80gb",
    "h200": "h200-141gb",
    "b200": "b200-192gb",
    "l40s": "l40s-48gb",
    "3090": "rtx3090-24gb",
    "5090": "rtx5090-32gb",
}
_USUAL_CARD = "rtx4090-24gb"
"""Only speed depends on the card."""


def estimate(q: Question) -> Guess | None:
    """Return its answer for one GPU: weights and overhead of a rank, cache of the stated sequences."""
    from ridgepoint import _core

    weights = _TYPES.get(q.weights) or (q.weights if q.weights in _FILES else None)
    if not q.infers or weights is None:
        return None
    ranks = q.plan.tp * q.plan.pp
    active = max(round(q.parameters * q.active_experts / q.experts), 1) if q.experts else q.parameters
    answer = _core.fit_shape(
        "model",
        q.layers,
        _caching_layers(q),
        q.hidden,
        q.parameters,
        active,
        *_geometry(q),
        next((card for part, card in _CARDS.items() if part in q.gpu.lower()), _USUAL_CARD),
        ranks,
        "vllm" if q.workload.framework in ("vllm", "sglang") else "llamacpp",
        weights,
        "fp8" if q.workload.kv_cache == "fp8" else "fp16",
        q.context,
        min(2048, q.context),
        True,
    )
    found = json.loads(answer)
    overhead = found["memory"]["overhead_bytes"]["best"]
    cache = found["capacity"]["bytes_per_seq"] * q.batch
    return Guess(
        (found["memory"]["weights_bytes"]["best"] + overhead + cache) / ranks, outside=overhead / ranks
    )


def _caching_layers(q: Question) -> int:
    kinds = q.config.get("layer_types")
    if kinds:
        return max(1, sum("full" in str(kind) for kind in kinds))
    return q.layers // int(q.config.get("full_attention_interval") or 1)


def _geometry(q: Question) -> tuple[str, int, int, int, int, int]:
    width = int(q.config.get("head_dim") or q.hidden // q.heads)
    if q.config.get("kv_lora_rank"):
        return "mla", 0, 0, 0, int(q.config["kv_lora_rank"]), int(q.config.get("qk_rope_head_dim") or 64)
    if q.kv_heads == q.heads:
        return "mha", width, q.heads, 0, 0, 0
    return "gqa", width, 0, q.kv_heads, 0, 0
