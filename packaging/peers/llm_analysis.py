"""llm-analysis: inference and full training under any split, from the layer's arithmetic."""

from __future__ import annotations

import logging

from peers.question import Guess, Question

_WEIGHT_BITS = {"bf16": 16, "fp16": 16, "fp8": 8, "int8": 8, "awq4": 4, "gptq4": 4, "nf4": 4}


def estimate(q: Question) -> Guess | None:
    """Return its answer; it knows neither adapters nor latent attention."""
    if q.workload.task in ("lora", "qlora") or q.weights not in _WEIGHT_BITS or "kv_lora_rank" in q.config:
        return None
    if not (q.infers or q.steps):
        return None
    logging.getLogger("llm_analysis").setLevel(logging.CRITICAL)
    from llm_analysis import analysis, config

    analysis.logger.setLevel(logging.CRITICAL)
    bits = _WEIGHT_BITS[q.weights]
    model = config.ModelConfig(
        name="model",
        num_layers=q.layers,
        n_head=q.heads,
        hidden_dim=q.hidden,
        vocab_size=int(q.config["vocab_size"]),
        max_seq_len=max(int(q.config.get("max_position_embeddings") or 0), q.context + 1),
        num_key_value_heads=q.kv_heads,
        ffn_embed_dim=q.intermediate,
        expansion_ratio=q.intermediate / q.hidden,
        moe_num_experts=q.experts or 1,
        moe_top_k=q.active_experts,
    )
    # It asserts that the work fits; the card is made large so that it answers.
    card = config.GPUConfig("card", 1e4, 1e3, 300.0, 8e-6, 300.0)
    plan = config.ParallelismConfig(
        tp_size=q.plan.tp, pp_size=q.plan.pp, dp_size=q.plan.dp, ep_size=q.plan.ep
    )
    types = config.DtypeConfig(f"w{bits}a16e16", bits, 16, 16)
    engine = analysis.LLMAnalysis(model, card, types, plan, flops_efficiency=0.5, hbm_memory_efficiency=0.8)
    return Guess(sum(_parts(engine, analysis, q)))


def _parts(engine, analysis, q: Question) -> list[float]:  # type: ignore[no-untyped-def]
    if q.infers:
        found = engine.inference(batch_size_per_gpu=q.batch, seq_len=q.context, num_tokens_to_generate=1)
        names = ("weight_memory", "kv_cache_memory", "prefill_activation_memory")
    else:
        recomputation = analysis.ActivationRecomputation
        found = engine.training(
            batch_size_per_gpu=q.batch,
            gradient_accumulation_steps=1,
            seq_len=q.context,
            total_num_tokens=1e9,
            activation_recomputation=recomputation.FULL if q.workload.checkpointing else recomputation.NONE,
            ds_zero=analysis.DSZeRO(q.plan.zero),
            flash_attn=q.workload.attention != "eager",
            mlp_gated_linear_units=True,
        )
        names = ("weight_memory", "optimizer_state_memory", "gradient_memory", "activation_memory")
    return [found[f"{name}_per_gpu"] for name in names]
