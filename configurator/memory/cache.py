"""What a model keeps between tokens: KV cache per layer and recurrent state per sequence."""

from __future__ import annotations

from functools import singledispatch
from math import ceil

from configurator.catalog.framework import Framework
from configurator.domain.architecture import (
    Attention,
    GatedDeltaNet,
    KimiDeltaAttention,
    LatentAttention,
    Mamba2,
    ShortConv,
)
from configurator.memory.weights import Stage

STATIC_ROOM = 8
"""Tokens that a static cache is allocated for beyond the prompt (reference runs of Transformers 5.24)."""


def kept_tokens(window: int | None, context: int, framework: Framework, ubatch: int, static: bool) -> int:
    """Return the tokens a layer keeps of a sequence of `context` tokens.

    Transformers keeps `window - 1` after a prefill (a static cache: `window`); llama.cpp keeps the
    window and one micro-batch, padded to 256 cells; frameworks that ignore the window keep all.
    """
    if static:
        context += STATIC_ROOM
    if window is None or framework.window == "ignored":
        return context
    match framework.window:
        case "transformers":
            return min(context, window if static else window - 1)
        case "llama.cpp":
            return min(context, ceil((window + ubatch) / 256) * 256)
        case _:
            return min(context, window)


@singledispatch
def values_per_token(block: object, tp: int, framework: Framework) -> float:
    """Return the cached values per kept token and layer on one tensor-parallel rank."""
    return 0.0


@values_per_token.register
def _(block: Attention, tp: int, framework: Framework) -> float:
    heads = ceil(block.kv_heads / tp)
    # Keys that serve as values too are kept once.
    return (1 if block.keys_are_values else 2) * heads * block.head_dim


@values_per_token.register
def _(block: LatentAttention, tp: int, framework: Framework) -> float:
    if framework.latent_cache == "expanded":
        width = block.qk_nope_head_dim + block.qk_rope_head_dim + block.v_head_dim
        return ceil(block.heads / tp) * width
    # The latent is shared by all heads: every rank holds it whole. An indexer adds one key.
    index = block.index_head_dim if block.index_heads else 0
    return block.kv_lora_rank + block.qk_rope_head_dim + index


@singledispatch
def state_bytes(block: object) -> float:
    """Return the bytes of recurrent state per sequence and layer.

    The recurrence is kept in fp32, the convolution's window in 16 bit with its full kernel width in the
    Transformers code (exact against it) - fp32 states of other engines differ by the window only.
    """
    return 0.0


@state_bytes.register
def _(block: GatedDeltaNet) -> float:
    channels = 2 * block.key_heads * block.key_head_dim + block.value_heads * block.value_head_dim
    return (
        block.value_heads * block.key_head_dim * block.value_head_dim * 4 + channels * block.conv_kernel * 2
    )


@state_bytes.register
def _(block: KimiDeltaAttention) -> float:
    return block.heads * block.head_dim**2 * 4 + 3 * block.heads * block.head_dim * block.conv_kernel * 2


@state_bytes.register
def _(block: Mamba2) -> float:
    channels = block.inner + 2 * block.groups * block.state
    return block.inner * block.state * 4 + channels * block.conv_kernel * 2


@state_bytes.register
def _(block: ShortConv) -> float:
    return block.width * block.conv_kernel * 2


def stage_cache(
    stage: Stage,
    tp: int,
    context: int,
    value_bytes: float,
    framework: Framework,
    ubatch: int,
    static: bool = False,
) -> tuple[float, float]:
    """Return bytes of KV cache and of recurrent state for one sequence on one rank of a stage."""
    cache = state = 0.0
    for layer in stage.layers:
        mixer = layer.mixer
        window = mixer.window if isinstance(mixer, Attention) else None
        kept = kept_tokens(window, context, framework, ubatch, static)
        cache += kept * values_per_token(mixer, tp, framework) * value_bytes
        state += state_bytes(mixer) / tp
    return cache, state
