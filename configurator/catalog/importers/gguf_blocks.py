"""The blocks of one layer of a GGUF file: which there are follows from its tensors, how wide from shapes and keys."""

from __future__ import annotations

from typing import Literal

from configurator.catalog.importers.gguf_fields import GgufFields, LayerTensors, not_there
from configurator.domain.architecture import (
    Attention,
    Channel,
    FeedForward,
    GatedDeltaNet,
    KimiDeltaAttention,
    LatentAttention,
    Mamba2,
    Mixer,
    MixtureOfExperts,
    ShortConv,
)


def mixer(f: GgufFields, t: LayerTensors, window: int | None) -> Mixer | None:
    """Return the token mixer of a layer, None where it has only a feed-forward block."""
    if "attn_kv_a_mqa" in t:
        return _latent(f, t)
    if "shortconv.conv" in t:
        t.all_of("shortconv.in_proj", "shortconv.out_proj")
        channels, kernel = t["shortconv.conv"].shape
        return ShortConv(channels, kernel)
    if "ssm_a" in t:
        return _recurrent(f, t)
    if "attn_output" in t:
        return _attention(f, t, window)
    return None


def _recurrent(f: GgufFields, t: LayerTensors) -> Mixer | None:
    match f.rules.get("recurrent"):
        case "delta":
            return _delta(f, t)
        case "mamba2":
            return _mamba2(f, t)
        case "kda":
            return _kimi_delta(f, t)
    return None


def _attention(f: GgufFields, t: LayerTensors, window: int | None) -> Attention:
    heads, dim = f.need("attention.head_count", t.number), _head_dim(f, t, window)
    kv_heads = f.number("attention.head_count_kv", t.number) or heads
    fused = "attn_qkv" in t
    queries = t.need("attn_qkv" if fused else "attn_q")
    gated = not fused and queries.shape[0] == 2 * heads * dim
    f.must_be(queries, 0, heads * dim * (2 if gated else 1) + (2 * kv_heads * dim if fused else 0))
    shared = not fused and "attn_v" not in t
    if not fused:
        f.must_be(t.need("attn_k"), 0, kv_heads * dim)
        if not shared:
            f.must_be(t["attn_v"], 0, kv_heads * dim)
        t.all_of("attn_q.bias", "attn_k.bias", "attn_v.bias")
    output = t["attn_output"]
    f.must_be(output, -1, heads * dim)
    t.all_of("attn_qkv.bias", "attn_output.bias", "attn_k_norm", "attn_sinks", "attn_rot_embd")
    norm: Literal["none", "head", "full"] = "none"
    if "attn_q_norm" in t:
        norm = "head" if t["attn_q_norm"].values == dim else "full"
    return Attention(
        heads,
        kv_heads,
        dim,
        window=window,
        qk_norm=norm,
        qkv_bias="attn_qkv.bias" in t or "attn_q.bias" in t,
        output_bias="attn_output.bias" in t,
        fused_qkv=fused,
        output_gate=gated,
        sinks="attn_sinks" in t,
        keys_are_values=shared,
        softcap=bool(f.value("attn_logit_softcapping")),
    )


def _head_dim(f: GgufFields, t: LayerTensors, window: int | None) -> int:
    """Return the head dimension; layers with a window may have their own (Gemma 4)."""
    own = f.number("attention.key_length_swa", t.number) if window else None
    stated = own or f.number("attention.key_length", t.number)
    return stated or f.need("embedding_length") // f.need("attention.head_count", t.number)


def _latent(f: GgufFields, t: LayerTensors) -> LatentAttention:
    """Latent attention; a file without the split lengths comes from before llama.cpp cached the latent."""
    heads, rank, rope = (
        f.need("attention.head_count"),
        f.need("attention.kv_lora_rank"),
        f.need("rope.dimension_count"),
    )
    key, value = f.need("attention.key_length_mla"), f.need("attention.value_length_mla")
    if key <= rope:
        raise not_there(f.name, f"{f.family}.attention.key_length_mla")
    f.must_be(t["attn_kv_a_mqa"], 0, rank + rope)
    query = t.need("attn_q_b" if "attn_q_b" in t else "attn_q")
    f.must_be(query, 0, heads * key)
    f.must_be(t.need("attn_output"), -1, heads * value)
    t.all_of("attn_q_a_norm", "attn_kv_a_norm", "attn_kv_b", "attn_k_b", "attn_v_b", "attn_rot_embd")
    t.all_of(*(f"indexer.{name}" for name in ("attn_q_b", "attn_k", "proj", "k_norm", "k_norm.bias")))
    indexed = "indexer.attn_k" in t
    return LatentAttention(
        heads=heads,
        q_lora_rank=t["attn_q_a"].shape[0] if "attn_q_a" in t else None,
        kv_lora_rank=rank,
        qk_nope_head_dim=key - rope,
        qk_rope_head_dim=rope,
        v_head_dim=value,
        index_heads=f.need("attention.indexer.head_count") if indexed else 0,
        index_head_dim=f.need("attention.indexer.key_length") if indexed else 0,
    )


