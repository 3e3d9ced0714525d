"""CUDA's autocast on the CPU.

Networks are recorded on the CPU, whose autocast leaves more operations in 16 bit than CUDA's. The operations that
CUDA's list computes in fp32 therefore get their 16-bit arguments raised first: the copies live as long as on a GPU.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any
from unittest.mock import patch

import torch
from torch.nn import functional
from torch.utils._pytree import tree_map

RAISED = (
    (functional, "layer_norm group_norm softmax log_softmax mse_loss cross_entropy l1_loss smooth_l1_loss"),
    (torch, "softmax log_softmax pow exp rsqrt cumsum sum norm layer_norm group_norm"),
    (torch.Tensor, "softmax log_softmax pow exp rsqrt cumsum sum norm"),
)
"""Where Python finds the operations of the list `fp32` in PyTorch's "CUDA Ops that can autocast to float32"."""


@contextlib.contextmanager
def cuda_autocast() -> Iterator[None]:
    """Let operations follow CUDA's list wherever the CPU's autocast is switched on."""
    with contextlib.ExitStack() as stack:
        for place, names in RAISED:
            for name in names.split():
                stack.enter_context(patch.object(place, name, _raising(getattr(place, name))))
        yield


def _raising(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if torch.is_autocast_enabled("cpu"):
            args, kwargs = tree_map(_raised, args), tree_map(_raised, kwargs)
        return function(*args, **kwargs)

    return call


def _raised(value: Any) -> Any:
    return value.float() if isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16 else value
