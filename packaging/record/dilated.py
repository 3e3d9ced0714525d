"""Segmentation on a dilated ResNet, as MMSegmentation builds it: DeepLab, PSPNet and FCN."""

from __future__ import annotations

from functools import partial

import torch
from torch import nn
from torch.nn import functional

from record.backbones import resnet

WIDTH = 512


def convolution(
    channels: int, width: int, edge: int = 3, dilation: int = 1, groups: int = 1
) -> nn.Sequential:
    """Return a convolution with batch normalisation."""
    padding = dilation * (edge // 2)
    layer = nn.Conv2d(channels, width, edge, padding=padding, dilation=dilation, groups=groups, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(width), nn.ReLU(True))


def separable(channels: int, width: int, dilation: int = 1) -> nn.Sequential:
    """Return a convolution by channel and one across channels."""
    return nn.Sequential(
        convolution(channels, channels, 3, dilation, channels), convolution(channels, width, 1)
    )


def deep_stem() -> nn.Sequential:
    """Return three small convolutions instead of a large one (ResNet v1c)."""
    found: list[nn.Module] = []
    for channels, width, stride in ((3, 32, 2), (32, 32, 1)):
        layer = nn.Conv2d(channels, width, 3, stride, 1, bias=False)
        found += [layer, nn.BatchNorm2d(width), nn.ReLU(True)]
    return nn.Sequential(*found, nn.Conv2d(32, 64, 3, 1, 1, bias=False))


class AtrousPooling(nn.Module):
    """DeepLab's pyramid of dilated convolutions."""

    def __init__(self, separated: bool) -> None:
        super().__init__()
        dilated = [
            separable(2048, WIDTH, rate) if separated else convolution(2048, WIDTH, 3, rate)
            for rate in (12, 24, 36)
        ]
        self.pool = nn.Conv2d(2048, WIDTH, 1)
        self.branches = nn.ModuleList([convolution(2048, WIDTH, 1), *dilated])
        self.bottleneck = convolution(5 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return features."""
        return self.bottleneck(torch.cat([self._pooled(x), *(branch(x) for branch in self.branches)], 1))

    def _pooled(self, x: torch.Tensor) -> torch.Tensor:
        return enlarged(self.pool(x.mean((2, 3), keepdim=True)), x.shape[2:])


class Refinement(nn.Module):
    """What DeepLab v3+ adds: features are joined with those of the first stage."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = convolution(256, 48, 1)
        self.joined = nn.Sequential(separable(WIDTH + 48, WIDTH), separable(WIDTH, WIDTH))

    def forward(self, fine: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
        """Return finer features."""
        return self.joined(torch.cat([enlarged(x, fine.shape[2:]), self.fine(fine)], 1))


class PyramidPooling(nn.Module):
    """PSPNet: means over 1, 4, 16 and 64 parts of the image."""

    PARTS = (1, 2, 4, 8)

    def __init__(self) -> None:
        super().__init__()
        self.branches = nn.ModuleList([nn.Conv2d(2048, WIDTH, 1) for _ in self.PARTS])
        self.bottleneck = convolution(2048 + 4 * WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return features."""
        return self.bottleneck(torch.cat([x, *self._pooled(x)], 1))

    def _pooled(self, x: torch.Tensor) -> list[torch.Tensor]:
        return [
            enlarged(branch(functional.adaptive_avg_pool2d(x, parts)), x.shape[2:])
            for branch, parts in zip(self.branches, self.PARTS, strict=True)
        ]


class Plain(nn.Module):
    """FCN: two convolutions, joined with what went in."""

    def __init__(self) -> None:
        super().__init__()
        self.two = nn.Sequential(convolution(2048, WIDTH), convolution(WIDTH, WIDTH))
        self.bottleneck = convolution(2048 + WIDTH, WIDTH)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return features."""
        return self.bottleneck(torch.cat([x, self.two(x)], 1))


HEADS = {
    "deeplabv3plus": partial(AtrousPooling, separated=True),
    "deeplabv3": partial(AtrousPooling, separated=False),
    "pspnet": PyramidPooling,
    "fcn": Plain,
}


class Dilated(nn.Module):
    """A ResNet whose last two stages dilate instead of striding, a head, and an auxiliary one."""

    def __init__(self, backbone: str, head: str, classes: int) -> None:
        super().__init__()
        self.body = resnet(backbone, replace_stride_with_dilation=[False, True, True])
        self.body.conv1 = deep_stem()
        self.head = HEADS[head]()
        self.refinement = Refinement() if head == "deeplabv3plus" else None
        self.out = nn.Conv2d(WIDTH, classes, 1)
        self.auxiliary = nn.Sequential(convolution(1024, 256), nn.Conv2d(256, classes, 1))

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return classes of every pixel, twice."""
        body, size = self.body, x.shape[2:]
        x = body.maxpool(body.relu(body.bn1(body.conv1(x))))
        fine = body.layer1(x)
        middle = body.layer3(body.layer2(fine))
        x = body.layer4(middle)
        x = self.head(x)
        if self.refinement is not None:
            x = self.refinement(fine, x)
        return [enlarged(self.out(x), size), enlarged(self.auxiliary(middle), size)]


def enlarged(x: torch.Tensor, size: torch.Size) -> torch.Tensor:
    """Return features at a size."""
    return functional.interpolate(x, size=tuple(size), mode="bilinear")
