"""Power limits, watts at the wall, noise, and what the host's memory costs."""

import pytest

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.domain.machine import Machine
from configurator.domain.ranges import Range
from configurator.domain.workload import Workload
from configurator.speed.constants import constants
from configurator.speed.decode import read_on_host, step_seconds
from configurator.speed.host import memory_rate
from configurator.speed.power import noise, under_limit, wall_power, with_energy

CATALOG = load_catalog()
WRITING = Workload(task="inference", model="any")
TRAINING = Workload(task="lora", model="any")


def cards(gpu="geforce-rtx-4090", count=1, **more):
    return Machine.model_validate({"gpus": [{"gpu": gpu, "count": count}], **more})


def ranged(likely):
    return Range(low=0.9 * likely, likely=likely, high=1.1 * likely)


def test_a_limit_costs_arithmetic_more_than_reading():
    """At 360 of 450 W: 0.96 of training and 0.98 of writing are left (Puget, rtx6kpro, club-3090)."""
    found = {"decode_tokens_s": ranged(100.0), "train_tokens_s": ranged(1000.0), "hours": ranged(2.0)}
    left = under_limit(found, cards(power_limit_w=360), CATALOG)
    assert left["decode_tokens_s"].likely == pytest.approx(98)
    assert left["train_tokens_s"].likely == pytest.approx(960)
    assert left["hours"].likely == pytest.approx(2 / 0.96)
    assert left["hours"].low < left["hours"].likely < left["hours"].high
    assert under_limit(found, cards(power_limit_w=500), CATALOG) == found


def test_between_two_measured_limits_lies_what_is_left():
    """405 W is 0.9 of the rating, half way between 1.0 and 0.96."""
    left = under_limit({"train_tokens_s": ranged(1000.0)}, cards(power_limit_w=405), CATALOG)
    assert left["train_tokens_s"].likely == pytest.approx(980)


@pytest.mark.parametrize(
    ("machine", "measured"),
    [
        (cards("geforce-rtx-3060-12-gb"), 224),
        (cards("geforce-rtx-3080-ti"), 495),
        (cards("radeon-ai-pro-r9700"), 333.8),
        (Machine(system="mac-studio-m3-ultra-512"), 227),
        (Machine(system="nvidia-dgx-spark"), 122.8),
    ],
)
def test_whole_machines_at_the_wall_as_they_were_measured(machine, measured):
    """geerlingguy ai-benchmarks, writing an answer."""
    found = wall_power(machine, WRITING, CATALOG)
    assert found is not None
    assert found.low < measured < found.high


def test_a_mac_draws_far_less_than_a_card_that_trains():
    """A course states 160 W against 450 W. At the wall the Mac draws more, and so does the computer around the card."""
    mac = wall_power(Machine(system="mac-studio-m3-ultra-96"), TRAINING, CATALOG)
    card = wall_power(cards(), TRAINING, CATALOG)
    assert mac is not None and card is not None
    assert 180 < mac.likely < 262
    assert card.likely == pytest.approx((0.95 * 450 + 0.5 * 150 + 60) / 0.91)
    assert card.likely > 2 * mac.likely


def test_energy_is_watts_times_hours_and_seconds_of_a_thousand_tokens():
    found = with_energy({"hours": ranged(2.0), "decode_tokens_s": ranged(100.0)}, ranged(500.0))
    assert found["energy_kwh"].likely == pytest.approx(1.0)
    assert found["energy_wh_per_1000_tokens"].likely == pytest.approx(500 * 10 / 3600)
    assert with_energy({}, ranged(500.0)) == {}


def test_noise_follows_the_heat_and_the_coolers():
    for machine, expected in (
        (Machine(system="nvidia-dgx-spark"), "quiet"),
        (cards("geforce-rtx-3090"), "audible"),
        (cards("geforce-rtx-5090", 2), "loud"),
        (cards("l40s"), "server room"),
    ):
        watts = wall_power(machine, TRAINING, CATALOG)
        assert watts is not None
        assert noise(machine, CATALOG, watts) == expected


def test_experts_on_the_host_are_read_at_its_memory(subject_of):
    """Of gpt-oss-120b a token meets 4 of 128 experts in each of 36 layers: 3 x 2,880 x 2,880 weights of 4.25 bits."""
    s = subject_of(model="openai/gpt-oss-120b", weights="MXFP4", offload="experts->CPU")
    read = 36 * 4 * 3 * 2880 * 2880 * 4.25 / 8
    assert read_on_host(s) == pytest.approx(read, rel=0.03)
    whole = subject_of(model="openai/gpt-oss-120b", weights="MXFP4", system="nvidia-dgx-spark")
    assert step_seconds(s) > read / s.host_rate
    assert not whole.host_weights


def test_layers_on_the_host_slow_an_answer_down(subject_of):
    model = {"model": "meta-llama/Llama-3.1-70B-Instruct", "weights": "Q4_K_M"}
    half = subject_of(**model, offload="gpu-layers:40")
    # 3.1 tokens/s were measured with a 4090 and offload.
    assert 1.5 < 1 / step_seconds(half) < 5


def test_a_processor_with_more_channels_reads_faster():
    two = memory_rate(cards(cpu="ryzen-9-9950x"), CATALOG)
    platform = CATALOG.platforms[CATALOG.cpus["ryzen-9-9950x"].platform]
    fastest = max(one.speed_mts for one in platform.population)
    assert two == pytest.approx(2 * fastest * 8e6 * constants().host.reached)
    assert memory_rate(cards(), CATALOG) == constants().host.memory_gbs * 1e9


def test_measured_runs_of_the_same_kind_stand_beside_the_figures(case):
    found = judged(case(model="Llama-3-8B", weights="Q4_K_M", gpu="geforce-rtx-3090"), CATALOG)
    beside = [note for note in found.estimate.notes if "measured by others" in note.template]
    assert [note.values["value"] for note in beside] == [111.74]
    other = judged(case(model="Llama-3-8B", weights="Q8_0", gpu="geforce-rtx-3090"), CATALOG)
    assert not [note for note in other.estimate.notes if "measured by others" in note.template]
