"""Low-rank adapters: which matrices carry them and how many parameters they train.

A matrix of `rows` x `cols` carries rank x (rows + cols) parameters (Hu et al. 2021, LoRA), and one
magnitude per row with DoRA (Liu et al. 2024).
"""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import (
    Architecture,
    Attention,
    LatentAttention,
    Layer,
    MixtureOfExperts,
)
from configurator.domain.tensor import Tensor
from configurator.domain.workload import Lora
from configurator.memory.tensors import block_tensors, outer_tensors

_ATTENTION = ("q_proj", "k_proj", "v_proj", "qkv_proj", "o_proj", "q_a_proj", "q_b_proj", "kv_b_proj")
_SAME = {
    "attention": (*_ATTENTION, "kv_a_proj_with_mqa"),
    "q,v": ("q_proj", "v_proj"),
    "mlp": ("gate_proj", "up_proj", "gate_up_proj", "down_proj"),
    "output_proj": ("o_proj",),
    "dense": ("o_proj",),
    "c_attn": ("qkv_proj",),
    "Wqkv": ("qkv_proj",),
    "W_pack": ("qkv_proj",),
    "query_key_value": ("qkv_proj",),
    "w1": ("gate_proj",),
    "w2": ("up_proj",),
    "w3": ("down_proj",),
    "fc1": ("up_proj",),
    "fc2": ("down_proj",),
    "c_fc": ("up_proj",),
    "c_proj": ("c_proj", "o_proj", "down_proj"),
    "dense_h_to_4h": ("up_proj",),
    "dense_4h_to_h": ("down_proj",),
    "wte": ("embed_tokens",),
    "embed_in": ("embed_tokens",),
    "embed_out": ("lm_head",),
    "output": ("lm_head",),
}
"""Names of the same matrices in other code, and names of groups of them."""

Adapted = tuple[str, int, int, int]
"""Module, inputs, outputs and number of a matrix with an adapter."""


@lru_cache(maxsize=1024)
def module_names(lora: Lora) -> frozenset[str]:
    """Return the targets as modules of this program; `all-linear` stays as it is."""
    targets = (lora.targets,) if isinstance(lora.targets, str) else lora.targets
    if any("linear" in target for target in targets):
        return frozenset({"all-linear"})
    return frozenset(name for target in targets for name in (target, *_SAME.get(target, ())))


def _carries(tensor: Tensor, in_attention: bool, lora: Lora) -> bool:
    """Whether a tensor carries adapters. `all-linear` is every linear module but the head; routed experts
    are three-dimensional parameters in the code, not linear modules: only a target that names them
    (`all-linear+experts`) reaches them.
    """
    if tensor.role == "expert":
        return isinstance(lora.targets, str) and "expert" in lora.targets
    if tensor.role != "linear":
        return tensor.role == "head" and "lm_head" in module_names(lora)
    if lora.targets == "attention":
        return in_attention and tensor.module != "c_proj"
    names = module_names(lora)
    return "all-linear" in names or tensor.module in names


def _adapted(layer: Layer, a: Architecture, lora: Lora) -> list[Tensor]:
    return [
        tensor
        for block in (layer.mixer, layer.channel)
        if block is not None
        for tensor in block_tensors(block, a.hidden)
        if _carries(tensor, isinstance(block, Attention | LatentAttention), lora)
    ]


@lru_cache(maxsize=1024)
def lora_tensors(a: Architecture, lora: Lora) -> tuple[Adapted, ...]:
    """Return the matrices that carry adapters, equal ones counted together."""
    counts: dict[tuple[str, int, int], int] = {}
    inner = [
        t
        for layer in (a.layers[-lora.layers :] if lora.layers else a.layers)
        for t in _adapted(layer, a, lora)
    ]
    for tensor in (*inner, *(t for t in outer_tensors(a) if _carries(t, False, lora))):
        key = (tensor.module, tensor.cols, tensor.rows)
        counts[key] = counts.get(key, 0) + tensor.count
    return tuple((*key, count) for key, count in counts.items())


@lru_cache(maxsize=1024)
def lora_parameters(a: Architecture, lora: Lora) -> int:
    """Return the trainable parameters of adapters on a model, modules saved whole included."""
    magnitudes = 1 if lora.dora else 0
    adapters = sum(
        (lora.rank * (inputs + outputs) + magnitudes * outputs) * count
        for _, inputs, outputs, count in lora_tensors(a, lora)
    )
    saved = {name for saved in lora.modules_to_save for name in (saved, *_SAME.get(saved, ()))}
    # A head that shares the embedding's weights becomes a copy of its own when it is trained.
    return adapters + a.vocab * a.hidden * len(saved & {"embed_tokens", "lm_head"})


@lru_cache(maxsize=1024)
def expert_parameters(a: Architecture, rank: int) -> int:
    """Return the trainable parameters where adapters wrap the fused weights of routed experts and the router.

    Gate and up are one matrix with twice the rank, one pair of factors for each expert (PEFT 0.21).
    """
    total = 0
    for layer, count in a.groups.items():
        block = layer.channel
        if isinstance(block, MixtureOfExperts):
            gates, inner = (2 if block.gated else 1), block.intermediate
            each = gates * (a.hidden + gates * inner) + (a.hidden + inner)
            total += count * rank * (block.experts * each + block.experts + a.hidden)
    return total
