"""Classifiers of torchvision, timm and Ultralytics, built by their own code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import timm
import torchvision.models as zoo
from torch import nn
from ultralytics.nn.tasks import ClassificationModel

from record.losses import cross_entropy, total
from record.networks import TRAINING, Network, fixed, source

PLAIN = """
resnet18 resnet34 resnet50 resnet101 resnet152 resnext50_32x4d resnext101_32x8d resnext101_64x4d wide_resnet50_2
convnext_tiny convnext_small convnext_base convnext_large
efficientnet_b0 efficientnet_b1 efficientnet_b2 efficientnet_b3 efficientnet_b4 efficientnet_b5 efficientnet_b6
efficientnet_b7 efficientnet_v2_s efficientnet_v2_m efficientnet_v2_l mobilenet_v2 mobilenet_v3_small
mobilenet_v3_large densenet121 densenet169 densenet201 vgg16 vgg19 shufflenet_v2_x1_0 squeezenet1_0 mnasnet1_0
alexnet
"""
SWINS = "swin_t swin_s swin_b"
SECOND_SWINS = "swin_v2_t swin_v2_s swin_v2_b"
REGNETS = "regnet_y_400mf regnet_y_3_2gf regnet_y_16gf"
TRANSFORMERS = "vit_b_16 vit_b_32 vit_l_16 vit_l_32 vit_h_14"
TIMM_TRANSFORMERS = """
vit_tiny_patch16_224 vit_small_patch16_224 vit_base_patch16_224 vit_large_patch16_224 deit_base_patch16_224
beit_large_patch16_224 swin_tiny_patch4_window7_224 swin_small_patch4_window7_224 swin_base_patch4_window7_224
swin_large_patch4_window12_384 eva02_large_patch14_448 vit_base_patch14_dinov2 vit_so400m_patch14_siglip_384
maxvit_tiny_tf_224
"""
TIMM_CONVOLUTIONS = """
hrnet_w48 hrnet_w32 hrnet_w18 regnety_160 convnext_xlarge convnextv2_base convnextv2_large
tf_efficientnet_b7 resnetv2_50 mobilenetv4_conv_medium nfnet_l0 resnext101_32x4d tf_efficientnetv2_s
tf_efficientnetv2_m
"""
IMAGENET = (224, 448)


def networks() -> Iterator[Network]:
    """Yield all classifiers."""
    yield from _torchvision()
    yield from _timm()
    for family in ("yolov8", "yolo11"):
        for size in "nsmlx":
            name = f"{family}{size}-cls"
            build = fixed(ClassificationModel, f"{name}.yaml", nc=1000, verbose=False)
            yield Network(
                name, "classification", build, IMAGENET, total, source("ultralytics"), from_data=True
            )


def _torchvision() -> Iterator[Network]:
    yield from (_torchvision_one(name, IMAGENET) for name in PLAIN.split())
    yield from (_torchvision_one(name, (448, 896)) for name in SWINS.split())
    yield from (_torchvision_one(name, IMAGENET, from_data=True) for name in REGNETS.split())
    yield from (_torchvision_one(name, (512, 1024), passes=TRAINING) for name in SECOND_SWINS.split())
    for name in TRANSFORMERS.split():
        patch = int(name.rpartition("_")[2])
        yield _torchvision_one(name, (14 * patch, 28 * patch), partial(_sized, name))
    yield _torchvision_one(
        "maxvit_t", IMAGENET, lambda edge: zoo.get_model("maxvit_t", input_size=(edge, edge))
    )
    plain_inception = fixed(zoo.get_model, "inception_v3", aux_logits=False, init_weights=False)
    yield _torchvision_one("inception_v3", (299, 598), plain_inception)


def _torchvision_one(
    name: str, edges: tuple[int, int], build: Callable[[int], nn.Module] | None = None, **more: Any
) -> Network:
    made = build or fixed(zoo.get_model, name)
    return Network(name, "classification", made, edges, cross_entropy, source("torchvision"), **more)


def _sized(name: str, edge: int) -> nn.Module:
    return zoo.get_model(name, image_size=edge)


def _timm() -> Iterator[Network]:
    for name in TIMM_TRANSFORMERS.split():
        yield _timm_one(name, partial(_timm_sized, name), _timm_edges(name))
    for name in TIMM_CONVOLUTIONS.split():
        yield _timm_one(name, fixed(timm.create_model, name), IMAGENET)


def _timm_edges(name: str) -> tuple[int, int]:
    """Return two sizes that patches, and Swin's windows at every depth, divide evenly."""
    if name.startswith("maxvit"):
        return IMAGENET
    if name.startswith("swin"):
        usual = timm.models.get_pretrained_cfg(name).input_size[-1]
        return 2 * usual, 4 * usual
    patch = 14 if "patch14" in name else 16
    return 16 * patch, 32 * patch


def _timm_sized(name: str, edge: int) -> nn.Module:
    return timm.create_model(name, img_size=edge)


def _timm_one(name: str, build: Callable[[int], nn.Module], edges: tuple[int, int]) -> Network:
    return Network(name, "classification", build, edges, cross_entropy, source("timm"), from_data=True)
