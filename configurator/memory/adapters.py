"""Low-rank adapters: which linears carry them and how many parameters they train."""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import Architecture, Layer
from configurator.domain.tensor import Tensor
from configurator.domain.workload import Lora
from configurator.memory.tensors import layer_tensors, outer_tensors

_ATTENTION = {"q_proj", "k_proj", "v_proj", "o_proj", "qkv_proj"}
_GROUPS = {"q,v": {"q_proj", "v_proj"}, "attention": _ATTENTION}
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
}


def _wanted(lora: Lora) -> set[str] | None:
    """Return the module names with adapters; None: every linear."""
    if isinstance(lora.targets, str):
        return _GROUPS.get(lora.targets)
    names = {_OTHER_NAMES.get(name, name) for name in lora.targets}
    return None if "all-linear" in names else names


def _rank_sum(tensor: Tensor, hidden: int, rank: int) -> int:
    """Return adapter parameters of one tensor.

    PEFT wraps the fused 3-D tensor of experts whole: one pair per expert, twice the rank for the
    gate-and-up half.
    """
    if tensor.role == "expert":
        double = 2 if tensor.module.endswith("gate_up_proj") else 1
        return double * rank * tensor.count * (tensor.rows + tensor.cols)
    return rank * (tensor.rows + tensor.cols) * tensor.count


def layer_adapters(layer: Layer, a: Architecture, lora: Lora) -> int:
    """Return the adapter parameters of one layer."""
    wanted = _wanted(lora)
    total = 0
    for tensor in layer_tensors(layer, a):
        everything = wanted is None and tensor.role in ("linear", "expert", "router")
        named = wanted is not None and tensor.role == "linear" and tensor.module in wanted
        if everything or named:
            total += _rank_sum(tensor, a.hidden, lora.rank)
    return total


@lru_cache(maxsize=1024)
def lora_parameters(a: Architecture, lora: Lora) -> int:
    """Return the trainable parameters of adapters on a model, modules saved whole included."""
    layers = a.layers[-lora.layers :] if lora.layers else a.layers
    total = sum(layer_adapters(layer, a, lora) for layer in layers)
    whole = sum(t.parameters for t in outer_tensors(a) if t.role in ("embedding", "head"))
    return total + (whole if lora.modules_to_save else 0)
