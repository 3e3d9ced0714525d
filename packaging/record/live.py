"""The recorder: live memory of a forward and backward pass, operation by operation.

Tensors carry shapes and no data (`FakeTensorMode`), so a network of any size runs on any machine. A dispatch mode
sees every operation beneath autograd and autocast. It counts storages, not tensors, because views share theirs,
and takes a storage off when Python's and autograd's last reference to it is gone: that is when an allocator would
get the memory back.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import torch
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from record.autocast import cuda_autocast
from record.moments import Trace
from record.ways import Way, default_dtype


def storages(tensors: Any) -> dict[int, int]:
    """Return bytes by storage of all tensors in a structure."""
    found = [one.untyped_storage() for one in tree_leaves(tensors) if isinstance(one, torch.Tensor)]
    return {one._cdata: one.nbytes() for one in found}


class Live(TorchDispatchMode):
    """Bytes alive after each operation, and bytes of finished gradients."""

    def __init__(self, apart: Any) -> None:
        super().__init__()
        self.live = 0
        self.gradients = 0
        self.series: list[tuple[int, int]] = []
        self._sizes = dict.fromkeys(storages(apart), 0)
        """Counted bytes of each known storage; weights and buffers count elsewhere."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for one in tree_leaves(out):
            if isinstance(one, torch.Tensor):
                self._add(one.untyped_storage())
        self.series.append((self.live, self.gradients))
        return out

    def count_gradient(self, parameter: nn.Parameter) -> None:
        """Count the gradient of a weight, just finished."""
        self.gradients += parameter.numel() * parameter.element_size()

    def _add(self, storage: torch.UntypedStorage) -> None:
        key = storage._cdata
        if key not in self._sizes:
            self._sizes[key] = storage.nbytes()
            self.live += self._sizes[key]
            weakref.finalize(storage, self._drop, key)

    def _drop(self, key: int) -> None:
        self.live -= self._sizes.pop(key, 0)


class Saved:
    """Bytes that autograd keeps for the backward pass, beside weights and inputs."""

    def __init__(self, apart: Any) -> None:
        self._apart = storages(apart)
        self._sizes: dict[int, int] = {}

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        """Note a tensor that is kept."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._apart and key not in self._sizes:
            self._sizes[key] = storage.nbytes()
            weakref.finalize(storage, self._sizes.pop, key, None)
        return tensor

    @property
    def bytes(self) -> int:
        """Return what is kept by now."""
        return sum(self._sizes.values())


def traced(
    build: Callable[[], nn.Module],
    inputs: Callable[[], Any],
    run: Callable[[nn.Module, Any], torch.Tensor],
    way: Way,
    from_data: bool = False,
) -> Trace:
    """Return the trace of one run of a network.

    `run` returns the loss, or without training the output. A network whose code looks at values while it is
    built is built with data and emptied then (`from_data`); it stays in training mode even for inference, because
    detectors otherwise choose boxes by their values.
    """
    gc.collect()
    made = copy.deepcopy(build()).to(way.weights) if from_data else None
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        with default_dtype(way.weights), uninitialised():
            model = emptied(made, mode) if made else build()
        model.train(way.trains or from_data)
        way.prepare(model)
        return _ran(model, inputs(), run, way)


@contextlib.contextmanager
def uninitialised() -> Iterator[None]:
    """Leave weights as they are: they have no values to begin with, and some methods look at them."""
    with contextlib.ExitStack() as stack:
        for name in dir(nn.init):
            if name.endswith("_") and not name.startswith("_"):
                stack.enter_context(patch.object(nn.init, name, lambda weight, *args, **kwargs: weight))
        yield


def emptied(model: nn.Module, mode: FakeTensorMode) -> nn.Module:
    """Return a module built with data, without it."""
    for module in model.modules():
        for name, weight in module._parameters.items():
            if weight is not None:
                empty = mode.from_tensor(weight.detach())
                module._parameters[name] = nn.Parameter(empty, requires_grad=weight.requires_grad)
        for name, buffer in module._buffers.items():
            if buffer is not None:
                module._buffers[name] = mode.from_tensor(buffer)
    return model


def _ran(model: nn.Module, given: Any, run: Callable[[nn.Module, Any], torch.Tensor], way: Way) -> Trace:
    parameters = list(model.parameters())
    apart = [*parameters, *model.buffers()]
    live, saved = Live(apart), Saved([apart, given])
    trained = [one for one in parameters if one.requires_grad]
    for one in trained if way.trains else ():
        one.register_post_accumulate_grad_hook(live.count_gradient)
    keeping = torch.autograd.graph.saved_tensors_hooks(saved, lambda kept: kept)
    with cuda_autocast(), live, keeping if way.trains else torch.no_grad():
        with torch.autocast("cpu", torch.bfloat16) if way.autocast else contextlib.nullcontext():
            out = run(model, given)
        kept = saved.bytes
        if way.trains:
            torch.autograd.backward(out)
        del out
    series = np.array(live.series, dtype=float)
    return Trace(
        live=series[:, 0],
        gradients=series[:, 1],
        saved=float(kept),
        parameters=sum(one.numel() for one in parameters),
        trained=sum(one.numel() for one in trained),
    )
