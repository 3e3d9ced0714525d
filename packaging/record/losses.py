"""Losses of networks for images: they decide what is kept of the outputs."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional
from torch.utils._pytree import tree_leaves


def cross_entropy(out: Any) -> torch.Tensor:
    """Return the cross-entropy of classes, of every image or pixel; auxiliary outputs are added."""
    if isinstance(out, dict) and "out" in out:
        out = [out[name] for name in ("out", "aux") if name in out]
    outputs = out if isinstance(out, list | tuple) else [getattr(out, "logits", out)]
    return sum(functional.cross_entropy(one.float(), _targets(one)) for one in outputs)


def enlarged_cross_entropy(out: Any) -> torch.Tensor:
    """Return the cross-entropy of classes after logits were enlarged fourfold to the size of the image."""
    logits = functional.interpolate(out.logits, scale_factor=4, mode="bilinear")
    return functional.cross_entropy(logits.float(), _targets(logits))


def total(out: Any) -> torch.Tensor:
    """Return the sum of all outputs: a loss that keeps nothing, where the true one is small."""
    leaves = [one for one in tree_leaves(out) if isinstance(one, torch.Tensor) and one.requires_grad]
    return sum(one.float().sum() for one in leaves)


def focal(out: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the focal loss written out operation by operation, as in fvcore; gamma 2, alpha 0.25."""
    logits, boxes = out
    logits = logits.float()
    target = torch.zeros_like(logits)
    p = torch.sigmoid(logits)
    entropy = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    hit = p * target + (1 - p) * (1 - target)
    loss = entropy * (1 - hit) ** 2
    loss = (0.25 * target + 0.75 * (1 - target)) * loss
    return loss.sum() + _box_loss(boxes)


class _FusedFocal(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(logits, target)
        return torch.empty_like(logits)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        return torch.empty_like(ctx.saved_tensors[0]), None


def fused_focal(out: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the focal loss as one operation, as in MMCV."""
    logits, boxes = out
    logits = logits.float()
    target = torch.zeros(logits.shape[:2], dtype=torch.long)
    return _FusedFocal.apply(logits, target).sum() + _box_loss(boxes)


def noise(out: Any) -> torch.Tensor:
    """Return the mean squared error of a denoiser's output."""
    return functional.mse_loss(out.float(), torch.empty(out.shape))


def _targets(logits: torch.Tensor) -> torch.Tensor:
    return torch.zeros(logits.shape[0], *logits.shape[2:], dtype=torch.long)


def _box_loss(boxes: torch.Tensor) -> torch.Tensor:
    return functional.smooth_l1_loss(boxes.float(), torch.zeros(boxes.shape), reduction="sum")
