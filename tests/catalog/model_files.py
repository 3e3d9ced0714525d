"""Writers of GGUF and safetensors files with correct headers and holes where the weights would be."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from math import prod
from pathlib import Path
from typing import Any

from configurator.catalog.loading import read_table
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

Shape = tuple[int, ...]
Tensors = list[tuple[str, Shape, str]]
GGML: Mapping[str, Mapping[str, int]] = read_table("formats")["ggml"]


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def value(item: Any) -> bytes:
    """A value with its type before it."""
    if isinstance(item, bool):
        return struct.pack("<I?", 7, item)
    if isinstance(item, int):
        return struct.pack("<II", 4, item)
    if isinstance(item, float):
        return struct.pack("<If", 6, item)
    if isinstance(item, str):
        return struct.pack("<I", 8) + text(item)
    kind = value(item[0])[:4]
    return struct.pack("<I", 9) + kind + struct.pack("<Q", len(item)) + b"".join(value(i)[4:] for i in item)


def bytes_of(shape: Shape, kind: str) -> int:
    return prod(shape) // GGML[kind]["block"] * GGML[kind]["bytes"]


def header(metadata: Mapping[str, Any], tensors: Tensors, version: int = 3) -> bytes:
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(metadata))
    out += b"".join(text(key) + value(item) for key, item in metadata.items())
    place = 0
    for name, shape, kind in tensors:
        out += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape[::-1])
        out += struct.pack("<IQ", GGML[kind]["id"], place)
        place += -(-bytes_of(shape, kind) // 32) * 32
    return out


def write_gguf(path: Path, metadata: Mapping[str, Any], tensors: Tensors) -> Path:
    top = header(metadata, tensors)
    size = -(-len(top) // 32) * 32
    for _, shape, kind in tensors:
        size += -(-bytes_of(shape, kind) // 32) * 32
    with path.open("wb") as file:
        file.write(top)
        file.truncate(size)
    return path


def write_safetensors(path: Path, tensors: Iterable[tuple[str, Shape, str, int]]) -> Path:
    """Write tensors given by name, shape, type and bytes of a value."""
    facts, place = {}, 0
    for name, shape, kind, width in tensors:
        size = prod(shape) * width
        facts[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [place, place + size]}
        place += size
    top = json.dumps({"__metadata__": {"format": "pt"}} | facts).encode()
    with path.open("wb") as file:
        file.write(len(top).to_bytes(8, "little") + top)
        file.truncate(8 + len(top) + place)
    return path


def gguf_of(model: Architecture, family: str, kind: str = "F16") -> tuple[dict[str, Any], Tensors]:
    """Return metadata and tensors as llama.cpp's converter writes them for an architecture."""
    layers = (*model.layers, *model.mtp_layers)
    keys: dict[str, Any] = {"block_count": len(layers), "embedding_length": model.hidden}
    keys["attention.layer_norm_epsilon" if model.norm == "layer" else "attention.layer_norm_rms_epsilon"] = (
        1e-5
    )
    if model.max_context:
        keys["context_length"] = model.max_context
    if family == "gptneox":
        keys["use_parallel_residual"] = model.layers[0].parallel
    if model.mtp_layers:
        keys["nextn_predict_layers"] = len(model.mtp_layers)
    tensors: Tensors = [("token_embd.weight", (model.vocab, model.hidden), kind)]
    if model.learned_positions:
        tensors += [("position_embd.weight", (model.learned_positions, model.hidden), kind)]
    heads, kv_heads = [], []
    for number, layer in enumerate(layers):
        block = layer.mixer
        heads.append(getattr(block, "heads", 0) if isinstance(block, Attention | LatentAttention) else 0)
        kv_heads.append(1 if isinstance(block, LatentAttention) else getattr(block, "kv_heads", 0))
        keys |= _keys(layer)
        tensors += [
            (f"blk.{number}.{name}", shape, "F32" if len(shape) == 1 else kind)
            for name, shape in _of_layer(layer, model, family)
        ]
    keys["attention.head_count"] = max(heads) if len({*heads, 0}) < 3 else heads
    keys["attention.head_count_kv"] = kv_heads[0] if len(set(kv_heads)) == 1 else kv_heads
    last = "token_embd_norm" if family.startswith("lfm2") else "output_norm"
    tensors += [(f"{last}.weight", (model.hidden,), "F32")]
    if model.norm == "layer" and model.norm_bias:
        tensors += [(f"{last}.bias", (model.hidden,), "F32")]
    if not model.tied:
        tensors += [("output.weight", (model.vocab, model.hidden), kind)]
    if model.head_bias:
        tensors += [("output.bias", (model.vocab,), "F32")]
    return {"general.architecture": family} | {f"{family}.{key}": item for key, item in keys.items()}, tensors


