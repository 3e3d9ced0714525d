"""Dense families: one attention and one feed-forward block a layer."""

from __future__ import annotations

from typing import Any

from configurator.catalog.importers.attention import grouped
from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import Architecture, Attention, FeedForward, Layer


def build(
    f: Fields, family: str, layers: tuple[Layer, ...], tied: bool = False, **changes: Any
) -> Architecture:
    """Return a model from its layers and the outer fields that all families share."""
    facts: dict[str, Any] = {
        "hidden": f.need("hidden_size", "n_embd"),
        "vocab": f.need("vocab_size"),
        "tied": f.flag("tie_word_embeddings", tied),
        "max_context": f.get("max_position_embeddings", "n_positions", default=0) or None,
    }
    return Architecture(family=family, layers=layers, **(facts | changes))


def llama(f: Fields, family: str) -> Architecture:
    """Llama and its relatives. Mistral's window is not kept: caches of Transformers and llama.cpp hold
    the full length of models that list no kind per layer (reference runs).
    """
    return equal(
        f, family, grouped(f), FeedForward(f.need("intermediate_size"), bias=f.flag("mlp_bias", False))
    )


def equal(f: Fields, family: str, attention: Attention, channel: FeedForward, **changes: Any) -> Architecture:
    """Return a model of equal layers; `changes` are fields of Architecture, or `norms` and `parallel`."""
    norms = changes.pop("norms", 2)
    parallel = changes.pop("parallel", False)
    layer = Layer(attention, channel, norms, parallel)
    count = f.need("num_hidden_layers", "n_layer")
    return build(f, family, (layer,) * count, **changes)


def qwen1(f: Fields, family: str) -> Architecture:
    """Qwen 1: one fused projection with bias; its two feed-forward matrices are gate and up."""
    inner = f.need("intermediate_size")
    hidden = f.need("hidden_size")
    # The published files state twice the width of one matrix (22,016 for 7B); collections state one.
    if inner > 3.5 * hidden:
        inner //= 2
    attention = grouped(f, fused_qkv=True, qkv_bias=True, output_bias=False)
    return equal(f, family, attention, FeedForward(inner), logits_raised=False)


def qwen2(f: Fields, family: str) -> Architecture:
    """Qwen 2: bias on q, k and v."""
    attention = grouped(f, qkv_bias=True, output_bias=False)
    return equal(f, family, attention, FeedForward(f.need("intermediate_size")))


def qwen3(f: Fields, family: str) -> Architecture:
    """Qwen 3 dense: q and k norms per head."""
    return equal(f, family, grouped(f, qk_norm="head"), FeedForward(f.need("intermediate_size")))


def two_matrices(f: Fields, family: str) -> Architecture:
    """Arcee: squared ReLU without gate."""
    return equal(f, family, grouped(f), FeedForward(f.need("intermediate_size"), gated=False))


def apertus(f: Fields, family: str) -> Architecture:
    """Apertus: xIELU without gate, q and k norms per head."""
    channel = FeedForward(f.need("intermediate_size"), gated=False, steps=5)
    return equal(f, family, grouped(f, qk_norm="head"), channel)


def nemotron(f: Fields, family: str) -> Architecture:
    """Nemotron and Minitron: layer norm, squared ReLU without gate."""
    return equal(
        f,
        family,
        grouped(f, partial_rotary=True),
        FeedForward(f.need("intermediate_size"), gated=False),
        norm="layer",
    )


def olmo2(f: Fields, family: str) -> Architecture:
    """OLMo 2: norms behind the blocks, q and k norms over all heads."""
    attention = grouped(f, qk_norm="full")
    return equal(f, family, attention, FeedForward(f.need("intermediate_size")), norm_offset_float=True)


def phi3(f: Fields, family: str) -> Architecture:
    """Phi-3 and Phi-4: fused projections."""
    attention = grouped(f, fused_qkv=True, qkv_bias=False, output_bias=False, partial_rotary=True)
    return equal(f, family, attention, FeedForward(f.need("intermediate_size"), fused_gate_up=True))


def _steps(f: Fields) -> float:
    """Return what the activation keeps beside its input: `gelu_new`, the default here, is written out."""
    name = f.raw("hidden_act") or f.raw("activation_function") or "gelu_new"
    return 6.0 if name == "gelu_new" else 0.0


def phi(f: Fields, family: str) -> Architecture:
    """Phi-1.5 and Phi-2: parallel blocks, one layer norm, biases everywhere."""
    attention = grouped(f, qkv_bias=True, output_bias=True)
    channel = FeedForward(f.need("intermediate_size"), gated=False, bias=True, steps=_steps(f))
    return equal(f, family, attention, channel, norms=1, parallel=True, norm="layer", head_bias=True)


def cohere(f: Fields, family: str) -> Architecture:
    """Command R: parallel blocks, one layer norm without bias."""
    channel = FeedForward(f.need("intermediate_size"))
    return equal(
        f, family, grouped(f), channel, norms=1, parallel=True, norm="layer", norm_bias=False, tied=True
    )


def gpt_neox(f: Fields, family: str) -> Architecture:
    """GPT-NeoX and StableLM alpha: parallel blocks, two layer norms, fused projection."""
    attention = grouped(f, fused_qkv=True, qkv_bias=True, output_bias=True)
    channel = FeedForward(f.need("intermediate_size"), gated=False, bias=True)
    return equal(f, family, attention, channel, parallel=True, norm="layer")


def gpt2(f: Fields, family: str) -> Architecture:
    """GPT-2: learned positions, biases everywhere, tied head."""
    hidden, heads = f.need("n_embd", "hidden_size"), f.need("n_head", "num_attention_heads")
    attention = Attention(
        heads, heads, hidden // heads, fused_qkv=True, qkv_bias=True, output_bias=True, output_name="c_proj"
    )
    inner = f.get("n_inner", "intermediate_size", default=4 * hidden)
    channel = FeedForward(inner, gated=False, bias=True, steps=_steps(f))
    rows = f.get("n_positions", "max_position_embeddings", default=1024)
    return equal(f, family, attention, channel, norm="layer", tied=True, learned_positions=rows)


def falcon(f: Fields, family: str) -> Architecture:
    """Falcon: parallel blocks, multi-query or grouped keys, tied head."""
    hidden, heads = f.need("hidden_size"), f.need("num_attention_heads")
    stated = f.get("num_kv_heads", "num_key_value_heads", default=1)
    new = f.flag("new_decoder_architecture", stated not in (1, heads))
    kv_heads = stated if new else 1
    if not new and not f.flag("multi_query", True):
        kv_heads = heads
    attention = Attention(heads, kv_heads, hidden // heads, fused_qkv=True)
    channel = FeedForward(f.get("ffn_hidden_size", "intermediate_size", default=4 * hidden), gated=False)
    norms = 2 if new or not f.flag("parallel_attn", True) else 1
    return equal(f, family, attention, channel, norms=norms, parallel=True, norm="layer", tied=True)
