"""What layers keep for the backward pass, byte by byte against the saved tensors of Transformers 5.24.

Each figure was read off the framework's own code, run on tensors without data: bytes per token and layer.
"""

import pytest

from configurator.domain.architecture import (
    Architecture,
    Attention,
    FeedForward,
    GatedDeltaNet,
    LatentAttention,
    Layer,
    MixtureOfExperts,
)
from configurator.memory.reads import Saving
from configurator.memory.saved import layer_kept, layer_peak, weight_copies

FULL = Saving(full=True)
EVERY = frozenset({"all-linear"})
LORA = Saving(full=False, targets=EVERY, rank=16)


def model(layer, hidden, **facts):
    return Architecture(family="test", hidden=hidden, vocab=1000, layers=(layer,), **facts)


LLAMA = Layer(Attention(32, 8, 128), FeedForward(14336))
OLMO = Layer(Attention(32, 32, 128, qk_norm="full"), FeedForward(11008))
PHI = Layer(Attention(32, 32, 96, fused_qkv=True, partial_rotary=True), FeedForward(8192, fused_gate_up=True))
MINITRON = Layer(Attention(24, 8, 128, partial_rotary=True), FeedForward(9216, gated=False))
QWEN_MOE = Layer(Attention(32, 4, 128, qk_norm="head"), MixtureOfExperts(128, 8, 768))
GLM = Layer(
    Attention(96, 8, 128, partial_rotary=True),
    MixtureOfExperts(128, 8, 1408, shared_intermediate=1408, router_float=True),
)
DEEPSEEK = Layer(
    LatentAttention(128, 1536, 512, 128, 64, 128),
    MixtureOfExperts(256, 8, 2048, shared_intermediate=2048, router_float=True),
)
# Activations and norms that the model's own code writes out: GELU by tanh, xIELU, Cohere's layer norm.
PHI2 = Layer(
    Attention(32, 32, 80, partial_rotary=True),
    FeedForward(10240, gated=False, steps=6),
    norms=1,
    parallel=True,
)
APERTUS = Layer(Attention(32, 8, 128, qk_norm="head"), FeedForward(21504, gated=False, steps=5))
COHERE = Layer(Attention(64, 64, 128), FeedForward(22528), norms=1, parallel=True)
QWEN35 = Layer(
    Attention(16, 4, 256, qk_norm="head", output_gate=True, partial_rotary=True), FeedForward(12288)
)


@pytest.mark.parametrize(
    ("layer", "hidden", "facts", "saving", "measured"),
    [
        # 16h + 8 + 4q + 4kv + 4H + 8I = 65,536 + 8 + 16,384 + 4,096 + 128 + 114,688
        (LLAMA, 4096, {}, FULL, 200_840),
        # fp32 adapters under autocast: every linear casts its input for itself
        (LLAMA, 4096, {}, Saving(False, EVERY, 16, adapter_fp32=True, autocast=True), 217_448),
        # DoRA: 4 bytes more per output of each of seven linears: 4 x (4,096 x 3 + 1,024 x 2 + 14,336 x 2)
        (LLAMA, 4096, {}, Saving(False, EVERY, 16, dora=True), 184_680 + 172_032),
        (OLMO, 4096, {"norm_offset_float": True}, FULL, 268_432),
        (OLMO, 4096, {"norm_offset_float": True}, LORA, 203_120),
        (PHI, 3072, {}, FULL, 157_832),
        (PHI, 3072, {}, LORA, 145_672),
        (MINITRON, 3072, {"norm": "layer"}, FULL, 84_084),
        (QWEN_MOE, 2048, {}, FULL, 194_600),
        (QWEN_MOE, 2048, {}, Saving(False, frozenset({"q_proj", "v_proj"}), 16), 128_104),
        (GLM, 4096, {}, FULL, 393_420),
        (DEEPSEEK, 7168, {}, FULL, 767_829),
        (PHI2, 2560, {"norm": "layer"}, LORA, 138_564),
        (APERTUS, 4096, {}, LORA, 284_136),
        (COHERE, 8192, {"norm": "layer", "norm_bias": False}, FULL, 360_740),
        (QWEN35, 4096, {"norm_offset_float": True}, FULL, 266_682),
    ],
)
def test_a_layer_keeps_what_the_code_keeps(layer, hidden, facts, saving, measured):
    kept = layer_kept(layer, model(layer, hidden, **facts), saving)
    assert kept.per_token == pytest.approx(measured, rel=0.0015)


def test_the_chunked_delta_rule_in_pytorch_keeps_far_more_than_its_kernel():
    # Qwen 3.5 9B, a recurrent layer: 541,982 bytes a token in the reference code.
    layer = Layer(GatedDeltaNet(16, 32, 128, 128, 4, split_projections=True), FeedForward(12288))
    a = model(layer, 4096, norm_offset_float=True)
    plain = layer_kept(layer, a, Saving(full=True, recurrence="reference")).per_token
    assert plain == pytest.approx(541_982, rel=0.02)
    assert layer_kept(layer, a, FULL).per_token < 0.6 * plain


def test_eager_attention_keeps_its_scores_and_meets_their_gradients():
    # Llama 3.1 8B: softmax in fp32 and 16 bit, 6 bytes for each of 32 heads; 6 more in the backward pass.
    eager = Saving(full=True, eager=True)
    a = model(LLAMA, 4096)
    assert layer_kept(LLAMA, a, eager).per_score == 192
    assert layer_peak(LLAMA, a, eager)[-1].per_score == 384


def test_adapters_on_fused_experts_keep_merged_weights():
    # Qwen3-30B-A3B: 128 experts x 3 matrices of 768 x 2,048 x 2 bytes a layer, whatever the tokens.
    a = model(QWEN_MOE, 2048)
    merged = layer_kept(QWEN_MOE, a, Saving(False, EVERY, 16, experts=True)).per_step
    assert merged == 128 * 3 * 768 * 2048 * 2
    assert layer_kept(QWEN_MOE, a, LORA).per_step == 0


def test_dora_multiplies_out_one_weight_at_a_time():
    # Llama 3.1 8B, down projection: an identity of 14,336 x 14,336 and two matrices of 4,096 x 14,336.
    dora = Saving(False, EVERY, 16, dora=True)
    assert weight_copies(model(LLAMA, 4096), dora, quantized=False) == 2 * (14336**2 + 2 * 4096 * 14336)
    assert weight_copies(model(LLAMA, 4096), LORA, quantized=True) == 2 * 4096 * 14336