def _keys(layer: Layer) -> dict[str, Any]:
    keys: dict[str, Any] = {}
    match layer.mixer:
        case Attention() as a:
            suffix = "_swa" if a.window else ""
            keys = {
                f"attention.key_length{suffix}": a.head_dim,
                f"attention.value_length{suffix}": a.head_dim,
            }
            keys |= {"attention.sliding_window": a.window} if a.window else {}
            keys |= {"attn_logit_softcapping": 50.0} if a.softcap else {}
        case LatentAttention() as a:
            key = a.qk_nope_head_dim + a.qk_rope_head_dim
            keys = {"attention.kv_lora_rank": a.kv_lora_rank, "rope.dimension_count": a.qk_rope_head_dim}
            keys |= {"attention.key_length_mla": key, "attention.value_length_mla": a.v_head_dim}
            keys |= {"attention.key_length": a.kv_lora_rank + a.qk_rope_head_dim}
        case GatedDeltaNet() as d:
            keys = {"ssm.state_size": d.key_head_dim, "ssm.group_count": d.key_heads}
            keys |= {"ssm.time_step_rank": d.value_heads, "ssm.conv_kernel": d.conv_kernel}
            keys |= {"ssm.inner_size": d.value_heads * d.value_head_dim}
        case Mamba2() as m:
            keys = {"ssm.state_size": m.state, "ssm.group_count": m.groups, "ssm.inner_size": m.inner}
            keys |= {"ssm.time_step_rank": m.heads, "ssm.conv_kernel": m.conv_kernel}
        case KimiDeltaAttention() as k:
            keys = {"kda.head_dim": k.head_dim, "ssm.conv_kernel": k.conv_kernel}
        case ShortConv() as c:
            keys = {"shortconv.l_cache": c.conv_kernel}
    if isinstance(layer.channel, MixtureOfExperts):
        keys |= {"expert_count": layer.channel.experts, "expert_used_count": layer.channel.active}
    return keys


_AFTER = ("gpt-oss", "glm4moe", "qwen3next", "qwen35", "qwen35moe")
"""Families whose second norm is called by what it follows."""


def _of_layer(layer: Layer, model: Architecture, family: str) -> list[tuple[str, Shape]]:
    hidden = model.hidden
    result = _of_mixer(layer.mixer, hidden, family) + _of_channel(layer.channel, hidden)
    norms = {
        1: ("attn_norm",),
        2: ("attn_norm", "attn_norm_2" if family == "falcon" else "ffn_norm"),
        4: ("attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm"),
    }[layer.norms]
    if family == "olmo2":
        norms = ("post_attention_norm", "post_ffw_norm")
    elif family in _AFTER:
        norms = ("attn_norm", "post_attention_norm")
    for name in norms:
        result.append((f"{name}.weight", (hidden,)))
        if model.norm == "layer" and model.norm_bias:
            result.append((f"{name}.bias", (hidden,)))
    return result


def _linear(name: str, rows: int, cols: int, bias: bool = False) -> list[tuple[str, Shape]]:
    return [(f"{name}.weight", (rows, cols)), *([(f"{name}.bias", (rows,))] if bias else [])]


