"""The classic U-Net, with batch normalisation."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import nn
from torch.nn import functional

LEVELS = 5


def block(channels: int, width: int) -> nn.Sequential:
    """Return two convolutions."""
    found: list[nn.Module] = []
    for inputs in (channels, width):
        found += [nn.Conv2d(inputs, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU(True)]
    return nn.Sequential(*found)


class UNet(nn.Module):
    """Four levels down and up, joined at every level."""

    def __init__(self, width: int = 64, classes: int = 2) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(LEVELS)]
        below = list(pairwise(widths))
        self.down = nn.ModuleList([block(3, width), *(block(fine, coarse) for fine, coarse in below)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(coarse, fine, 2, 2) for fine, coarse in below])
        self.joined = nn.ModuleList([block(2 * fine, fine) for fine, _ in below])
        self.out = nn.Conv2d(width, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return classes of every pixel."""
        kept = []
        for level, part in enumerate(self.down):
            x = part(x)
            if level < LEVELS - 1:
                kept.append(x)
                x = functional.max_pool2d(x, 2)
        for level in reversed(range(LEVELS - 1)):
            x = self.joined[level](torch.cat([kept[level], self.up[level](x)], 1))
        return self.out(x)
