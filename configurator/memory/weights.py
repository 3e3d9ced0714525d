"""Weights: bytes of every tensor on one device under tensor and pipeline parallelism."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil

from configurator.domain.architecture import Architecture, Layer
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.plan import Plan
from configurator.domain.tensor import Tensor
from configurator.memory.formats import bits_of, tensor_bits
from configurator.memory.tensors import layer_tensors, outer_tensors

Measure = Callable[[Tensor], float]


@dataclass(frozen=True, eq=False)
class Stage:
    """What one pipeline stage holds: its layers, and whether it has the embedding and the head. Compared
    by identity: every way to deal layers out is made once."""

    layers: tuple[Layer, ...]
    first: bool
    last: bool
    start: int = 0
    """Number of its first layer in the model."""
    fewest: float = 1.0
    """Layers that it may really hold, as a share of `layers`: dealing by free memory is known to one layer."""
    most: float = 1.0

    @cached_property
    def groups(self) -> tuple[tuple[Layer, int], ...]:
        """Equal layers and how often each occurs."""
        return tuple(Counter(self.layers).items())


@lru_cache(maxsize=512)
def whole_model(architecture: Architecture) -> Stage:
    """Return all layers with embedding and head as one stage."""
    return Stage(architecture.layers, first=True, last=True)


@lru_cache(maxsize=512)
def stages(architecture: Architecture, plan: Plan) -> tuple[Stage, ...]:
    """Deal the layers out over `plan.pp` stages, evenly or by `plan.split`.

    Raises BadInput when there are more stages than layers.
    """
    count = len(architecture.layers)
    if plan.pp > count:
        raise BadInput(
            message(
                "pp is {pp}, but the model has {layers} layers; choose pp <= {layers}",
                pp=plan.pp,
                layers=count,
            )
        )
    shares = plan.split if plan.split and len(plan.split) == plan.pp else (1.0,) * plan.pp
    total, done, start, result = sum(shares), 0.0, 0, []
    for index, share in enumerate(shares):
        done += share
        end = round(count * done / total)
        result.append(Stage(architecture.layers[start:end], index == 0, index == len(shares) - 1, start))
        start = end
    return tuple(result)


def tensor_share(tensor: Tensor, tp: int, ep: int = 1) -> float:
    """Return the part of a tensor that one tensor-parallel rank holds.

    KV heads are replicated past their number; what has no cut is replicated whole.
    """
    if tensor.role == "expert":
        return 1 / (tp * ep) if ep == 1 or tp == 1 else 1 / max(tp, ep)
    if tensor.cut == "none" or tp == 1:
        return 1.0
    if tensor.cut == "kv" and tensor.units:
        return ceil(tensor.units / tp) / tensor.units
    return 1 / tp


def parameters_of(tensor: Tensor) -> float:
    """Measure: number of parameters."""
    return tensor.parameters


@lru_cache(maxsize=64)
def bytes_in(weight_format: str, experts_too: bool = False) -> Measure:
    """Measure: bytes in a weight format; `experts_too`: fused experts are quantised like linears.

    What a file stores in this format has the file's own bytes.
    """
    linear = bits_of(weight_format, "linear")

    def size(tensor: Tensor) -> float:
        if tensor.stored_as == weight_format:
            return tensor.stored
        bits = linear if experts_too and tensor.role == "expert" else tensor_bits(weight_format, tensor)
        return tensor.parameters * bits / 8

    return size


@lru_cache(maxsize=8192)
def _layer_sum(architecture: Architecture, layer: Layer, tp: int, ep: int, measure: Measure) -> float:
    tensors = layer_tensors(layer, architecture)
    return sum(measure(tensor) * tensor_share(tensor, tp, ep) for tensor in tensors)


def layer_sum(architecture: Architecture, layer: Layer, plan: Plan, measure: Measure) -> float:
    """Return the measure of one layer on one rank."""
    return _layer_sum(architecture, layer, plan.tp, plan.ep, measure)


def outer_sum(architecture: Architecture, plan: Plan, measure: Measure, first: bool, last: bool) -> float:
    """Return the measure of embedding, final norm, head and towers on one rank of a stage."""
    return sum(
        measure(tensor) * tensor_share(tensor, plan.tp)
        for tensor in outer_tensors(architecture)
        if _belongs(tensor, architecture, first, last)
    )


def _belongs(tensor: Tensor, architecture: Architecture, first: bool, last: bool) -> bool:
    if tensor.role == "embedding":
        # A tied head needs the embedding's matrix on the last stage too.
        return first or (last and architecture.tied)
    if tensor.role == "tower":
        return first
    return last


@lru_cache(maxsize=2048)
def _stage_sum(architecture: Architecture, stage: Stage, tp: int, ep: int, measure: Measure) -> float:
    plan = Plan(tp=tp, ep=ep)
    inner = sum(count * layer_sum(architecture, layer, plan, measure) for layer, count in stage.groups)
    return inner + outer_sum(architecture, plan, measure, stage.first, stage.last)


def stage_sum(architecture: Architecture, stage: Stage, plan: Plan, measure: Measure) -> float:
    """Return the measure of all that one rank of a stage holds, before sharding by data parallelism."""
    return _stage_sum(architecture, stage, plan.tp, plan.ep, measure)
