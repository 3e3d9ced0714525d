"""Many requests at once, and training, worked out by hand or held by what others measured."""

from dataclasses import replace

import pytest

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.speed.constants import constants
from configurator.speed.engine import speeds_of
from configurator.speed.exchange import exchange_seconds
from configurator.speed.prompt import token_seconds
from configurator.speed.serving import at_once, served, step_seconds
from configurator.speed.training import gradient_seconds, micro_seconds, operations, tokens_per_step
from configurator.speed.work import active

VLLM = {"task": "serving", "framework": "vllm", "model": "mistralai/Mistral-7B-v0.1", "context": 512}


def test_requests_share_the_reading_of_the_weights(subject_of):
    """Eight requests take little longer a token than one, so together they are nearly eight times as fast."""
    s = subject_of(**VLLM)
    assert step_seconds(s, 1) < step_seconds(s, 8) < 1.5 * step_seconds(s, 1)
    together = [served(replace(s, pool_tokens=None))["decode_tokens_s"].likely]
    assert together[0] > 0


@pytest.mark.parametrize(("requests", "measured"), [(4, 210), (16, 644), (48, 1190)])
def test_a_server_under_load_as_one_blog_measured_it(subject_of, requests, measured):
    """Mistral 7B on one RTX 4090, 256 tokens in and 100 out (mushfiqrahman.dev)."""
    s = subject_of(**VLLM, concurrency=requests, input_tokens=256, output_tokens=100)
    found = served(s)["decode_tokens_s"]
    assert found.low < measured < found.high


def test_no_more_requests_run_than_the_pool_holds(subject_of):
    s = replace(subject_of(**VLLM, concurrency=64), depth=500.0, pool_tokens=5_000.0)
    assert at_once(s) == pytest.approx(10)
    assert at_once(replace(s, pool_tokens=1e9)) == 64


def test_cards_that_cut_layers_pay_two_messages_a_layer(subject_of):
    s = subject_of(**VLLM, gpu="rtx-pro-6000-blackwell", count=2, plan={"tp": 2})
    link = constants().links["p2p"]
    # Sums of one token: 4,096 values of two bytes, of which each card sends half there and half back.
    each = link.us * 1e-6 + 4096 * 2 * 2 * 1 / 2 / (link.gbs * 1e9)
    assert exchange_seconds(s, 1) == pytest.approx(2 * 32 * each)
    one = subject_of(**VLLM, gpu="rtx-pro-6000-blackwell")
    assert token_seconds(one, 512) / 2 < token_seconds(s, 512) < token_seconds(one, 512)
    assert s.link.gbs > subject_of(**VLLM, count=2, plan={"tp": 2}).link.gbs


def test_a_line_of_cards_reads_the_weights_for_every_part_of_the_requests(subject_of):
    """Two halves of the requests each read all weights, half of them on each card: as much as two copies do. Cutting
    the layers reads them once."""
    line = subject_of(**VLLM, count=2, plan={"pp": 2})
    copies = subject_of(**VLLM, count=2, plan={"dp": 2})
    assert step_seconds(line, 16) == pytest.approx(step_seconds(copies, 16))
    cut = subject_of(**VLLM, count=2, plan={"tp": 2})
    assert step_seconds(cut, 16) - exchange_seconds(cut, 16) < 0.6 * step_seconds(line, 16)


def test_adapters_save_a_third_of_the_work_and_checkpointing_adds_some(subject_of):
    facts = {"framework": "torchtune", "context": 2048, "batch": 2}
    model = subject_of(task="full", **facts).setting.model
    for task, again, passes in (("full", False, 6), ("full", True, 8), ("lora", False, 4), ("lora", True, 6)):
        s = subject_of(task=task, checkpointing=again, **facts)
        attention = 4 * 32 * 4096 * 1024 * (4 if again else 3)
        assert operations(s)[0] == pytest.approx(passes * active(model) + attention)
    # Below the first adapter nothing goes back: 8 of 32 layers.
    s = subject_of(task="lora", checkpointing=False, lora={"rank": 8, "layers": 8}, **facts)
    assert operations(s)[0] == pytest.approx((2 + 2 * 8 / 32) * active(model) + 4 * 32 * 4096 * 1024 * 3)


def test_small_steps_wait_for_the_host_and_large_ones_for_the_card(subject_of):
    facts = {
        "task": "lora",
        "framework": "transformers",
        "gpu": "a100-80gb",
        "batch": 1,
        "checkpointing": True,
    }
    short, shorter = (subject_of(context=context, **facts) for context in (256, 128))
    assert (
        micro_seconds(short)
        == micro_seconds(shorter)
        == pytest.approx(32 * constants().training.launch_ms * 1e-3)
    )
    assert micro_seconds(subject_of(context=8192, **facts)) > 5 * micro_seconds(short)


def test_copies_exchange_whole_gradients_and_adapters_nearly_none(subject_of):
    full = subject_of(task="full", framework="torchtune", count=2, plan={"dp": 2})
    c, link = constants().training, constants().links["host"]
    # 8.03 G gradients of two bytes, half of them there and half back on each of two cards
    assert gradient_seconds(full) == pytest.approx((1 - c.overlap) * 8.030e9 * 2 / (link.gbs * 1e9), rel=1e-3)
    assert gradient_seconds(subject_of(task="lora", framework="torchtune", count=2, plan={"dp": 2})) == 0


def test_hours_follow_from_the_data_set(subject_of):
    facts = {"task": "lora", "framework": "unsloth", "context": 2048, "batch": 4, "grad_accum": 2}
    s = subject_of(**facts, dataset={"tokens": 10_000_000}, options={"num_train_epochs": 3})
    found = speeds_of(s)
    assert tokens_per_step(s) == 2048 * 4 * 2
    assert found["hours_per_epoch"].likely == pytest.approx(1e7 / found["train_tokens_s"].likely / 3600)
    assert found["hours"].likely == pytest.approx(3 * found["hours_per_epoch"].likely)
    assert found["hours"].low < found["hours"].likely < found["hours"].high
    assert "hours" not in speeds_of(subject_of(**facts))


def test_the_mac_trains_far_slower_than_a_well_fed_card(case):
    """Compute-bound prompts differ 6.7-fold between a 4090 and an M2 Ultra (XiongjieDai): training cannot differ less
    than by five."""
    catalog = load_catalog()
    facts = {
        "task": "lora",
        "model": "meta-llama/Llama-3.1-8B",
        "weights": "bf16",
        "context": 2048,
        "batch": 1,
    }
    mac = judged(case(system="mac-studio-m3-ultra-96", framework="mlx-lm", **facts), catalog).estimate.speed
    card = judged(case(framework="unsloth", checkpointing=True, **facts), catalog).estimate.speed
    assert card["train_tokens_s"].likely > 5 * mac["train_tokens_s"].likely
