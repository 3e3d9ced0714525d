"""Networks for images: recorded moments, pipelines, names, and networks that only figures describe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configurator.catalog.catalog import load_catalog
from configurator.catalog.images import load_images
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.images import Pass
from configurator.domain.ledger import Estimate
from configurator.memory.engine import estimate, predict
from configurator.memory.images.moments import Load, peak

GIB = 2**30


def case(gpus: int = 1, plan: dict[str, int] | None = None, **workload: object) -> Case:
    written = {"workload": workload, "machine": {"gpus": [{"gpu": "any", "count": gpus}]}}
    return Case.model_validate(written | ({"plan": plan} if plan else {}))


def of(answer: Estimate, component: str) -> int:
    return sum(entry.likely for entry in answer.devices[0].entries if entry.component == component)


def phase(answer: Estimate, name: str) -> int:
    return next(total.total.likely for total in answer.phases if total.phase == name)


def test_the_peak_moves_from_the_gradients_to_the_images_as_the_batch_grows() -> None:
    start, end = (0.0, 10.0, 0.0, 100.0), (60.0, 0.0, 0.0, 20.0)
    one = Pass(moments=(start, end), saved=(10.0, 0.0, 100.0))
    assert peak(one, Load(images=0.5, megapixels=1)) == end  # 60 + 10 against 10 + 50
    assert peak(one, Load(images=2, megapixels=1)) == start  # 10 + 200 against 60 + 40
    assert peak(one, Load(images=0.5, megapixels=1), states=0.25) == start  # sharded gradients: 15 + 10


@pytest.mark.parametrize(
    ("model", "compute", "edge", "batch", "activations", "total"),
    [
        ("resnet50", "bf16", 224, 8, 0.373651, 0.498871),
        ("resnet50", "fp32", 1024, 2, 3.320533, 3.478237),
        ("efficientnet_b0", "bf16", 640, 2, 0.679777, 0.714978),
        ("unet_31m", "fp32", 512, 1, 1.279341, 1.519033),
    ],
)
def test_training_agrees_with_runs_of_the_networks_own_code(
    model: str, compute: str, edge: int, batch: int, activations: float, total: float
) -> None:
    found = predict(
        case(
            task="full",
            model=model,
            framework="pytorch",
            weights="fp32",
            compute=compute,
            resolution=[edge, edge],
            batch=batch,
            optimizer="none",
        ),
        load_catalog(),
    ).devices[0]
    assert found.activations.likely == pytest.approx(activations * GIB, rel=0.002)
    assert found.allocated.likely == pytest.approx(total * GIB, rel=0.005)


def test_momentum_stands_beside_weights_and_gradients() -> None:
    answer = estimate(
        case(task="full", model="resnet50", framework="torchvision", batch=1, optimizer="adamw"),
        load_catalog(),
    )
    # 25,557,032 parameters: 4 bytes each of weights, 8 of Adam's states.
    assert of(answer, "optimizer") == 25_557_032 * 8
    assert of(answer, "weights") == 25_557_032 * 4


def test_bitsandbytes_leaves_the_output_matrices_of_t5_in_fp32() -> None:
    answer = estimate(case(task="inference", model="FLUX.1-dev", weights="nf4"), load_catalog())
    # A run of this pipeline held 12.584 GiB after loading.
    assert of(answer, "weights") == pytest.approx(12.584 * GIB, rel=0.03)
    plain = estimate(case(task="inference", model="FLUX.1-dev", weights="bf16"), load_catalog())
    assert of(plain, "weights") == pytest.approx(31.447 * GIB, rel=0.01)


def test_model_offload_holds_one_part_at_a_time_and_the_rest_in_ram() -> None:
    whole = estimate(case(task="inference", model="SDXL", weights="fp16"), load_catalog())
    apart = estimate(case(task="inference", model="SDXL", weights="fp16", offload="model"), load_catalog())
    assert phase(apart, "denoise") < phase(whole, "denoise")
    # The text encoders, 0.82 billion parameters in fp16, wait in RAM while the image is denoised.
    assert phase(whole, "denoise") - phase(apart, "denoise") >= 2 * 817_000_000
    assert apart.host.ram.likely > whole.host.ram.likely


def test_slicing_decodes_one_image_at_a_time() -> None:
    usual = case(task="inference", model="SDXL", weights="fp16", batch=4)
    sliced = case(task="inference", model="SDXL", weights="fp16", batch=4, options={"vae_slicing": True})
    assert phase(estimate(sliced, load_catalog()), "decode") < phase(
        estimate(usual, load_catalog()), "decode"
    )


def test_sharded_gradients_shrink_with_the_cards() -> None:
    facts = {"task": "full", "model": "resnet50", "framework": "pytorch", "batch": 1}
    alone = estimate(case(**facts), load_catalog())
    sharded = estimate(case(gpus=4, plan={"dp": 4, "zero": 2}, **facts), load_catalog())
    assert of(sharded, "optimizer") == pytest.approx(of(alone, "optimizer") / 4, abs=1)


@pytest.mark.parametrize(
    ("written", "framework", "meant"),
    [
        ("faster_rcnn_X_101_32x4d_FPN", "detectron2", "faster_rcnn_x101_32x4d_fpn"),
        ("mask_rcnn_r50_fpn_1x_coco", "mmdetection", "mask_rcnn_r50_fpn@mmdetection"),
        ("mask_rcnn_R_18_FPN", "detectron2", "mask_rcnn_r18_fpn"),
        ("U-Net classic 31M (64..1024)", None, "unet_31m"),
        ("ResNet-50", None, "resnet50"),
    ],
)
def test_networks_are_found_by_what_model_zoos_call_them(
    written: str, framework: str | None, meant: str
) -> None:
    found = load_images().network(written, framework)
    assert found is not None
    assert found.id == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("black-forest-labs/FLUX.1-dev", "flux-1"),
        ("SDXL", "stable-diffusion-xl"),
        ("Lykon/dreamshaper (SD 1.5 UNet)", "stable-diffusion-1.5"),
    ],
)
def test_pipelines_are_found_by_name_folder_and_brackets(written: str, meant: str) -> None:
    found = load_images().pipeline(written)
    assert found is not None
    assert found.id == meant


def test_every_pipeline_has_its_parts_and_no_name_means_two_pipelines() -> None:
    shelf = load_images()
    for pipeline in shelf.pipelines.values():
        assert shelf.networks[pipeline.denoiser].kind == "denoiser"
        assert pipeline.decoder is None or shelf.networks[pipeline.decoder].kind == "decoder"
    for ids in shelf.names.values():
        assert len([one for one in ids if one in shelf.pipelines]) <= 1


def test_an_unlisted_network_follows_from_its_stated_figures() -> None:
    stated = {"params_m": 30.0, "activations_m_per_image": 10.0}
    facts = {"task": "full", "framework": "timm", "resolution": [224, 224], "options": stated}
    answer = estimate(case(model="my_own_net", batch=64, **facts), load_catalog())
    double = estimate(case(model="my_own_net", batch=128, **facts), load_catalog())
    # 64 images x 10 million values at 4 to 9 bytes each.
    assert 64 * 10e6 * 3 < of(answer, "activations") < 64 * 10e6 * 10
    assert of(double, "activations") == pytest.approx(2 * of(answer, "activations"), rel=0.01)
    assert any("not in the catalogue" in note.template for note in answer.notes)


def test_an_unknown_network_is_refused_with_the_way_out() -> None:
    with pytest.raises(BadInput, match="activations_m_per_image"):
        estimate(case(task="full", model="my_own_net", framework="timm"), load_catalog())


@given(
    model=st.sampled_from(["resnet50", "faster_rcnn_r50_fpn", "unet_31m", "SD 1.5", "FLUX.1-dev"]),
    task=st.sampled_from(["inference", "full", "lora"]),
    batch=st.integers(1, 32),
    edge=st.sampled_from([256, 512, 768, 1024]),
    checkpointing=st.booleans(),
)
def test_more_images_or_pixels_never_need_less(
    model: str, task: str, batch: int, edge: int, checkpointing: bool
) -> None:
    def total(images: int, pixels: int) -> int:
        workload = {
            "task": task,
            "model": model,
            "batch": images,
            "resolution": [pixels, pixels],
            "checkpointing": checkpointing,
        }
        answer = estimate(case(**workload), load_catalog())
        for entry in answer.devices[0].entries:
            assert 0 <= entry.low <= entry.likely <= entry.high
        return answer.devices[0].total.likely

    try:
        small = total(batch, edge)
    except BadInput:
        return  # No adapters are recorded for a network that only classifies.
    assert total(batch + 1, edge) >= small
    assert total(batch, edge + 256) >= small
