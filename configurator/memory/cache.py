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
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

STATIC_ROOM = 8
"""Tokens that a static cache is allocated for beyond the prompt (reference runs of Transformers 5.24)."""


def kept_tokens(
    window: int | None, context: int, framework: Framework, ubatch: int, static: bool, chunk: int = 0
) -> int:
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
            return min(context, window + chunk)


def expanded_latent(s: Setting) -> bool:
    """Whether keys and values of latent attention are cached per head instead of as one latent.

    Old code of MLX and Transformers does (`kv_cache: per-head`), ik_llama.cpp without -mla, which its old
    defaults pair with no flash attention; llama.cpp since April 2025 keeps the latent.
    """
    if "per-head" in str(s.option("kv_cache", "")):
        return True
    if s.framework.short_mask:
        return s.whole("mla", 0 if s.workload.attention == "eager" else 3) == 0
    return s.framework.latent_cache == "expanded"


@singledispatch
def values_per_token(block: object, tp: int, expanded: bool) -> float:
    """Return the cached values per kept token and layer on one tensor-parallel rank.

    `expanded`: latent attention keeps keys and values per head instead of the latent.
    """
    return 0.0


@values_per_token.register
def _(block: Attention, tp: int, expanded: bool) -> float:
    # Keys that serve as values too (Gemma 4) are turned by their positions: both are kept all the same.
    return 2 * ceil(block.kv_heads / tp) * block.head_dim


@values_per_token.register
def _(block: LatentAttention, tp: int, expanded: bool) -> float:
    if expanded:
        width = block.qk_nope_head_dim + block.qk_rope_head_dim + block.v_head_dim
        return ceil(block.heads / tp) * width
    # The latent is shared by all heads: every rank holds it whole. An indexer adds one key.
    index = block.index_head_dim if block.index_heads else 0
    return block.kv_lora_rank + block.qk_rope_head_dim + index


def token_bytes(block: object, tp: int, expanded: bool, value_bytes: float, framework: Framework) -> float:
    """Return the cached bytes per kept token and layer on one rank.

    Servers keep the key of a sparse-attention indexer in fp8 with one scale, and a latent in fp8 with a scale for
    128 values and its positions in 16 bit: 132 and 656 bytes (start-up logs of GLM-5).
    """
    values = values_per_token(block, tp, expanded)
    if framework.workspace != "server" or not isinstance(block, LatentAttention) or not block.index_heads:
        return values * value_bytes
    latent = block.kv_lora_rank + block.qk_rope_head_dim
    size = latent * value_bytes
    if value_bytes == 1:
        size = block.kv_lora_rank + block.kv_lora_rank / 128 * 4 + block.qk_rope_head_dim * 2
    return size + block.index_head_dim + 4


@singledispatch
def state_bytes(block: object, conv_bytes: int, spare: int) -> float:
    """Return the bytes of recurrent state per sequence and layer.

    The recurrence is kept in fp32. Of the convolution's window the Transformers code keeps the full kernel
    width in 16 bit (exact against it), llama.cpp all but one (`spare`) in fp32 (exact in start-up logs).
    """
    return 0.0


@state_bytes.register
def _(block: GatedDeltaNet, conv_bytes: int, spare: int) -> float:
    channels = 2 * block.key_heads * block.key_head_dim + block.value_heads * block.value_head_dim
    kept = channels * (block.conv_kernel - spare) * conv_bytes
    return block.value_heads * block.key_head_dim * block.value_head_dim * 4 + kept


@state_bytes.register
def _(block: KimiDeltaAttention, conv_bytes: int, spare: int) -> float:
    kept = 3 * block.heads * block.head_dim * (block.conv_kernel - spare) * conv_bytes
    return block.heads * block.head_dim**2 * 4 + kept


@state_bytes.register
def _(block: Mamba2, conv_bytes: int, spare: int) -> float:
    channels = block.inner + 2 * block.groups * block.state
    return block.inner * block.state * 4 + channels * (block.conv_kernel - spare) * conv_bytes


@state_bytes.register
def _(block: ShortConv, conv_bytes: int, spare: int) -> float:
    return block.width * (block.conv_kernel - spare) * conv_bytes


def stage_cache(
    stage: Stage,
    tp: int,
    context: int,
    value_bytes: float,
    framework: Framework,
    ubatch: int,
    static: bool = False,
    expanded: bool = False,
    sharing: int = 1,
    chunk: int = 0,
) -> tuple[float, float]:
    """Return bytes of KV cache and of recurrent state for one sequence on one rank of a stage.

    `sharing`: sequences that share one cache of `context` tokens; each has a window of its own.
    `chunk`: tokens of one step that a server's pool keeps beside a window.
    """
    cache = state = 0.0
    fp32_window = framework.workspace == "llama.cpp"
    for layer, count in stage.groups:
        mixer = layer.mixer
        window = mixer.window if isinstance(mixer, Attention) else None
        kept = kept_tokens(window and window * sharing, context, framework, ubatch, static, chunk)
        cache += count * kept * token_bytes(mixer, tp, expanded, value_bytes, framework)
        state += count * state_bytes(mixer, 4 if fp32_window else 2, 1 if fp32_window else 0) / tp
    return cache, state
