"""hf-mem: weights of a checkpoint and the KV cache; inference on one GPU."""

from __future__ import annotations

from peers.question import Guess, Question

_TYPES = {"bf16": "BF16", "fp16": "F16", "fp32": "F32", "fp8": "F8_E4M3", "int8": "I8"}


def estimate(q: Question) -> Guess | None:
    """Return its answer; packed 4-bit checkpoints and splits are not its ground."""
    from hf_mem.safetensors.kv_cache import compute_safetensors_kv_cache_size
    from hf_mem.safetensors.metadata import parse_safetensors_metadata

    if not q.infers or q.weights not in _TYPES or q.plan.gpus > 1:
        return None
    header = {"Transformer": {"model.weight": {"dtype": _TYPES[q.weights], "shape": [q.parameters]}}}
    weights = parse_safetensors_metadata(header).bytes_count
    cache_type = "F8_E4M3" if q.workload.kv_cache == "fp8" else "BF16"
    return Guess(weights + compute_safetensors_kv_cache_size(dict(q.config), cache_type, q.context, q.batch))
