"""What one token costs: bytes of weights and cache to read, operations to compute, layers to launch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, singledispatch

from configurator.domain.architecture import (
    Architecture,
    Attention,
    LatentAttention,
    MixtureOfExperts,
)
from configurator.domain.tensor import Tensor
from configurator.memory.cache import expanded_latent, stage_cache
from configurator.memory.formats import bits_of, cache_bytes, plain
from configurator.memory.sequences import RECURRENT
from configurator.memory.setting import Setting
from configurator.memory.tensors import layer_tensors, outer_tensors
from configurator.memory.weights import Measure, bytes_in, parameters_of, whole_model

_IDLE = ("embedding", "tower")
"""Roles that a token does not multiply with: a row of the embedding is looked up, towers see images only."""


@dataclass(frozen=True, slots=True)
class Sums:
    """A measure of all matrices that a token may meet."""

    always: float
    """Matrices that every token multiplies with, the head among them."""
    routed: float
    """All routed experts together."""


def sums(model: Architecture, measure: Measure, head_bits: float = 0.0) -> Sums:
    """Return the sums of a measure; a tied head counts with `head_bits` per weight (0: by the measure)."""
    always = routed = 0.0
    for layer, count in model.groups.items():
        for tensor in layer_tensors(layer, model):
            if tensor.role == "expert":
                routed += count * measure(tensor)
            else:
                always += count * measure(tensor)
    for tensor in outer_tensors(model):
        if tensor.role not in _IDLE:
            always += measure(tensor)
        elif model.tied and tensor.module == "embed_tokens":
            always += tensor.parameters * head_bits / 8 if head_bits else measure(tensor)
    return Sums(always, routed)


@lru_cache(maxsize=512)
def weight_bytes(model: Architecture, weight_format: str) -> Sums:
    """Return the bytes of the matrices in a format."""
    return sums(model, bytes_in(weight_format), bits_of(weight_format, "head"))


@lru_cache(maxsize=512)
def weight_count(model: Architecture) -> Sums:
    """Return the number of the weights."""
    return sums(model, parameters_of)


def touched(model: Architecture, tokens: float) -> float:
    """Return the share of the routed experts that so many tokens of one step meet, each drawing its own."""
    if not tokens:
        return 0.0
    shares = [
        1 - (1 - block.active / block.experts) ** tokens
        for block in (layer.channel for layer in model.layers)
        if isinstance(block, MixtureOfExperts)
    ]
    return sum(shares) / len(shares) if shares else 0.0


def file_format(s: Setting) -> str:
    """Return the format in which a model's matrices lie: GGUF files of MXFP4 experts keep the rest in 8 bit."""
    llama = s.framework.workspace == "llama.cpp"
    return "mxfp4-mlx8" if llama and plain(s.weight_format) == "mxfp4" else s.weight_format


def read_per_step(s: Setting, tokens: float = 1.0) -> float:
    """Return the bytes of weights that one step for so many sequences reads."""
    found = weight_bytes(s.model, file_format(s))
    return found.always + found.routed * touched(s.model, tokens)


def active(model: Architecture) -> float:
    """Return the weights that work on one token, without routed experts."""
    return weight_count(model).always


def active_experts(model: Architecture) -> float:
    """Return the weights of routed experts that work on one token."""
    return weight_count(model).routed * touched(model, 1.0)


def cache_per_sequence(s: Setting, depth: float) -> float:
    """Return the bytes of cache and state that a step reads for one sequence of `depth` tokens."""
    cache, state = stage_cache(
        whole_model(s.model),
        1,
        max(1, round(depth)),
        cache_bytes(s.workload.kv_cache or "bf16"),
        s.framework,
        s.whole("n_ubatch", 512),
        expanded=expanded_latent(s),
    )
    return cache + state


@lru_cache(maxsize=4096)
def attention_operations(model: Architecture, depth: float) -> float:
    """Return the operations of one token's attention to the `depth` tokens before it."""
    return sum(_operations(layer.mixer, depth) * count for layer, count in model.groups.items())


@singledispatch
def _operations(block: object, depth: float) -> float:
    return 0.0


@_operations.register
def _(block: Attention, depth: float) -> float:
    seen = min(depth, block.window) if block.window else depth
    return 4 * block.q_dim * seen


@_operations.register
def _(block: LatentAttention, depth: float) -> float:
    return 2 * block.heads * (block.qk_nope_head_dim + block.qk_rope_head_dim + block.v_head_dim) * depth


def expert_layers(model: Architecture) -> int:
    """Return the layers with routed experts."""
    return sum(isinstance(layer.channel, MixtureOfExperts) for layer in model.layers)


def recurrent_layers(model: Architecture) -> int:
    """Return the layers that keep a state instead of a cache."""
    return sum(isinstance(layer.mixer, RECURRENT) for layer in model.layers)


def whole_bytes(model: Architecture, weight_format: str) -> float:
    """Return the bytes of a model's file in a format, without towers."""
    measure = bytes_in(weight_format)

    def held(tensor: Tensor) -> float:
        return 0.0 if tensor.role == "tower" else measure(tensor)

    inner = sum(count * held(t) for layer, count in model.groups.items() for t in layer_tensors(layer, model))
    return inner + sum(map(held, outer_tensors(model)))
