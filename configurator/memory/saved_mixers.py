"""What attention and recurrent mixers keep between forward and backward, per token."""

from __future__ import annotations

from functools import singledispatch

from configurator.domain.architecture import (
    Architecture,
    Attention,
    GatedDeltaNet,
    KimiDeltaAttention,
    LatentAttention,
    Mamba2,
    ShortConv,
)
from configurator.memory.reads import Read, Saving

_DELTA_CHUNK = 64
"""Tokens that the chunked delta rule takes at once (default of the Transformers code)."""


@singledispatch
def mixer_reads(block: object, hidden: int, s: Saving) -> tuple[Read, ...]:
    """Return the inputs of a mixer's linears; the first is the normalised stream."""
    return ()


@mixer_reads.register
def _(block: Attention, hidden: int, s: Saving) -> tuple[Read, ...]:
    q, kv = block.q_dim, block.kv_dim
    if block.fused_qkv:
        linears: tuple[tuple[str, int], ...] = (("qkv_proj", q + 2 * kv),)
    else:
        linears = (("q_proj", 2 * q if block.output_gate else q), ("k_proj", kv))
        if not block.keys_are_values:
            linears += (("v_proj", kv),)
    # Flash attention keeps its output itself, unless a copy of it is read.
    kept = not (s.eager or block.output_gate or block.partial_rotary)
    return Read(hidden, linears, stream=True), Read(q, ((block.output_name, hidden),), kept=kept)


@mixer_reads.register
def _(block: LatentAttention, hidden: int, s: Saving) -> tuple[Read, ...]:
    width = block.heads * (block.qk_nope_head_dim + block.qk_rope_head_dim)
    latent = ("kv_a_proj_with_mqa", block.kv_lora_rank + block.qk_rope_head_dim)
    reads = [
        Read(block.kv_lora_rank, (("kv_b_proj", block.heads * (block.qk_nope_head_dim + block.v_head_dim)),))
    ]
    if block.q_lora_rank:
        first = Read(hidden, (("q_a_proj", block.q_lora_rank), latent), stream=True)
        reads.append(Read(block.q_lora_rank, (("q_b_proj", width),)))
    else:
        first = Read(hidden, (("q_proj", width), latent), stream=True)
    return first, *reads, Read(block.heads * block.v_head_dim, (("o_proj", hidden),))


@mixer_reads.register
def _(block: GatedDeltaNet, hidden: int, s: Saving) -> tuple[Read, ...]:
    keys, values = block.key_heads * block.key_head_dim, block.value_heads * block.value_head_dim
    linears: tuple[tuple[str, int], ...] = (
        ("in_proj_qkvz", 2 * keys + 2 * values),
        ("in_proj_ba", 2 * block.value_heads),
    )
    if block.split_projections:
        linears = (
            ("in_proj_qkv", 2 * keys + values),
            ("in_proj_z", values),
            ("in_proj_b", block.value_heads),
            ("in_proj_a", block.value_heads),
        )
    return Read(hidden, linears, stream=True), Read(values, (("out_proj", hidden),))


@mixer_reads.register
def _(block: KimiDeltaAttention, hidden: int, s: Saving) -> tuple[Read, ...]:
    width = block.heads * block.head_dim
    names = ("q_proj", "k_proj", "v_proj")
    return Read(hidden, tuple((name, width) for name in names), stream=True), Read(
        width, (("o_proj", hidden),)
    )


@mixer_reads.register
def _(block: Mamba2, hidden: int, s: Saving) -> tuple[Read, ...]:
    rows = 2 * block.inner + 2 * block.groups * block.state + block.heads
    # The fused kernel computes the input of its output projection again.
    out = Read(block.inner, (("out_proj", hidden),), kept=s.recurrence == "fused")
    return Read(hidden, (("in_proj", rows),), stream=True), out


@mixer_reads.register
def _(block: ShortConv, hidden: int, s: Saving) -> tuple[Read, ...]:
    return (
        Read(hidden, (("in_proj", 3 * block.width),), stream=True),
        Read(block.width, (("out_proj", hidden),)),
    )


def heads_of(block: object) -> int:
    """Return the heads whose scores softmax attention computes; 0 for other mixers."""
    return block.heads if isinstance(block, Attention | LatentAttention) else 0


