"""Detectors as their papers and frameworks publish them: everything that keeps activations.

Choosing boxes depends on values and keeps little, so it is left out: every image gets the number of regions that
training samples.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torchvision.ops.misc import FrozenBatchNorm2d

from record.backbones import Norms, Pyramid, freeze_start, resnet, stride_first

REGIONS = 512
"""Sampled regions of an image; a quarter of them holds an object, and only those get masks or keypoints."""


class Pooled(torch.autograd.Function):
    """Regions cut out of features, as RoIAlign does: it keeps boxes only."""

    @staticmethod
    def forward(ctx: Any, regions: int, edge: int, *features: torch.Tensor) -> torch.Tensor:
        """Return square cut-outs."""
        ctx.shapes = [one.shape for one in features]
        return torch.empty(regions, features[0].shape[1], edge, edge, dtype=features[0].dtype)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        """Return gradients as large as the features."""
        return (None, None, *(torch.empty(shape, dtype=gradient.dtype) for shape in ctx.shapes))


def box_head(inputs: int) -> nn.Sequential:
    """Return two linear layers."""
    return nn.Sequential(nn.Linear(inputs, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU())


def convolutions(channels: int, width: int, count: int) -> list[nn.Module]:
    """Return 3x3 convolutions with activations in place."""
    found: list[nn.Module] = []
    for at in range(count):
        found += [nn.Conv2d(width if at else channels, width, 3, padding=1), nn.ReLU(True)]
    return found


def mask_head(classes: int) -> nn.Sequential:
    """Return the head of Mask R-CNN."""
    up = nn.ConvTranspose2d(256, 256, 2, 2)
    return nn.Sequential(*convolutions(256, 256, 4), up, nn.ReLU(True), nn.Conv2d(256, classes, 1))


def keypoint_head() -> nn.Sequential:
    """Return the head of Keypoint R-CNN for 17 points of a person."""
    return nn.Sequential(*convolutions(256, 512, 8), nn.ConvTranspose2d(512, 17, 4, 2, 1))


def semantic_branch(level: int) -> nn.Sequential:
    """Return what brings a pyramid's level to a quarter of the image, as in Panoptic FPN."""
    found: list[nn.Module] = []
    for at in range(max(1, level)):
        channels = 128 if at else 256
        found += [nn.Conv2d(channels, 128, 3, padding=1), nn.GroupNorm(32, 128), nn.ReLU(True)]
        if level:
            found.append(nn.Upsample(scale_factor=2, mode="bilinear"))
    return nn.Sequential(*found)


