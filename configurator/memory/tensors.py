"""Which tensors a block has: names as in the Hugging Face code, shapes exact."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
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
    Stored,
)
from configurator.domain.tensor import Cut, Role, Tensor


def _linear(
    module: str, rows: int, cols: int, cut: Cut, bias: bool = False, units: int = 0, role: Role = "linear"
) -> tuple[Tensor, ...]:
    weight = Tensor(module, role, rows, cols, 1, cut, units)
    if not bias:
        return (weight,)
    return (weight, Tensor(module, "bias", rows, 1, 1, "none" if cut == "row" else cut, units))


@singledispatch
def block_tensors(block: object, hidden: int) -> tuple[Tensor, ...]:
    """Return the tensors of one block for a model of width `hidden`."""
    raise TypeError(f"no tensors known for {type(block).__name__}")


@block_tensors.register
def _(block: Attention, hidden: int) -> tuple[Tensor, ...]:
    q, kv, heads = block.q_dim, block.kv_dim, block.kv_heads
    queries = 2 * q if block.output_gate else q
    if block.fused_qkv:
        result = _linear("qkv_proj", q + 2 * kv, hidden, "column", block.qkv_bias)
    else:
        result = _linear("q_proj", queries, hidden, "column", block.qkv_bias)
        result += _linear("k_proj", kv, hidden, "kv", block.qkv_bias, heads)
        if not block.keys_are_values:
            result += _linear("v_proj", kv, hidden, "kv", block.qkv_bias, heads)
    result += _linear(block.output_name, hidden, q, "row", block.output_bias)
    if block.qk_norm == "head":
        result += (Tensor("qk_norm", "norm", block.head_dim, count=2),)
    elif block.qk_norm == "full":
        result += (Tensor("qk_norm", "norm", q + kv),)
    if block.sinks:
        result += (Tensor("sinks", "state", block.heads, cut="column"),)
    return result


@block_tensors.register
def _(block: LatentAttention, hidden: int) -> tuple[Tensor, ...]:
    query_width = block.heads * (block.qk_nope_head_dim + block.qk_rope_head_dim)
    if block.q_lora_rank:
        result = _linear("q_a_proj", block.q_lora_rank, hidden, "none")
        result += (Tensor("q_a_layernorm", "norm", block.q_lora_rank),)
        result += _linear("q_b_proj", query_width, block.q_lora_rank, "column")
    else:
        result = _linear("q_proj", query_width, hidden, "column")
    latent = block.kv_lora_rank
    result += _linear("kv_a_proj_with_mqa", latent + block.qk_rope_head_dim, hidden, "none")
    result += (Tensor("kv_a_layernorm", "norm", latent),)
    result += _linear(
        "kv_b_proj", block.heads * (block.qk_nope_head_dim + block.v_head_dim), latent, "column"
    )
    result += _linear("o_proj", hidden, block.heads * block.v_head_dim, "row")
    if block.index_heads:
        source = block.q_lora_rank or hidden
        result += _linear("indexer.wq_b", block.index_heads * block.index_head_dim, source, "none")
        result += _linear("indexer.wk", block.index_head_dim, hidden, "none")
        result += _linear("indexer.weights_proj", block.index_heads, hidden, "none")
        result += (Tensor("indexer.k_norm", "norm", 2 * block.index_head_dim),)
    return result


@block_tensors.register
def _(block: GatedDeltaNet, hidden: int) -> tuple[Tensor, ...]:
    keys, values = block.key_heads * block.key_head_dim, block.value_heads * block.value_head_dim
    if block.split_projections:
        result = _linear("in_proj_qkv", 2 * keys + values, hidden, "column")
        result += _linear("in_proj_z", values, hidden, "column")
        result += _linear("in_proj_b", block.value_heads, hidden, "column")
        result += _linear("in_proj_a", block.value_heads, hidden, "column")
    else:
        result = _linear("in_proj_qkvz", 2 * keys + 2 * values, hidden, "column")
        result += _linear("in_proj_ba", 2 * block.value_heads, hidden, "column")
    return (
        *result,
        Tensor("conv1d", "conv", 2 * keys + values, block.conv_kernel, cut="column"),
        Tensor("A_log", "state", block.value_heads, count=2, cut="column"),
        Tensor("norm", "norm", block.value_head_dim),
        *_linear("out_proj", hidden, values, "row"),
    )


@block_tensors.register
def _(block: KimiDeltaAttention, hidden: int) -> tuple[Tensor, ...]:
    width = block.heads * block.head_dim
    result: tuple[Tensor, ...] = ()
    for name in ("q_proj", "k_proj", "v_proj"):
        result += _linear(name, width, hidden, "column")
    return (
        *result,
        Tensor("conv1d", "conv", 3 * width, block.conv_kernel, cut="column"),
        *_linear("f_a_proj", block.head_dim, hidden, "none"),
        *_linear("f_b_proj", width, block.head_dim, "column"),
        *_linear("g_a_proj", block.head_dim, hidden, "none"),
        *_linear("g_b_proj", width, block.head_dim, "column", bias=True),
        *_linear("b_proj", block.heads, hidden, "column"),
        Tensor("A_log", "state", block.heads, cut="column"),
        Tensor("dt_bias", "state", width, cut="column"),
        Tensor("o_norm", "norm", block.head_dim),
        *_linear("o_proj", hidden, width, "row"),
    )


@block_tensors.register
def _(block: Mamba2, hidden: int) -> tuple[Tensor, ...]:
    channels = block.inner + 2 * block.groups * block.state
    conv: tuple[Tensor, ...] = (Tensor("conv1d", "conv", channels, block.conv_kernel, cut="column"),)
    if block.conv_bias:
        conv += (Tensor("conv1d", "bias", channels, cut="column"),)
    return (
        *_linear("in_proj", block.inner + channels + block.heads, hidden, "column", block.projection_bias),
        *conv,
        Tensor("A_log", "state", block.heads, count=3, cut="column"),
        Tensor("norm", "norm", block.inner),
        *_linear("out_proj", hidden, block.inner, "row", block.projection_bias),
    )


@block_tensors.register
def _(block: ShortConv, hidden: int) -> tuple[Tensor, ...]:
    return (
        *_linear("in_proj", 3 * block.width, hidden, "column", block.bias),
        Tensor("conv", "conv", block.width, block.conv_kernel, cut="column"),
        *_linear("out_proj", hidden, block.width, "row", block.bias),
    )


@block_tensors.register
def _(block: FeedForward, hidden: int) -> tuple[Tensor, ...]:
    inner = block.intermediate
    result: tuple[Tensor, ...] = ()
    if block.fused_gate_up:
        result = _linear("gate_up_proj", 2 * inner, hidden, "column", block.bias)
    else:
        if block.gated:
            result = _linear("gate_proj", inner, hidden, "column", block.bias)
        result += _linear("up_proj", inner, hidden, "column", block.bias)
    return result + _linear("down_proj", hidden, inner, "row", block.bias)


@block_tensors.register
def _(block: MixtureOfExperts, hidden: int) -> tuple[Tensor, ...]:
    inner, experts = block.intermediate, block.experts
    gates = 2 if block.gated else 1
    result: tuple[Tensor, ...] = (
        Tensor("router", "router", experts, hidden),
        Tensor("experts.gate_up_proj", "expert", gates * inner, hidden, experts, "column"),
        Tensor("experts.down_proj", "expert", hidden, inner, experts, "row"),
    )
    if block.router_bias:
        result += (Tensor("router", "bias", experts),)
    if block.expert_bias:
        result += (Tensor("experts", "bias", gates * inner + hidden, 1, experts),)
    for width in (block.shared_intermediate, block.dense_intermediate):
        if width:
            result += block_tensors(
                FeedForward(width, gated=block.gated, fused_gate_up=block.shared_fused), hidden
            )
    if block.shared_gate:
        result += _linear("shared_expert_gate", 1, hidden, "none")
    return result


@lru_cache(maxsize=4096)
def layer_tensors(layer: Layer, a: Architecture) -> tuple[Tensor, ...]:
    """Return all tensors of a layer."""
    result: tuple[Tensor, ...] = ()
    for block in (layer.mixer, layer.channel):
        if block is not None:
            result += block_tensors(block, a.hidden)
    if layer.norms:
        result += (Tensor("layernorm", "norm", _norm_width(a), count=layer.norms),)
    return as_stored(result, layer.stored)


@lru_cache(maxsize=1024)
def outer_tensors(a: Architecture) -> tuple[Tensor, ...]:
    """Return embedding, positions, final norm, head and towers."""
    result = [Tensor("embed_tokens", "embedding", a.vocab, a.hidden, cut="vocab")]
    if a.learned_positions:
        result.append(Tensor("wpe", "embedding", a.learned_positions, a.hidden))
    if a.embedding_norm:
        result.append(Tensor("embedding_norm", "norm", _norm_width(a)))
    if a.final_norm:
        result.append(Tensor("norm", "norm", _norm_width(a)))
    if not a.tied:
        result.append(Tensor("lm_head", "head", a.vocab, a.hidden, cut="vocab"))
    if a.head_bias:
        result.append(Tensor("lm_head", "bias", a.vocab, cut="vocab"))
    result += [Tensor(tower.name, "tower", tower.parameters) for tower in a.towers]
    return as_stored(tuple(result), a.stored)


def as_stored(tensors: tuple[Tensor, ...], stored: Stored | None) -> tuple[Tensor, ...]:
    """Return the tensors with the bytes that a file holds of them.

    A file's bytes of one role are shared out by parameters; those of a role that no tensor has (a file may
    hold a router among its matrices) go to all. The sum is the file's.
    """
    if stored is None or not stored.sizes:
        return tensors
    counts: Counter[Role] = Counter()
    for tensor in tensors:
        counts[file_role(tensor)] += tensor.parameters
    sizes = dict(stored.sizes)
    strays = sum(size for role, size in sizes.items() if not counts[role]) / counts.total()
    rates = {role: sizes.get(role, 0) / count + strays for role, count in counts.items()}
    return tuple(
        replace(tensor, stored=rates[file_role(tensor)] * tensor.parameters, stored_as=stored.format)
        for tensor in tensors
    )


def file_role(tensor: Tensor) -> Role:
    """Return the role under which a file's bytes of a tensor are counted."""
    return tensor.role if tensor.role in _OF_FILES else "norm"


_OF_FILES: tuple[Role, ...] = ("linear", "expert", "embedding", "head", "tower")


def _norm_width(a: Architecture) -> int:
    return a.hidden * (2 if a.norm == "layer" and a.norm_bias else 1)


@lru_cache(maxsize=1024)
def model_tensors(a: Architecture) -> tuple[tuple[Tensor, int], ...]:
    """Return every tensor and how often it occurs, layers for multi-token prediction left out."""
    inner = tuple((t, n) for layer, n in a.groups.items() for t in layer_tensors(layer, a))
    return tuple((t, 1) for t in outer_tensors(a)) + inner


@lru_cache(maxsize=1024)
def parameters(a: Architecture) -> int:
    """Return the number of parameters, towers included."""
    return sum(tensor.parameters * n for tensor, n in model_tensors(a))