def _delta(f: GgufFields, t: LayerTensors) -> GatedDeltaNet:
    values, inner = f.need("ssm.time_step_rank"), f.need("ssm.inner_size")
    keys, dim = f.need("ssm.group_count"), f.need("ssm.state_size")
    convolution = t.need("ssm_conv1d")
    f.must_be(convolution, 0, 2 * keys * dim + inner)
    f.must_be(t.need("ssm_out"), -1, inner)
    t.all_of("ssm_a", "ssm_dt.bias", "ssm_norm", "attn_gate")
    projections = "ssm_in" if "ssm_in" in t else "attn_qkv"
    t.need(projections)
    t.all_of("ssm_ba", "ssm_alpha", "ssm_beta")
    return GatedDeltaNet(
        key_heads=keys,
        value_heads=values,
        key_head_dim=dim,
        value_head_dim=_part(inner, values),
        conv_kernel=convolution.shape[-1],
        split_projections="ssm_alpha" in t,
    )


def _mamba2(f: GgufFields, t: LayerTensors) -> Mamba2:
    heads, inner = f.need("ssm.time_step_rank"), f.need("ssm.inner_size")
    groups, state = f.need("ssm.group_count"), f.need("ssm.state_size")
    convolution = t.need("ssm_conv1d")
    f.must_be(convolution, 0, inner + 2 * groups * state)
    f.must_be(t.need("ssm_in"), 0, 2 * inner + 2 * groups * state + heads)
    f.must_be(t.need("ssm_out"), -1, inner)
    t.all_of("ssm_a", "ssm_d", "ssm_dt.bias", "ssm_norm", "ssm_conv1d.bias", "ssm_in.bias", "ssm_out.bias")
    return Mamba2(
        heads=heads,
        head_dim=_part(inner, heads),
        groups=groups,
        state=state,
        conv_kernel=convolution.shape[-1],
        conv_bias="ssm_conv1d.bias" in t,
        projection_bias="ssm_in.bias" in t,
    )


def _part(whole: int, parts: int) -> int:
    if whole % parts:
        raise ValueError(f"{whole} has no {parts} equal parts")
    return whole // parts


def _kimi_delta(f: GgufFields, t: LayerTensors) -> KimiDeltaAttention:
    heads, dim = f.need("attention.head_count"), f.need("kda.head_dim")
    f.must_be(t.need("attn_q"), 0, heads * dim)
    t.all_of("attn_k", "attn_v", "attn_output", "ssm_a", "ssm_dt.bias", "ssm_norm", "ssm_beta")
    t.all_of("ssm_f_a", "ssm_f_b", "ssm_g_a", "ssm_g_b", "ssm_g_b.bias", "ssm_conv1d_k", "ssm_conv1d_v")
    return KimiDeltaAttention(heads, dim, t.need("ssm_conv1d_q").shape[-1])


def channel(f: GgufFields, t: LayerTensors) -> Channel | None:
    """Return the channel mixer of a layer, None where it has only a token mixer."""
    dense = _feed_forward(f, t)
    if "ffn_down_exps" not in t:
        return dense
    count, _, inner = t["ffn_down_exps"].shape
    active = f.need("expert_used_count")
    if active > count:
        raise not_there(f.name, f"{f.family}.expert_used_count")
    t.all_of(*(f"ffn_{name}_exps" for name in ("gate", "up", "gate_up")))
    t.all_of(*(f"ffn_{name}_exps.bias" for name in ("gate", "up", "down")))
    t.all_of("ffn_gate_inp", "ffn_gate_inp.bias", "exp_probs_b", "exp_probs_b.bias", "ffn_gate_inp_shexp")
    t.all_of(*(f"ffn_{name}_shexp" for name in ("gate", "up", "down")))
    return MixtureOfExperts(
        experts=count,
        active=active,
        intermediate=inner,
        shared_intermediate=t["ffn_down_shexp"].shape[-1] if "ffn_down_shexp" in t else 0,
        shared_gate="ffn_gate_inp_shexp" in t,
        router_bias="ffn_gate_inp.bias" in t,
        expert_bias="ffn_down_exps.bias" in t,
        gated="ffn_gate_exps" in t or "ffn_gate_up_exps" in t,
        dense_intermediate=dense.intermediate if dense else 0,
    )


def _feed_forward(f: GgufFields, t: LayerTensors) -> FeedForward | None:
    if "ffn_down" not in t:
        return None
    inner = t["ffn_down"].shape[-1]
    up = t.need("ffn_up")
    fused = up.shape[0] == 2 * inner
    f.must_be(up, 0, 2 * inner if fused else inner)
    t.all_of("ffn_gate", "ffn_gate.bias", "ffn_up.bias", "ffn_down.bias")
    return FeedForward(inner, gated=fused or "ffn_gate" in t, bias="ffn_down.bias" in t, fused_gate_up=fused)
