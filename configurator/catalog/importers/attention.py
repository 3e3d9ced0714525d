"""Attention blocks from configurations: dimensions, biases, windows."""

from __future__ import annotations

from typing import Any

from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import Attention, LatentAttention


def head_dim(f: Fields) -> int:
    """Return the stated head dimension, or hidden width by heads."""
    return f.get("head_dim", default=f.need("hidden_size") // f.need("num_attention_heads"))


def grouped(f: Fields, **changes: Any) -> Attention:
    """Return grouped-query attention with the usual field names."""
    heads = f.need("num_attention_heads")
    facts: dict[str, Any] = {
        "heads": heads,
        "kv_heads": f.get("num_key_value_heads", default=heads),
        "head_dim": head_dim(f),
        "qkv_bias": f.flag("attention_bias", False),
        "output_bias": f.flag("attention_bias", False),
        "partial_rotary": _rotated_share(f) < 1,
    }
    return Attention(**(facts | changes))


def _rotated_share(f: Fields) -> float:
    """Return the share of a head that the rotary embedding turns."""
    nested = f.raw("rope_parameters")
    found = f.raw("partial_rotary_factor") or f.raw("rotary_pct")
    if found is None and isinstance(nested, dict):
        found = nested.get("partial_rotary_factor")
    return float(found) if isinstance(found, int | float) else 1.0


def latent(f: Fields) -> LatentAttention:
    """Return multi-head latent attention."""
    rank = f.raw("q_lora_rank")
    index = f.get("index_head_dim", default=0)
    return LatentAttention(
        heads=f.need("num_attention_heads"),
        q_lora_rank=rank if isinstance(rank, int) else None,
        kv_lora_rank=f.need("kv_lora_rank"),
        qk_nope_head_dim=f.need("qk_nope_head_dim"),
        qk_rope_head_dim=f.need("qk_rope_head_dim"),
        v_head_dim=f.need("v_head_dim"),
        index_heads=f.get("index_n_heads", default=64 if index else 0),
        index_head_dim=index,
    )


def sliding_layers(f: Fields, count: int, pattern: int) -> list[bool]:
    """Return for each layer whether it has a sliding window: every `pattern`-th layer is full."""
    listed = f.layer_types(count)
    if listed:
        return ["sliding" in kind for kind in listed]
    every = f.get("sliding_window_pattern", default=pattern)
    return [bool((index + 1) % every) for index in range(count)]
