"""Tokens a second while an answer is written and a prompt is read, worked out by hand."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.speed.chips import of_apple, of_card, of_system
from configurator.speed.constants import constants
from configurator.speed.decode import step_seconds
from configurator.speed.engine import speeds_of
from configurator.speed.possible import impossible
from configurator.speed.prompt import step_tokens, token_seconds
from configurator.speed.work import active, active_experts, read_per_step, touched

CATALOG = load_catalog()


def test_a_token_reads_every_weight_but_the_embedding_and_the_whole_cache(subject_of):
    """8,030,261,248 weights less the embedding of 128,256 x 4,096, two bytes each; 32 layers keep keys and values
    of 8 heads x 128 in two bytes for 4,096 tokens."""
    s = subject_of()
    weights = (8_030_261_248 - 128_256 * 4096) * 2
    cache = 4096 * 32 * 2 * 8 * 128 * 2
    family = constants().families["geforce"]
    by_hand = (weights + cache) / (1010e9 * family.read) + 32 * family.launch_us * 1e-6
    # Norms lie in 16 bit here, in 32 bit there: a few kilobytes.
    assert step_seconds(s) == pytest.approx(by_hand, rel=1e-3)


def test_of_the_experts_a_token_reads_those_it_meets_and_many_tokens_nearly_all(subject_of):
    s = subject_of(model="Qwen/Qwen3-30B-A3B", weights="Q8_0")
    model = s.setting.model
    assert touched(model, 1) == pytest.approx(8 / 128)
    assert touched(model, 64) == pytest.approx(1 - (120 / 128) ** 64)
    # 48 layers x 128 experts x 3 matrices of 2,048 x 768, 8.5 bits each
    experts = 48 * 128 * 3 * 2048 * 768 * 8.5 / 8
    assert read_per_step(s.setting, 1) - read_per_step(s.setting, 0) == pytest.approx(experts / 16)
    assert active_experts(model) == pytest.approx(48 * 8 * 3 * 2048 * 768)


def test_gguf_files_of_gpt_oss_keep_all_but_the_experts_in_eight_bit(subject_of):
    """59.02 GiB are published for the 120B: with 16-bit attention it would be 60.8."""
    s = subject_of(model="openai/gpt-oss-120b", weights="MXFP4", system="nvidia-dgx-spark")
    half = replace(s, file_bytes=59.02 * 2**30)
    assert half.scale == pytest.approx(1.0, abs=0.005)


def test_a_prompt_computes_two_operations_a_weight_and_attention_at_its_depth(subject_of):
    s = subject_of(system="mac-studio-m2-ultra-192", framework="mlx-lm")
    model, family = s.setting.model, constants().families["apple-ultra"]
    weights = active(model) - 128_256 * 4096
    operations = 2 * weights + 4 * 32 * 4096 * 4096
    reading = read_per_step(s.setting) / (819.2e9 * family.read * step_tokens(s))
    # The rate is bound by units (27.2 TFLOPS) and power (245 W at the wall) alike.
    rate = constants().prompt.by_power * (27.2 * 245) ** 0.5 * 1e12 * family.compute
    by_hand = operations / rate + reading
    assert token_seconds(s, 4096) == pytest.approx(by_hand, rel=1e-6)


def test_layers_dealt_out_bring_no_speed_to_one_user_and_some_to_the_reader(subject_of):
    one = subject_of(model="meta-llama/Llama-3.1-8B", gpu="rtx-6000-ada-generation")
    four = subject_of(model="meta-llama/Llama-3.1-8B", gpu="rtx-6000-ada-generation", count=4)
    assert four.setting.plan.pp == 4
    assert step_seconds(four) == pytest.approx(step_seconds(one) + 3 * constants().decode.hop_ms * 1e-3)
    assert token_seconds(one, 4096) / 4 < token_seconds(four, 4096) < token_seconds(one, 4096)


def test_no_speed_is_shown_where_it_does_not_fit(case):
    assert not judged(case(model="meta-llama/Llama-3.1-70B-Instruct"), CATALOG).estimate.speed
    fits = judged(
        case(model="meta-llama/Llama-3.1-70B-Instruct", weights="Q4_K_M", gpu="rtx-6000-ada-generation"),
        CATALOG,
    )
    assert 15 < fits.estimate.speed["decode_tokens_s"].likely < 22  # 18.4 measured by XiongjieDai


def test_no_speed_is_guessed_for_a_card_of_which_only_the_memory_is_known(case):
    asked = case(gpu={"name": "Prototype", "vram_gib": 64})
    assert judged(asked, CATALOG).estimate.speed == {}


@pytest.mark.parametrize(
    ("facts", "key", "value"),
    [
        # Found in a public cache of benchmark results: 27B at 521 tokens/s on a card of 936 GB/s.
        (
            {"model": "Qwen/Qwen3.6-27B", "weights": "Q4_K_M", "gpu": "geforce-rtx-3090"},
            "decode_tokens_s",
            521,
        ),
        # A vendor's "peak tokens": 1,400 TFLOPS on a chip of 125.
        (
            {
                "model": "meta-llama/Llama-3.2-3B",
                "task": "full",
                "framework": "transformers",
                "system": "nvidia-dgx-spark",
            },
            "train_tokens_s",
            82_739.2,
        ),
    ],
)
def test_physics_refuses_what_no_chip_can_do(subject_of, facts, key, value):
    s = subject_of(**facts)
    assert impossible(s, key, value) is not None
    assert impossible(s, key, value / 40) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    context=st.integers(256, 16_384),
    weights=st.sampled_from(["Q4_K_M", "Q8_0", "bf16"]),
    model=st.sampled_from(["meta-llama/Llama-3.1-8B", "openai/gpt-oss-20b", "qwen3-4b"]),
)
def test_deeper_is_never_faster_and_ranges_are_in_order(subject_of, context, weights, model):
    if "gpt-oss" in model:
        weights = "MXFP4"
    s = subject_of(model=model, weights=weights, context=context, gpu="rtx-pro-6000-blackwell")
    deeper = subject_of(model=model, weights=weights, context=2 * context, gpu="rtx-pro-6000-blackwell")
    assert step_seconds(deeper) >= step_seconds(s)
    for found in speeds_of(s).values():
        assert 0 < found.low < found.likely < found.high
    assert impossible(s, "decode_tokens_s", speeds_of(s)["decode_tokens_s"].high) is None


def test_every_card_and_system_of_the_catalogue_has_a_speed():
    assert [card for card, facts in CATALOG.gpus.items() if of_card(facts) is None] == []
    assert [system for system, facts in CATALOG.systems.items() if of_system(facts) is None] == []


@pytest.mark.parametrize(
    ("name", "cores", "bandwidth"),
    [("M3 Max 30c", 30, 400e9), ("M1-Pro-16GB", 16, 200e9), ("M2", 10, 100e9), ("M1 Ultra 48c", 48, 800e9)],
)
def test_a_mac_is_known_by_the_name_of_its_chip(name, cores, bandwidth):
    """256 operations a core and tick; 1.296, 1.398 and 1.38 GHz in the first three generations."""
    chip = of_apple(name)
    clock = {"M1": 1.296, "M2": 1.398, "M3": 1.38}[name[:2]]
    assert chip is not None
    assert chip.peak == pytest.approx(cores * 256 * clock * 1e9)
    assert chip.bandwidth == bandwidth
    assert of_apple("RTX M4000") is None
