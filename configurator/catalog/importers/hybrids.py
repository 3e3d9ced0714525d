"""Hybrid families: softmax attention on some layers, a recurrent mixer on the others."""

from __future__ import annotations

from configurator.catalog.importers.attention import grouped, latent
from configurator.catalog.importers.dense import build
from configurator.catalog.importers.experts import experts
from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import (
    Architecture,
    Channel,
    FeedForward,
    GatedDeltaNet,
    KimiDeltaAttention,
    Layer,
    Mamba2,
    Mixer,
    MixtureOfExperts,
    ShortConv,
)


def _kinds(f: Fields, count: int) -> list[str]:
    listed = f.layer_types(count)
    if listed:
        return listed
    every = f.get("full_attention_interval", default=4)
    return ["linear_attention" if (i + 1) % every else "full_attention" for i in range(count)]


def qwen_next(f: Fields, family: str) -> Architecture:
    """Qwen3-Next and Qwen 3.5/3.6: gated delta rule, every fourth layer gated softmax attention."""
    delta = GatedDeltaNet(
        key_heads=f.need("linear_num_key_heads"),
        value_heads=f.need("linear_num_value_heads"),
        key_head_dim=f.need("linear_key_head_dim"),
        value_head_dim=f.need("linear_value_head_dim"),
        conv_kernel=f.get("linear_conv_kernel_dim", default=4),
        split_projections=family != "qwen3_next",
    )
    attention = grouped(f, qk_norm="head", output_gate=True)
    channel: Channel
    if f.get("num_experts", default=0):
        channel = experts(
            f, shared_intermediate=f.get("shared_expert_intermediate_size", default=0), shared_gate=True
        )
    else:
        channel = FeedForward(f.need("intermediate_size"))
    kinds = _kinds(f, f.need("num_hidden_layers"))
    layers = tuple(Layer(delta if kind == "linear_attention" else attention, channel) for kind in kinds)
    extra = (Layer(attention, channel),) * f.get("mtp_num_hidden_layers", default=0)
    return build(f, family, layers, mtp_layers=extra, norm_offset_float=True)


def granite_hybrid(f: Fields, family: str) -> Architecture:
    """Granite 4: Mamba-2 with some attention layers, routed and shared experts."""
    mamba = _mamba(
        f,
        f.need("mamba_n_heads"),
        f.need("mamba_d_head"),
        f.need("mamba_n_groups"),
        f.need("mamba_d_state"),
        "mamba_d_conv",
    )
    attention = grouped(f)
    shared = f.need("shared_intermediate_size")
    channel: Channel = FeedForward(shared, fused_gate_up=True)
    if f.get("num_local_experts", default=0):
        channel = experts(
            f, intermediate=f.need("intermediate_size"), shared_intermediate=shared, shared_fused=True
        )
    kinds = _kinds(f, f.need("num_hidden_layers"))
    layers = tuple(
        Layer(attention if "attention" in k and "linear" not in k else mamba, channel) for k in kinds
    )
    return build(f, family, layers, tied=True)


def _mamba(f: Fields, heads: int, dim: int, groups: int, state: int, kernel: str) -> Mamba2:
    return Mamba2(
        heads=heads,
        head_dim=dim,
        groups=groups,
        state=state,
        conv_kernel=f.get(kernel, default=4),
        projection_bias=f.flag("mamba_proj_bias", False),
        chunk=f.get("mamba_chunk_size", "chunk_size", default=256),
    )


def nemotron_h(f: Fields, family: str) -> Architecture:
    """Nemotron-H: a layer is a mixer or a feed-forward block alone, with one norm."""
    mamba = _mamba(
        f,
        f.need("mamba_num_heads"),
        f.need("mamba_head_dim"),
        f.need("n_groups"),
        f.need("ssm_state_size"),
        "conv_kernel",
    )
    channel = FeedForward(f.need("intermediate_size"), gated=False, bias=f.flag("mlp_bias", False))
    kinds = f.raw("layers_block_type") or _from_pattern(f)
    blocks: dict[str, tuple[Mixer | None, Channel | None]] = {
        "linear_attention": (mamba, None),
        "mamba": (mamba, None),
        "mlp": (None, channel),
        "full_attention": (grouped(f), None),
        "attention": (grouped(f), None),
    }
    if "moe" in kinds:
        inner = f.need("moe_intermediate_size")
        shared = f.get("moe_shared_expert_intermediate_size", default=inner)
        blocks["moe"] = (None, experts(f, shared_intermediate=shared, gated=False))
    return build(f, family, tuple(Layer(*blocks[kind], norms=1) for kind in kinds))


def _from_pattern(f: Fields) -> list[str]:
    letters = {"M": "mamba", "*": "attention", "-": "mlp", "E": "moe"}
    pattern = f.raw("hybrid_override_pattern")
    if not isinstance(pattern, str):
        f.need("layers_block_type")
    return [letters[letter] for letter in str(pattern)]


def kimi_linear(f: Fields, family: str) -> Architecture:
    """Kimi-Linear: a delta rule with a gate per channel, latent attention on every fourth layer."""
    facts = f.raw("linear_attn_config")
    if not isinstance(facts, dict):
        f.need("linear_attn_config")
    delta = KimiDeltaAttention(facts["num_heads"], facts["head_dim"], facts.get("short_conv_kernel_size", 4))
    full = {index - 1 for index in facts["full_attn_layers"]}
    inner = f.need("moe_intermediate_size")
    sparse = experts(f, shared_intermediate=inner * f.get("num_shared_experts", default=1))
    first = f.get("first_k_dense_replace", default=1)
    dense = FeedForward(f.need("intermediate_size"))
    layers = tuple(
        Layer(latent(f) if i in full else delta, dense if i < first else sparse)
        for i in range(f.need("num_hidden_layers"))
    )
    return build(f, family, layers)


def lfm2(f: Fields, family: str) -> Architecture:
    """LFM2: gated short convolutions with some attention layers; refused where the order is not stated."""
    count = f.need("num_hidden_layers")
    kinds = f.layer_types(count)
    if kinds is None:
        full = f.raw("full_attn_idxs")
        if not isinstance(full, list):
            f.need("layer_types")
        kinds = ["full_attention" if i in full else "conv" for i in range(count)]
    conv = ShortConv(f.need("hidden_size"), f.get("conv_L_cache", default=3), f.flag("conv_bias", False))
    attention = grouped(f, qk_norm="head")
    inner = FeedForward(_lfm_width(f))
    sparse: FeedForward | MixtureOfExperts = experts(f) if f.get("num_experts", default=0) else inner
    first = f.get("num_dense_layers", default=0)
    layers = tuple(
        Layer(conv if kind == "conv" else attention, inner if i < first else sparse)
        for i, kind in enumerate(kinds)
    )
    return build(f, family, layers, tied=True)


def _lfm_width(f: Fields) -> int:
    """Return the feed-forward width: `block_ff_dim` is the width before two thirds of it are rounded up."""
    width = f.get("block_ff_dim", "intermediate_size", default=0) or f.need("intermediate_size")
    if not f.flag("block_auto_adjust_ff_dim", False):
        return width
    multiple = f.get("block_multiple_of", default=256)
    return -(-(2 * width // 3) // multiple) * multiple
