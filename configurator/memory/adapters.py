"""Low-rank adapters: which matrices carry them and how many parameters they train.

A matrix of `rows` x `cols` carries rank x (rows + cols) parameters (Hu et al. 2021, LoRA).
"""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import Architecture, Attention, LatentAttention, Layer
from configurator.domain.tensor import Tensor
from configurator.domain.workload import Lora
from configurator.memory.tensors import block_tensors

_OTHER_NAMES = {
    "output_proj": "o_proj",
    "dense": "o_proj",
    "c_attn": "qkv_proj",
    "query_key_value": "qkv_proj",
    "w1": "gate_proj",
    "w2": "up_proj",
    "fc1": "up_proj",
    "fc2": "down_proj",
    "c_fc": "up_proj",
    "c_proj": "down_proj",
    "dense_h_to_4h": "up_proj",
    "dense_4h_to_h": "down_proj",
    "wte": "embed_tokens",
    "embed_in": "embed_tokens",
    "embed_out": "lm_head",
}
"""Names of the same matrices in other code."""

Adapted = tuple[str, int, int, int]
"""Module, inputs, outputs and number of a matrix with an adapter."""


def _carries(tensor: Tensor, in_attention: bool, lora: Lora) -> bool:
    """Whether a tensor carries adapters. `all-linear` is every linear module but the head; routed experts
    are three-dimensional parameters in the code, not linear modules: only a target that names them
    (`all-linear+experts`) reaches them.
    """
    if isinstance(lora.targets, str):
        if tensor.role == "expert":
            return "expert" in lora.targets
        if tensor.role != "linear":
            return False
        if lora.targets == "attention":
            return in_attention and tensor.module != "c_proj"
        return tensor.module in ("q_proj", "v_proj") if lora.targets == "q,v" else True
    names = {_OTHER_NAMES.get(name, name) for name in lora.targets} | set(lora.targets)
    return tensor.role == "linear" and ("all-linear" in names or tensor.module in names)


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
    for layer in a.layers[-lora.layers :] if lora.layers else a.layers:
        for tensor in _adapted(layer, a, lora):
            key = (tensor.module, tensor.cols, tensor.rows)
            counts[key] = counts.get(key, 0) + tensor.count
    return tuple((*key, count) for key, count in counts.items())


@lru_cache(maxsize=1024)
def lora_parameters(a: Architecture, lora: Lora) -> int:
    """Return the trainable parameters of adapters on a model, modules saved whole included."""
    adapters = sum(
        lora.rank * (inputs + outputs) * count for _, inputs, outputs, count in lora_tensors(a, lora)
    )
    saved = {_OTHER_NAMES.get(name, name) for name in lora.modules_to_save}
    # A head that shares the embedding's weights becomes a copy of its own when it is trained.
    return adapters + a.vocab * a.hidden * len(saved & {"embed_tokens", "lm_head"})
