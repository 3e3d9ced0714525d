"""Images a second, worked out by hand or held by what others measured."""

import pytest

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.speed.constants import constants
from configurator.speed.images import image_speeds
from configurator.speed.possible import impossible_images

CATALOG = load_catalog()


def asked(gpu="geforce-rtx-4090", count=1, plan=None, machine=None, **workload):
    workload = {"task": "inference", "model": "resnet50", "framework": "timm", "batch": 256} | workload
    document = {
        "format": "case/1",
        "workload": workload,
        "machine": {"gpus": [{"gpu": gpu, "count": count}], "os": "linux"} | (machine or {}),
    }
    return Case.model_validate(document | ({"plan": plan} if plan else {}))


def speeds(**facts):
    one = asked(**facts)
    return image_speeds(one, one.workload, CATALOG)


def rate_of(peak, watts):
    return constants().prompt.by_power * (peak * watts) ** 0.5 * 1e12


def test_an_image_computes_and_moves_its_values():
    """ResNet-50 at 224: 4.11 billion multiplications and 11.11 million values (timm)."""
    c = constants().images
    seconds = 2 * 4.11e9 / (rate_of(2 * 165.2, 450) * c.compute) + 11.11e6 * c.bytes_per_value / 1010e9
    assert speeds(weights="fp16")["images_s"].likely == pytest.approx(1 / seconds, rel=1e-6)


def test_figures_of_the_case_go_before_the_catalogue_and_grow_with_nothing():
    """What a case states holds at its own resolution: timm prints 2.1 billion at 160 pixels."""
    options = {"gmacs": 2.1, "macts": 5.67, "params_m": 25.56}
    found = speeds(weights="fp16", resolution=[160, 160], options=options)["images_s"]
    by_catalogue = speeds(weights="fp16", resolution=[160, 160])["images_s"]
    assert found.likely == pytest.approx(by_catalogue.likely, rel=0.03)
    assert found.low < 8305 < found.high  # measured by timm


def test_a_detector_without_counted_values_takes_them_from_what_training_keeps():
    small, large = (
        speeds(model=model, weights="fp16", framework="ultralytics") for model in ("yolov8n", "yolov8x")
    )
    assert small["images_s"].likely > 4 * large["images_s"].likely


def test_two_cards_lose_little_to_small_networks_and_much_to_large_ones_on_slow_links():
    facts = {"task": "full", "framework": "timm", "weights": "fp16"}
    one, two = speeds(**facts)["images_s"], speeds(**facts, count=2, plan={"dp": 2})["images_s"]
    assert 1.9 < two.likely / one.likely < 2
    facts |= {"model": "bert_large_squad", "batch": 12}
    one, two = speeds(**facts)["images_s"], speeds(**facts, count=2, plan={"dp": 2})["images_s"]
    assert 1.2 < two.likely / one.likely < 1.8  # 139 / 93 measured by Lambda


def test_the_processor_feeds_only_so_many_images():
    facts = {"task": "full", "weights": "fp16", "resolution": [224, 224]}
    assert "loader_images_s" not in speeds(**facts)
    found = speeds(**facts, machine={"cpu": "ryzen-9-9950x"})["loader_images_s"]
    assert found == constants().images.loader_per_core.scaled(16)
    larger = speeds(**(facts | {"resolution": [640, 640]}), machine={"cpu": "ryzen-9-9950x"})[
        "loader_images_s"
    ]
    assert larger.likely == pytest.approx(found.likely * 150_000 / 640**2)


def test_the_drive_feeds_only_so_many_images():
    """120 GB in a million files from a SATA drive of 530 MB/s: 4,400 images a second at the sequential rate."""
    facts = {"task": "full", "weights": "fp16", "dataset": {"size_gb": 120, "samples": 1_000_000}}
    drives = [{"capacity_tb": 2, "interface": "sata", "use": "data"}]
    found = speeds(**facts, machine={"drives": drives})["storage_images_s"]
    assert found.high == pytest.approx(530e6 / 120e3)
    assert "storage_images_s" not in speeds(**facts)


def test_encoders_of_texts_are_as_long_as_the_context():
    facts = {
        "task": "full",
        "model": "BERT-base",
        "framework": "transformers",
        "weights": "fp32",
        "batch": 64,
    }
    found = speeds(**facts, context=128, gpu="tesla-t4")
    assert found["train_tokens_s"].low < 6826.7 < found["train_tokens_s"].high  # lucadiliello
    assert found["step_s"].likely == pytest.approx(64 * 128 / found["train_tokens_s"].likely)


def test_a_step_of_a_generator_computes_all_images_and_both_passes_of_guidance():
    """SD 1.5 at 512: 0.68 TFLOP a pass, twice with guidance; fifty steps an image."""
    found = speeds(model="stable-diffusion-1.5", framework="diffusers", weights="fp16", batch=4)
    c = constants().denoising
    by_hand = 4 * 2 * 0.68e12 / (rate_of(2 * 165.2, 450) * c.compute)
    assert found["step_s"].likely == pytest.approx(by_hand)
    assert found["images_s"].likely == pytest.approx(4 / 50 / by_hand)
    assert found["step_s"].low < 0.0792 < found["step_s"].high  # diffusers' own table
    # Small batches wait for the host.
    one = speeds(model="stable-diffusion-1.5", framework="diffusers", weights="fp16", batch=1)
    assert one["step_s"].likely == pytest.approx(max(by_hand / 4, c.launch_ms * 1e-3))


def test_physics_refuses_steps_that_no_card_computes():
    """FLUX in 0.207 s a step on a 4090 (a hosting page): 358 TFLOPS on a chip of 330 at most."""
    one = asked(model="FLUX.1-dev", framework="diffusers", weights="fp16", batch=1, resolution=[1024, 1024])
    assert impossible_images(one, "step_s", 0.2067, CATALOG) is not None
    assert impossible_images(one, "step_s", 1.0, CATALOG) is None


def test_the_answer_to_a_case_shows_them():
    found = judged(asked(weights="fp16"), CATALOG).estimate.speed
    assert found["images_s"].low < 4303 < found["images_s"].high  # measured by timm
