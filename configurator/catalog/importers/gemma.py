"""Gemma: wide heads, tied head, sliding windows between full layers."""

from __future__ import annotations

from configurator.catalog.importers.attention import grouped, sliding_layers
from configurator.catalog.importers.dense import build, equal
from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import Architecture, FeedForward, Layer, MixtureOfExperts
from configurator.domain.errors import NotYet
from configurator.domain.message import message

GEMMA3_DEFAULTS = {
    "vocab_size": 262208,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
}
"""Transformers' defaults, which the published files of Gemma 3 leave out."""


def gemma(f: Fields, family: str) -> Architecture:
    """Gemma 1: wide heads, tied head, norms in fp32."""
    channel = FeedForward(f.need("intermediate_size"))
    return equal(f, family, grouped(f), channel, tied=True, norm_offset_float=True)


def gemma23(f: Fields, family: str) -> Architecture:
    """Gemma 2 and 3: four norms a layer, sliding windows between full layers."""
    count = f.need("num_hidden_layers")
    second = family == "gemma2"
    window = f.get("sliding_window", default=4096)
    kinds = sliding_layers(f, count, 2 if second else 6)
    layers = []
    for sliding in kinds:
        attention = grouped(
            f,
            window=window if sliding else None,
            qk_norm="none" if second else "head",
            softcap=second,
        )
        layers.append(Layer(attention, FeedForward(f.need("intermediate_size")), norms=4))
    tables = 1 if second else 2
    return build(
        f,
        family,
        tuple(layers),
        tied=True,
        norm_offset_float=True,
        logit_softcap=second,
        rotary_tables=tables,
    )


def gemma4(f: Fields, family: str) -> Architecture:
    """Gemma 4: global layers have their own head dimension and may share keys and values; the large
    sparse model has experts beside the dense feed-forward.
    """
    if f.get("hidden_size_per_layer_input", default=0):
        raise NotYet(message("model '{model}': embeddings per layer are not computed yet", model=f.name))
    count = f.need("num_hidden_layers")
    window, shared = f.get("sliding_window", default=1024), f.flag("attention_k_eq_v", False)
    local = grouped(f, window=window, qk_norm="head")
    wide = grouped(
        f,
        head_dim=f.get("global_head_dim", default=f.need("head_dim")),
        kv_heads=f.get("num_global_key_value_heads", default=_global_heads(f, shared)),
        qk_norm="head",
        keys_are_values=shared,
    )
    channel = _gemma4_channel(f)
    kinds = sliding_layers(f, count, 6)
    layers = tuple(Layer(local if sliding else wide, channel, norms=4) for sliding in kinds)
    return build(f, family, layers, tied=True, rotary_tables=2)


def _global_heads(f: Fields, shared: bool) -> int:
    """Return the KV heads of global layers where they are not stated: a quarter where keys serve as values (31B:
    4 of 16; sparse 26B: 2 of 8), else all."""
    heads = int(f.need("num_key_value_heads"))
    return max(1, heads // 4) if shared else heads


def _gemma4_channel(f: Fields) -> FeedForward | MixtureOfExperts:
    inner = f.need("intermediate_size")
    if not f.flag("enable_moe_block", False):
        return FeedForward(inner)
    return MixtureOfExperts(
        experts=f.need("num_experts"),
        active=f.need("top_k_experts"),
        intermediate=f.need("moe_intermediate_size"),
        dense_intermediate=inner,
    )