def _of_mixer(block: object, hidden: int, family: str) -> list[tuple[str, Shape]]:
    match block:
        case Attention() as a:
            queries = a.q_dim * (2 if a.output_gate else 1)
            if a.fused_qkv:
                result = _linear("attn_qkv", a.q_dim + 2 * a.kv_dim, hidden, a.qkv_bias)
            else:
                result = _linear("attn_q", queries, hidden, a.qkv_bias)
                result += _linear("attn_k", a.kv_dim, hidden, a.qkv_bias)
                result += [] if a.keys_are_values else _linear("attn_v", a.kv_dim, hidden, a.qkv_bias)
            result += _linear("attn_output", hidden, a.q_dim, a.output_bias)
            if a.qk_norm != "none":
                full = a.qk_norm == "full"
                result += [("attn_q_norm.weight", (a.q_dim if full else a.head_dim,))]
                result += [("attn_k_norm.weight", (a.kv_dim if full else a.head_dim,))]
            return result + ([("attn_sinks.weight", (a.heads,))] if a.sinks else [])
        case LatentAttention() as a:
            wide = a.heads * (a.qk_nope_head_dim + a.qk_rope_head_dim)
            if a.q_lora_rank:
                result = _linear("attn_q_a", a.q_lora_rank, hidden)
                result += [("attn_q_a_norm.weight", (a.q_lora_rank,))]
                result += _linear("attn_q_b", wide, a.q_lora_rank)
            else:
                result = _linear("attn_q", wide, hidden)
            result += _linear("attn_kv_a_mqa", a.kv_lora_rank + a.qk_rope_head_dim, hidden)
            result += [("attn_kv_a_norm.weight", (a.kv_lora_rank,))]
            result += [("attn_k_b.weight", (a.heads, a.kv_lora_rank, a.qk_nope_head_dim))]
            result += [("attn_v_b.weight", (a.heads, a.v_head_dim, a.kv_lora_rank))]
            return result + _linear("attn_output", hidden, a.heads * a.v_head_dim)
        case GatedDeltaNet() as d:
            keys, values = d.key_heads * d.key_head_dim, d.value_heads * d.value_head_dim
            result = _linear("attn_qkv", 2 * keys + values, hidden) + _linear("attn_gate", values, hidden)
            if d.split_projections:
                result += _linear("ssm_alpha", d.value_heads, hidden) + _linear(
                    "ssm_beta", d.value_heads, hidden
                )
            else:
                result += _linear("ssm_ba", 2 * d.value_heads, hidden)
            result += [("ssm_conv1d.weight", (2 * keys + values, d.conv_kernel)), ("ssm_a", (d.value_heads,))]
            result += [("ssm_dt.bias", (d.value_heads,)), ("ssm_norm.weight", (d.value_head_dim,))]
            return result + _linear("ssm_out", hidden, values)
        case Mamba2() as m:
            channels = m.inner + 2 * m.groups * m.state
            result = _linear("ssm_in", m.inner + channels + m.heads, hidden)
            result += [("ssm_conv1d.weight", (channels, m.conv_kernel))]
            result += [("ssm_conv1d.bias", (channels,))] if m.conv_bias else []
            result += [("ssm_a", (m.heads, 1)), ("ssm_d", (m.heads, 1)), ("ssm_dt.bias", (m.heads,))]
            result += [("ssm_norm.weight", (m.groups, m.inner // m.groups))]
            return result + _linear("ssm_out", hidden, m.inner)
        case KimiDeltaAttention() as k:
            width = k.heads * k.head_dim
            result = []
            for name in "qkv":
                result += _linear(f"attn_{name}", width, hidden)
                result += [(f"ssm_conv1d_{name}.weight", (1, width, 1, k.conv_kernel))]
            result += _linear("ssm_f_a", k.head_dim, hidden) + _linear("ssm_f_b", width, k.head_dim)
            result += _linear("ssm_g_a", k.head_dim, hidden) + _linear(
                "ssm_g_b", width, k.head_dim, bias=True
            )
            result += _linear("ssm_beta", k.heads, hidden)
            result += [("ssm_a", (k.heads, 1)), ("ssm_dt.bias", (width,)), ("ssm_norm.weight", (k.head_dim,))]
            return result + _linear("attn_output", hidden, width)
        case ShortConv() as c:
            result = _linear("shortconv.in_proj", 3 * c.width, hidden)
            result += [("shortconv.conv.weight", (c.width, c.conv_kernel))]
            return result + _linear("shortconv.out_proj", hidden, c.width)
    return []


def _of_channel(block: object, hidden: int, tail: str = "") -> list[tuple[str, Shape]]:
    match block:
        case FeedForward() as f:
            inner, result = f.intermediate, []
            if f.gated and not f.fused_gate_up:
                result += _linear(f"ffn_gate{tail}", inner, hidden, f.bias)
            result += _linear(f"ffn_up{tail}", (2 if f.fused_gate_up else 1) * inner, hidden, f.bias)
            return result + _linear(f"ffn_down{tail}", hidden, inner, f.bias)
        case MixtureOfExperts() as m:
            result = _linear("ffn_gate_inp", m.experts, hidden, m.router_bias)
            for name in ("gate", "up") if m.gated else ("up",):
                result += [(f"ffn_{name}_exps.weight", (m.experts, m.intermediate, hidden))]
                result += [(f"ffn_{name}_exps.bias", (m.experts, m.intermediate))] if m.expert_bias else []
            result += [("ffn_down_exps.weight", (m.experts, hidden, m.intermediate))]
            result += [("ffn_down_exps.bias", (m.experts, hidden))] if m.expert_bias else []
            if m.shared_intermediate:
                result += _of_channel(FeedForward(m.shared_intermediate, m.gated), hidden, "_shexp")
            if m.dense_intermediate:
                result += _of_channel(FeedForward(m.dense_intermediate), hidden)
            return result + ([("ffn_gate_inp_shexp.weight", (hidden,))] if m.shared_gate else [])
    return []
