"""Saved activations: what one layer keeps per token between forward and backward.

Read off the saved-tensor lists of the Transformers code, module by module; `h` hidden, `q` and `kv`
width of all queries and keys, `H` heads, `I` intermediate. A norm keeps its input in fp32 (4h), its
inverse root (4 bytes) and, when its weight is trained, the normalised value (2h); the output (2h) is
kept by the linears that read it. Attention keeps q, k, v, its output and the fp32 log-sum-exp; the
gated feed-forward keeps gate, up, the activated gate and the product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, singledispatch

from configurator.domain.architecture import (
    Architecture,
    Attention,
    FeedForward,
    GatedDeltaNet,
    KimiDeltaAttention,
    LatentAttention,
    Layer,
    Mamba2,
    MixtureOfExperts,
    ShortConv,
)

_ATTENTION_IN = frozenset(
    {"q_proj", "k_proj", "v_proj", "qkv_proj", "query_key_value", "c_attn", "Wqkv", "W_pack"}
)
_FEED_FORWARD_IN = frozenset(
    {"gate_proj", "up_proj", "gate_up_proj", "fc1", "c_fc", "w1", "w2", "dense_h_to_4h"}
)
_FEED_FORWARD_OUT = frozenset({"down_proj", "fc2", "c_proj", "dense_4h_to_h", "w3"})


@dataclass(frozen=True, slots=True)
class Saving:
    """What is trained, and in which types the arithmetic runs."""

    full: bool
    """Every weight is trained; else only adapters."""
    targets: frozenset[str] = frozenset()
    """Modules with adapters; `all-linear` stands for every one."""
    rank: int = 0
    adapter_fp32: bool = False
    autocast: bool = False
    fp32: bool = False
    """Weights in fp32."""
    eager: bool = False
    kv_repeated: bool = False
    """Keys and values are repeated to the number of query heads before attention."""

    def trains(self, modules: frozenset[str]) -> bool:
        """Whether one of the modules has a gradient for its own weights."""
        return self.full or "all-linear" in self.targets or bool(self.targets & modules)


@singledispatch
def _mixer(block: object, a: Architecture, s: Saving, context: int) -> float:
    return 0.0


@_mixer.register
def _(block: Attention, a: Architecture, s: Saving, context: int) -> float:
    q, kv, heads = block.q_dim, block.kv_dim, block.heads
    size = 4 if s.fp32 and not s.autocast else 2
    keys = 2 * q if s.kv_repeated or s.eager else 2 * kv
    # q, k, v and the output; eager attention keeps the softmax in fp32 and in 16 bit instead of log-sum-exp.
    total = size * (2 * q + keys)
    if s.eager:
        total += heads * context * (6 + (2 if block.softcap else 0))
    else:
        total += 4 * heads
    if block.qk_norm == "head":
        per_value = (8 if a.norm_offset_float else 6) if s.full else 4
        total += per_value * (q + kv) + 4 * (heads + block.kv_heads)
    elif block.qk_norm == "full":
        total += (6 if s.full else 4) * (q + kv) + 8
    if block.output_gate:
        total += 2 * 2 * q
    return total


@_mixer.register
def _(block: LatentAttention, a: Architecture, s: Saving, context: int) -> float:
    q = block.heads * (block.qk_nope_head_dim + block.qk_rope_head_dim)
    v = block.heads * block.v_head_dim
    latent = block.kv_lora_rank + (block.q_lora_rank or 0)
    # Queries, expanded keys, values, output, and the two latents with their norms.
    return 2 * (2 * q + 2 * v) + 4 * block.heads + (8 if s.full else 6) * latent


@_mixer.register
def _(block: GatedDeltaNet, a: Architecture, s: Saving, context: int) -> float:
    keys, values = block.key_heads * block.key_head_dim, block.value_heads * block.value_head_dim
    # Projections, convolution in and out, gate, and the chunked rule's fp32 copies (inferred).
    return 2 * (4 * (2 * keys + values) + 4 * values) + 4 * (2 * keys + 2 * values)


@_mixer.register
def _(block: KimiDeltaAttention, a: Architecture, s: Saving, context: int) -> float:
    width = block.heads * block.head_dim
    return 2 * 16 * width + 4 * 4 * width


@_mixer.register
def _(block: Mamba2, a: Architecture, s: Saving, context: int) -> float:
    channels = block.inner + 2 * block.groups * block.state
    return 2 * (3 * block.inner + 3 * channels) + 4 * block.inner


@_mixer.register
def _(block: ShortConv, a: Architecture, s: Saving, context: int) -> float:
    return 2 * 6 * block.width


@singledispatch
def _channel(block: object, a: Architecture, s: Saving) -> float:
    return 0.0


@_channel.register
def _(block: FeedForward, a: Architecture, s: Saving) -> float:
    size = 4 if s.fp32 and not s.autocast else 2
    kept = 3 if block.gated else 1
    if s.trains(_FEED_FORWARD_OUT):
        kept += 1
    return size * kept * block.intermediate


@_channel.register
def _(block: MixtureOfExperts, a: Architecture, s: Saving) -> float:
    # Grouped matrices keep the sorted copies of the input, the gate and up halves, the activated
    # product, and per chosen expert the weights and sorting indices (34 bytes).
    inner = (8 if s.full else 6) * block.intermediate
    copies = (4 if s.full else 2) * a.hidden
    total = 4 * block.experts + block.active * (copies + inner + 34)
    shared = block.shared_intermediate + block.dense_intermediate
    return total + 2 * (4 if s.trains(_FEED_FORWARD_OUT) else 3) * shared


def _norm(a: Architecture, s: Saving) -> float:
    """Return what one norm keeps per token besides its output."""
    h = a.hidden
    if a.norm == "layer":
        return (4 if s.fp32 else 2) * h + 8
    if s.fp32:
        return (11 if s.autocast else 8) * h + 4
    if s.full:
        return (8 if a.norm_offset_float else 6) * h + 4
    return 4 * h + 4


def _adapters(layer: Layer, a: Architecture, s: Saving) -> float:
    """Return what adapters keep: 2r per adapted linear, and fp32 adapters the copy of their input."""
    if s.full or not s.targets:
        return 0.0
    mixer, channel, h = layer.mixer, layer.channel, a.hidden
    q = mixer.q_dim if isinstance(mixer, Attention) else h
    intermediate = channel.intermediate if isinstance(channel, FeedForward) else 0
    inputs = {"q_proj": h, "k_proj": h, "v_proj": h, "o_proj": q}
    if intermediate:
        inputs |= {"gate_proj": h, "up_proj": h, "down_proj": intermediate}
    adapted = [w for name, w in inputs.items() if "all-linear" in s.targets or name in s.targets]
    total = 2.0 * s.rank * len(adapted)
    if s.adapter_fp32:
        share = len(adapted) / max(1, len(inputs))
        if s.autocast:
            total += share * (6 * h + 2 * q)
        else:
            total += share * (4 * (5 * h + q + intermediate) - 4 * h - 2 * intermediate + 14 * s.rank)
    return total


@lru_cache(maxsize=4096)
def saved_per_token(layer: Layer, a: Architecture, s: Saving, context: int) -> float:
    """Return the bytes that one layer keeps per token without checkpointing.

    `context` matters only for eager attention, whose scores grow with it.
    """
    size = 4 if s.fp32 and not s.autocast else 2
    norms = layer.norms * _norm(a, s)
    outputs = 0
    if layer.mixer is not None and s.trains(_ATTENTION_IN):
        outputs += 1
    if layer.channel is not None and (
        s.trains(_FEED_FORWARD_IN) or isinstance(layer.channel, MixtureOfExperts)
    ):
        outputs += 0 if layer.parallel else 1
    return (
        norms
        + outputs * size * a.hidden
        + (_mixer(layer.mixer, a, s, context) if layer.mixer else 0.0)
        + (_channel(layer.channel, a, s) if layer.channel else 0.0)
        + _adapters(layer, a, s)
    )


def saved_once_per_token(a: Architecture, s: Saving, batch: int, checkpointing: bool) -> float:
    """Return what is kept per token once for the model: the final norm, its output, the rotary table."""
    mixer = next((layer.mixer for layer in a.layers if isinstance(layer.mixer, Attention)), None)
    rotary = 4 * mixer.head_dim / batch if mixer and not a.learned_positions else 0
    if s.full:
        return _norm(a, s) + (4 if s.fp32 and not s.autocast else 2) * a.hidden + rotary
    return (6 * a.hidden + 4 if checkpointing else 2 * a.hidden) + rotary


def boundary_per_token(a: Architecture, s: Saving) -> int:
    """Return what a checkpointed layer keeps per token: its input in the type of the residual stream."""
    return (4 if s.fp32 else 2) * a.hidden