class TwoStage(nn.Module):
    """Faster R-CNN on a pyramid, and what was built on it: cascade, masks, keypoints, panoptic segmentation."""

    def __init__(
        self,
        backbone: str,
        norms: Norms = "frozen",
        classes: int = 80,
        stages: int = 1,
        mask: bool = False,
        keypoint: bool = False,
        panoptic: bool = False,
    ) -> None:
        super().__init__()
        self.pyramid = Pyramid(backbone, dense=False, norms=norms)
        self.proposals = nn.Conv2d(256, 256, 3, padding=1)
        self.scores, self.boxes = nn.Conv2d(256, 3, 1), nn.Conv2d(256, 12, 1)
        self.heads = nn.ModuleList([box_head(256 * 49) for _ in range(stages)])
        coordinates = 4 * classes if stages == 1 else 4  # a cascade's boxes do not depend on the class
        self.outputs = nn.ModuleList([nn.Linear(1024, classes + 1 + coordinates) for _ in range(stages)])
        self.mask = mask_head(classes) if mask else None
        self.keypoint = keypoint_head() if keypoint else None
        self.semantic = nn.ModuleList(map(semantic_branch, range(4))) if panoptic else None
        self.areas = nn.Conv2d(128, 54, 1) if panoptic else None

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return the outputs of all heads."""
        images, levels, out = x.shape[0], self.pyramid(x), []
        for level in levels:
            out += self._proposed(level)
        for head, output in zip(self.heads, self.outputs, strict=True):
            out.append(output(head(Pooled.apply(REGIONS * images, 7, *levels[:4]).flatten(1))))
        objects = REGIONS // 4 * images
        if self.mask is not None:
            out.append(self.mask(Pooled.apply(objects, 14, *levels[:4])))
        if self.keypoint is not None:
            out.append(_enlarged(self.keypoint(Pooled.apply(objects, 14, *levels[:4])), 2))
        if self.semantic is not None and self.areas is not None:
            merged = sum(branch(level) for branch, level in zip(self.semantic, levels, strict=False))
            out.append(_enlarged(self.areas(merged), 4))
        return out

    def _proposed(self, level: torch.Tensor) -> list[torch.Tensor]:
        hidden = functional.relu(self.proposals(level))
        return [self.scores(hidden), self.boxes(hidden)]


class OneScale(nn.Module):
    """Faster R-CNN without a pyramid: C4 pools before the last stage, DC5 after a dilated one."""

    def __init__(self, backbone: str, dilated: bool, classes: int = 80) -> None:
        super().__init__()
        self.body = resnet(
            backbone,
            norm_layer=FrozenBatchNorm2d,
            replace_stride_with_dilation=[False, False, dilated],
        )
        freeze_start(self.body)
        stride_first(self.body)
        self.dilated = dilated
        channels = 2048 if dilated else 1024
        self.proposals = nn.Conv2d(channels, channels, 3, padding=1)
        self.scores, self.boxes = nn.Conv2d(channels, 15, 1), nn.Conv2d(channels, 60, 1)
        self.head = box_head(2048 * 49) if dilated else None
        self.output = nn.Linear(1024 if dilated else 2048, 5 * classes + 1)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return the outputs of proposals and boxes."""
        body, images = self.body, x.shape[0]
        x = body.maxpool(body.relu(body.bn1(body.conv1(x))))
        x = body.layer3(body.layer2(body.layer1(x)))
        if self.dilated:
            x = body.layer4(x)
        hidden = functional.relu(self.proposals(x))
        out = [self.scores(hidden), self.boxes(hidden)]
        regions = Pooled.apply(REGIONS * images, 7 if self.dilated else 14, x)
        if self.head is not None:
            out.append(self.output(self.head(regions.flatten(1))))
        else:
            out.append(self.output(body.layer4(regions).mean((2, 3))))
        return out


class Dense(nn.Module):
    """RetinaNet, and FCOS, which has one anchor and normalises its heads."""

    def __init__(
        self, backbone: str, norms: Norms = "frozen", classes: int = 80, anchor_free: bool = False
    ) -> None:
        super().__init__()
        self.pyramid = Pyramid(backbone, dense=True, norms=norms)
        anchors = 1 if anchor_free else 9
        self.class_tower, self.box_tower = _tower(anchor_free), _tower(anchor_free)
        self.scores = nn.Conv2d(256, anchors * classes, 3, padding=1)
        self.boxes = nn.Conv2d(256, anchors * 4, 3, padding=1)
        self.classes = classes

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return scores and boxes of all anchors of all levels."""
        levels = self.pyramid(x)
        scores = [_by_anchor(self.scores(self.class_tower(level)), self.classes) for level in levels]
        logits = torch.cat(scores, 1)
        del scores
        boxes = torch.cat([_by_anchor(self.boxes(self.box_tower(level)), 4) for level in levels], 1)
        return logits, boxes


def _tower(normalised: bool) -> nn.Sequential:
    found: list[nn.Module] = []
    for _ in range(4):
        norm = [nn.GroupNorm(32, 256)] if normalised else []
        found += [nn.Conv2d(256, 256, 3, padding=1), *norm, nn.ReLU(True)]
    return nn.Sequential(*found)


def _by_anchor(x: torch.Tensor, width: int) -> torch.Tensor:
    return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1, width)


def _enlarged(x: torch.Tensor, factor: int) -> torch.Tensor:
    return functional.interpolate(x, scale_factor=factor, mode="bilinear")
