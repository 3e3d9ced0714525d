"""Backbones of detectors: torchvision's ResNets and Swin transformers as the detection frameworks set them up."""

from __future__ import annotations

from typing import Literal

import torch
import torchvision.models as zoo
from torch import nn
from torchvision.models.resnet import Bottleneck, ResNet
from torchvision.ops.feature_pyramid_network import (
    FeaturePyramidNetwork,
    LastLevelMaxPool,
    LastLevelP6P7,
)
from torchvision.ops.misc import FrozenBatchNorm2d

Norms = Literal["frozen", "evaluated", "trained"]
"""Batch normalisation: constants (Detectron2), trained weights with fixed statistics (MMDetection), or trained."""

BACKBONES = {
    "r18": "resnet18",
    "r50": "resnet50",
    "r101": "resnet101",
    "x101_32x4d": "resnext101_32x4d",
    "x101_32x8d": "resnext101_32x8d",
    "x101_64x4d": "resnext101_64x4d",
    "swin-t": "swin_t",
    "swin-s": "swin_s",
}
"""Torchvision's name by the one that model zoos use."""
_NARROW = ("resnet18", "resnet34")
_STRIDE_FIRST = ("resnet50", "resnet101")


def resnet(name: str, **options: object) -> ResNet:
    """Return a ResNet of torchvision without its classifier; ResNeXt-101 32x4d is not on its list."""
    if name == "resnext101_32x4d":
        model = ResNet(Bottleneck, [3, 4, 23, 3], groups=32, width_per_group=4, **options)
    else:
        model = zoo.get_model(name, **options)
    del model.fc
    return model


def freeze_start(model: ResNet) -> None:
    """Freeze first convolution and first stage, as all detection frameworks do."""
    for part in (model.conv1, model.layer1):
        part.requires_grad_(False)


def stride_first(model: ResNet) -> None:
    """Stride in the first convolution of a block, as Detectron2's own weights expect."""
    for stage in (model.layer2, model.layer3, model.layer4):
        first, second = stage[0].conv1, stage[0].conv2
        first.stride, second.stride = second.stride, first.stride


class ResNetStages(nn.Module):
    """The outputs of the four stages of a ResNet."""

    def __init__(self, name: str, norms: Norms) -> None:
        super().__init__()
        self.body = resnet(name, norm_layer=FrozenBatchNorm2d if norms == "frozen" else None)
        widest = 512 if name in _NARROW else 2048
        self.channels = [widest // 8, widest // 4, widest // 2, widest]
        self.norms = norms
        if norms != "trained":
            freeze_start(self.body)
        if norms == "frozen" and name in _STRIDE_FIRST:
            stride_first(self.body)

    def train(self, mode: bool = True) -> ResNetStages:
        """Set the mode; statistics stay fixed unless norms are trained."""
        super().train(mode)
        if self.norms == "evaluated":
            for module in self.modules():
                if isinstance(module, nn.BatchNorm2d):
                    module.eval()
        return self

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return the four outputs."""
        body, out = self.body, []
        x = body.maxpool(body.relu(body.bn1(body.conv1(x))))
        for stage in (body.layer1, body.layer2, body.layer3, body.layer4):
            x = stage(x)
            out.append(x)
        return out


class SwinStages(nn.Module):
    """The outputs of the four stages of a Swin transformer, normalised."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.body = zoo.get_model(name).features
        width = self.body[0][0].out_channels
        self.channels = [width * 2**stage for stage in range(4)]
        self.norms = nn.ModuleList([nn.LayerNorm(channels) for channels in self.channels])

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return the four outputs."""
        out = []
        for at, part in enumerate(self.body):
            x = part(x)
            if at % 2:  # every other part only merges patches
                out.append(self.norms[at // 2](x).permute(0, 3, 1, 2).contiguous())
        return out


class Pyramid(nn.Module):
    """A feature pyramid; that of a dense detector starts a stage later and ends two levels further up."""

    def __init__(self, name: str, dense: bool, norms: Norms) -> None:
        super().__init__()
        self.stages = SwinStages(name) if name.startswith("swin") else ResNetStages(name, norms)
        self.first = 1 if dense else 0
        channels = self.stages.channels
        top = LastLevelP6P7(channels[-1], 256) if dense else LastLevelMaxPool()
        self.pyramid = FeaturePyramidNetwork(channels[self.first :], 256, top)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        """Return the levels, the finest first."""
        stages = self.stages(x)[self.first :]
        return list(self.pyramid({str(at): stage for at, stage in enumerate(stages)}).values())
