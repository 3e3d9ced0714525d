"""Networks for semantic segmentation: torchvision's, MMSegmentation's, Transformers', and the classic U-Net."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torchvision.models as zoo
from torch import nn
from transformers import (
    SegformerConfig,
    SegformerForSemanticSegmentation,
    SwinConfig,
    UperNetConfig,
    UperNetForSemanticSegmentation,
)

from record.dilated import HEADS, Dilated
from record.losses import cross_entropy, enlarged_cross_entropy
from record.networks import TRAINING, Network, source
from record.unet import UNet

EDGES = (512, 1024)
TORCHVISION = """
deeplabv3_resnet50 deeplabv3_resnet101 fcn_resnet50 fcn_resnet101 deeplabv3_mobilenet_v3_large
lraspp_mobilenet_v3_large
"""
UNETS = {"unet_31m": (64, ("U-Net classic 31M", "unet")), "unet_8m": (32, ("unet small",))}
"""Width of the first level, and other names."""
SEGFORMERS = {
    "b0": ([2, 2, 2, 2], [32, 64, 160, 256], 256),
    "b1": ([2, 2, 2, 2], [64, 128, 320, 512], 256),
    "b2": ([3, 4, 6, 3], [64, 128, 320, 512], 768),
    "b3": ([3, 4, 18, 3], [64, 128, 320, 512], 768),
    "b4": ([3, 8, 27, 3], [64, 128, 320, 512], 768),
    "b5": ([3, 6, 40, 3], [64, 128, 320, 512], 768),
}
"""Depths and widths of the stages, and width of the head."""
UPERNETS = {
    "t": (96, [2, 2, 6, 2], [3, 6, 12, 24]),
    "s": (96, [2, 2, 18, 2], [3, 6, 12, 24]),
    "b": (128, [2, 2, 18, 2], [4, 8, 16, 32]),
}
"""Width, depths and heads of the Swin transformer."""
CITYSCAPES, ADE20K, PASCAL = 19, 150, 21


def networks() -> Iterator[Network]:
    """Yield all networks for segmentation."""
    for name in TORCHVISION.split():
        yield _segmenter(name, _torchvision(name), PASCAL, source("torchvision"))
    for name, (width, aliases) in UNETS.items():
        build = lambda classes, width=width: UNet(width, classes)  # noqa: E731
        origin = "classic U-Net written out"
        yield _segmenter(name, build, 2, origin, more=8, edges=(256, 512), aliases=aliases)
    yield from _mmsegmentation()
    yield from _transformers()


def _segmenter(
    name: str,
    build: Callable[[int], nn.Module],
    classes: int,
    origin: str,
    more: int | None = None,
    edges: tuple[int, int] = EDGES,
    **facts: Any,
) -> Network:
    """Return a network from how it is built for a number of classes; it is built with `more` classes too."""
    more = more or classes
    return Network(
        name,
        "segmentation",
        lambda edge: build(classes),
        edges,
        facts.pop("loss", cross_entropy),
        origin,
        classes=classes,
        wider=(more, lambda edge: build(classes + more)),
        **facts,
    )


def _torchvision(name: str) -> Callable[[int], nn.Module]:
    return lambda classes: zoo.get_model(name, weights_backbone=None, num_classes=classes)


def _mmsegmentation() -> Iterator[Network]:
    origin = f"{source('torchvision')} backbones with the frameworks published heads"
    for short, backbone in (("r50", "resnet50"), ("r101", "resnet101")):
        for head in HEADS:
            build = lambda classes, of=(backbone, head): Dilated(*of, classes)  # noqa: E731
            yield _segmenter(f"{head}_{short}-d8", build, CITYSCAPES, origin)


def _transformers() -> Iterator[Network]:
    origin = source("transformers")
    for size in SEGFORMERS:
        yield _segmenter(
            f"segformer_mit-{size}",
            _segformer(size),
            CITYSCAPES,
            origin,
            loss=enlarged_cross_entropy,
            passes=TRAINING,
            aliases=(f"segformer-{size}",) if size == "b5" else (),
        )
    for size in UPERNETS:
        name = f"upernet_swin-{size}"
        yield _segmenter(name, _upernet(size), ADE20K, origin, edges=(448, 896), passes=TRAINING)


def _segformer(size: str) -> Callable[[int], nn.Module]:
    depths, widths, head = SEGFORMERS[size]
    return lambda classes: SegformerForSemanticSegmentation(
        SegformerConfig(depths=depths, hidden_sizes=widths, decoder_hidden_size=head, num_labels=classes)
    )


def _upernet(size: str) -> Callable[[int], nn.Module]:
    width, depths, heads = UPERNETS[size]
    stages = [f"stage{at}" for at in (1, 2, 3, 4)]
    backbone = {"embed_dim": width, "depths": depths, "num_heads": heads, "out_features": stages}
    return lambda classes: UperNetForSemanticSegmentation(
        UperNetConfig(backbone_config=SwinConfig(**backbone), num_labels=classes)
    )