def score_bytes(block: object, s: Saving) -> float:
    """Return the bytes per token and token of context: eager attention keeps its softmax in fp32 and, for
    16-bit arithmetic, its copy; a soft cap keeps the capped scores too.
    """
    if not s.eager or not isinstance(block, Attention | LatentAttention):
        return 0.0
    if s.plain_scores or (isinstance(block, Attention) and block.sinks):
        # A sink joins the scores, which stay in the arithmetic's type.
        return float(block.heads * s.value)
    capped = isinstance(block, Attention) and block.softcap
    return float(block.heads * (4 + (2 if s.value == 2 else 0) + (2 if capped else 0)))


@singledispatch
def mixer_kept(block: object, a: Architecture, s: Saving) -> float:
    """Return what a mixer keeps per token beside the inputs of its linears and its scores."""
    return 0.0


@mixer_kept.register
def _(block: Attention, a: Architecture, s: Saving) -> float:
    q, kv, size = block.q_dim, block.kv_dim, s.value
    repeated = (s.kv_repeated or s.eager) and block.kv_heads < block.heads
    # Queries, keys and values; a fused projection is kept whole for the sake of its values.
    total = float(size * (q + (2 * q if repeated else 2 * kv)))
    if block.fused_qkv and not repeated:
        total += size * (q + kv) if not a.learned_positions else 0
    if not s.eager:
        # The output and the fp32 log-sum-exp.
        total += size * q + 4 * block.heads
    if block.qk_norm != "none":
        total += _query_key_norm(block, a, s)
    if block.output_gate:
        # The gate's sigmoid and the output that it multiplies.
        total += size * q * (2 if block.partial_rotary and not s.eager else 1)
    return total


def _query_key_norm(block: Attention, a: Architecture, s: Saving) -> float:
    """A norm's input in fp32 and, trained, the normalised value; per head, or over all heads."""
    trained = 8 if a.norm_offset_float or s.fp32 else 6
    roots = 8 if block.qk_norm == "full" else 4 * (block.heads + block.kv_heads)
    return (trained if s.full else 4) * (block.q_dim + block.kv_dim) + roots


@mixer_kept.register
def _(block: LatentAttention, a: Architecture, s: Saving) -> float:
    """Queries, expanded keys, and values and output padded to their width; the latents in their norms."""
    width = block.heads * (block.qk_nope_head_dim + block.qk_rope_head_dim)
    latents = block.kv_lora_rank + (block.q_lora_rank or 0)
    roots = 8 if block.q_lora_rank else 4
    return s.value * 4 * width + 4 * block.heads + (6 if s.full else 4) * latents + roots


@mixer_kept.register
def _(block: GatedDeltaNet, a: Architecture, s: Saving) -> float:
    heads, values = block.value_heads, block.value_heads * block.value_head_dim
    channels = 2 * block.key_heads * block.key_head_dim + values
    if s.recurrence == "fused":
        # Flash-linear-attention: convolution in and out; q and k repeated and normalised; v, output, gate;
        # one triangular matrix a chunk, decay and write strength (read off its saved tensors).
        return 4 * channels + 14 * values + heads * (2 * _DELTA_CHUNK + 12)
    # The chunked rule in fp32 keeps 44 bytes per value, the state of every chunk, five matrices of
    # chunk x chunk and 38 bytes of decays per head; the gated norm 16 (its weight trained 18).
    state = 4 * values * block.key_head_dim / _DELTA_CHUNK
    norm = (18 if s.full else 16) * values
    return 4 * channels + 44 * values + norm + state + heads * (20 * _DELTA_CHUNK + 38)


@mixer_kept.register
def _(block: KimiDeltaAttention, a: Architecture, s: Saving) -> float:
    # Convolutions in and out, normalised q and k, gates, output: 16-bit; decays in fp32 (inferred).
    width = block.heads * block.head_dim
    return 2 * 14 * width + 4 * 2 * width


@mixer_kept.register
def _(block: Mamba2, a: Architecture, s: Saving) -> float:
    inner, heads, state = block.inner, block.heads, block.state
    channels = inner + 2 * block.groups * state
    projected = 2 * (inner + channels + heads)
    if s.recurrence == "fused":
        # The kernel keeps its projected input and its output and computes the rest again.
        return projected + 2 * inner + 4 * heads
    # The chunked scan in fp32: ten copies of the inner width, B and C spread to all heads five times,
    # three matrices of chunk x chunk per head, the states of every chunk twice.
    scan = 40 * inner + 20 * heads * state + 12 * heads * block.chunk + 8 * inner * state / block.chunk
    return projected + 2 * channels + scan + 28 * heads


@mixer_kept.register
def _(block: ShortConv, a: Architecture, s: Saving) -> float:
    # Projected input in three parts, their product, the convolution's output.
    return float(s.value * 5 * block.width)
