"""Ways of running a network: formats, what is trained, and whether layers are computed again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

import torch
from peft import LoraConfig
from torch import nn

PROJECTIONS = ["to_q", "to_k", "to_v", "to_out.0"]
"""Attention projections of Diffusers, on which its training scripts put adapters."""
RANK = 16


@dataclass(frozen=True)
class Way:
    """How a pass of the catalogue is run."""

    weights: torch.dtype
    autocast: bool
    trains: bool
    checkpointing: bool
    adapters: torch.dtype | None
    """Format of adapters; None: all weights are trained."""

    def prepare(self, model: nn.Module) -> None:
        """Switch checkpointing on, and freeze a model but for the adapters that it gets."""
        if self.checkpointing:
            model.enable_gradient_checkpointing()
        if self.adapters is None:
            return
        model.requires_grad_(False)
        config = LoraConfig(r=RANK, lora_alpha=RANK, init_lora_weights=False, target_modules=PROJECTIONS)
        # PEFT moves new adapters to the format of the weights, trainers move them back.
        unmoved = patch.object(nn.Module, "to", lambda module, *args, **kwargs: module)
        with unmoved, default_dtype(self.adapters):
            model.add_adapter(config)


def way(name: str) -> Way:
    """Return the way of a pass's name, e.g. `full-amp+checkpointing`."""
    base, _, again = name.partition("+")
    autocast = base in ("full-amp", "lora")
    fp32 = base in ("full-amp", "full-fp32", "inference-fp32")
    adapters = {"lora": torch.float32, "lora-bf16": torch.bfloat16}.get(base)
    return Way(
        weights=torch.float32 if fp32 else torch.bfloat16,
        autocast=autocast,
        trains=not base.startswith("inference"),
        checkpointing=bool(again),
        adapters=adapters,
    )


@contextlib.contextmanager
def default_dtype(dtype: torch.dtype) -> Iterator[None]:
    """Build modules in a format."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)
