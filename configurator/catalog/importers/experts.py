"""Mixture-of-experts families."""

from __future__ import annotations

from configurator.catalog.importers.attention import grouped, latent, sliding_layers
from configurator.catalog.importers.dense import build
from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import Architecture, FeedForward, Layer, Mixer, MixtureOfExperts

GLM_DSA_DEFAULTS = {
    "vocab_size": 154880,
    "hidden_size": 6144,
    "intermediate_size": 12288,
    "moe_intermediate_size": 2048,
    "num_hidden_layers": 78,
    "num_attention_heads": 64,
    "num_key_value_heads": 64,
    "n_shared_experts": 1,
    "n_routed_experts": 256,
    "num_experts_per_tok": 8,
    "kv_lora_rank": 512,
    "q_lora_rank": 2048,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 192,
    "v_head_dim": 256,
    "index_head_dim": 128,
    "index_n_heads": 32,
    "first_k_dense_replace": 3,
}
"""What a GLM configuration leaves out (Transformers, configuration_glm_moe_dsa.py)."""


def experts(f: Fields, **changes: object) -> MixtureOfExperts:
    """Return the routed experts under the field names in use."""
    facts: dict[str, object] = {
        "experts": f.need("num_experts", "num_local_experts", "n_routed_experts"),
        "active": f.need("num_experts_per_tok", "num_experts_per_token"),
        "intermediate": f.get("moe_intermediate_size", default=0) or f.need("intermediate_size"),
    }
    return MixtureOfExperts(**(facts | changes))  # type: ignore[arg-type]


def mixtral(f: Fields, family: str) -> Architecture:
    """Mixtral: every layer has experts."""
    layer = Layer(grouped(f), experts(f, intermediate=f.need("intermediate_size")))
    return build(f, family, (layer,) * f.need("num_hidden_layers"))


def qwen3_moe(f: Fields, family: str) -> Architecture:
    """Qwen 3 with experts on every `decoder_sparse_step`-th layer."""
    step = f.get("decoder_sparse_step", default=1)
    dense = set(f.raw("mlp_only_layers") or ())
    attention = grouped(f, qk_norm="head")
    sparse = Layer(attention, experts(f))
    layers = [
        Layer(attention, FeedForward(f.need("intermediate_size"))) if i in dense or (i + 1) % step else sparse
        for i in range(f.need("num_hidden_layers"))
    ]
    return build(f, family, tuple(layers))


def minimax(f: Fields, family: str) -> Architecture:
    """MiniMax M2: q and k norms over all heads, routed experts only."""
    layer = Layer(grouped(f, qk_norm="full"), experts(f, intermediate=f.need("intermediate_size")))
    extra = (layer,) * f.get("num_mtp_modules", default=0)
    return build(f, family, (layer,) * f.need("num_hidden_layers"), mtp_layers=extra)


def gpt_oss(f: Fields, family: str) -> Architecture:
    """gpt-oss: sinks, biases everywhere, every second layer with a window."""
    count = f.need("num_hidden_layers")
    window = f.get("sliding_window", default=128)
    channel = experts(f, intermediate=f.need("intermediate_size"), router_bias=True, expert_bias=True)
    layers = tuple(
        Layer(
            grouped(
                f,
                qkv_bias=True,
                output_bias=True,
                sinks=True,
                window=window if sliding else None,
                partial_rotary=True,
            ),
            channel,
        )
        for sliding in sliding_layers(f, count, 2)
    )
    return build(f, family, layers, norm_offset_float=True)


def llama4(f: Fields, family: str) -> Architecture:
    """Llama 4: routed and one shared expert, in Maverick on every second layer only."""
    inner = f.get("moe_intermediate_size", default=0) or f.need("intermediate_size")
    attention = grouped(f)
    sparse = Layer(attention, experts(f, intermediate=inner, shared_intermediate=inner))
    dense = Layer(attention, FeedForward(f.get("intermediate_size_mlp", default=2 * inner)))
    step = f.get("interleave_moe_layer_step", default=1)
    layers = tuple(dense if (i + 1) % step else sparse for i in range(f.need("num_hidden_layers")))
    return build(f, family, layers)


def _deep(f: Fields, family: str, mixer: Mixer) -> Architecture:
    """DeepSeek's layout: the first layers dense, then routed and shared experts."""
    inner = f.need("moe_intermediate_size")
    shared = inner * f.get("n_shared_experts", default=1)
    sparse = Layer(mixer, experts(f, shared_intermediate=shared, router_float=True))
    first = f.get("first_k_dense_replace", default=1)
    dense = Layer(mixer, FeedForward(f.need("intermediate_size"))) if first else sparse
    layers = (dense,) * first + (sparse,) * (f.need("num_hidden_layers") - first)
    return build(f, family, layers, mtp_layers=(sparse,) * f.get("num_nextn_predict_layers", default=0))


def deepseek(f: Fields, family: str) -> Architecture:
    """DeepSeek V2 and V3, Kimi K2, GLM-4.7-Flash, GLM-5: latent attention."""
    return _deep(f, family, latent(f))


def glm4_moe(f: Fields, family: str) -> Architecture:
    """GLM 4.5: grouped-query attention with bias on q, k and v."""
    norm = "head" if f.flag("use_qk_norm", False) else "none"
    attention = grouped(f, qkv_bias=f.flag("attention_bias", True), output_bias=False, qk_norm=norm)
    return _deep(f, family, attention)
