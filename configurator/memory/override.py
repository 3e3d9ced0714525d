"""Tensors placed by hand: llama.cpp's `--override-tensor`, `--cpu-moe` and `--n-cpu-moe`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import cast

from configurator.domain.architecture import Architecture, Layer, MixtureOfExperts
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.tensor import Tensor
from configurator.memory.layer_split import gpu_layers
from configurator.memory.setting import Setting
from configurator.memory.tensors import layer_tensors
from configurator.memory.weights import Measure, Stage

HOST = -1
_DEVICE = re.compile(r"(?:CUDA|Vulkan|ROCm|SYCL|Metal)(\d*)")
_NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "qkv_proj": "attn_qkv",
    "q_a_proj": "attn_q_a",
    "q_b_proj": "attn_q_b",
    "kv_a_proj_with_mqa": "attn_kv_a_mqa",
    "kv_b_proj": "attn_kv_b",
    "in_proj_qkv": "attn_qkv",
    "in_proj_z": "attn_gate",
    "in_proj_b": "ssm_beta",
    "in_proj_a": "ssm_alpha",
    "in_proj": "ssm_in",
    "in_proj_qkvz": "ssm_in",
    "in_proj_ba": "ssm_ba",
    "out_proj": "ssm_out",
    "router": "ffn_gate_inp",
    "experts.down_proj": "ffn_down_exps",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""Names in GGUF files (llama.cpp, gguf-py/gguf/constants.py) of the modules of the Hugging Face code."""


def overrides(s: Setting) -> tuple[tuple[str, str], ...]:
    """Return pairs of pattern and target in the order in which they are tried.

    Raises BadInput for an entry without a target.
    """
    stated = s.option("override_tensor", s.option("ot")) or ()
    texts = [stated] if isinstance(stated, str) else [str(text) for text in cast("Iterable[object]", stated)]
    texts = [part for text in texts for part in text.split(",")]
    pairs = [_pair(text) for text in texts if text.strip()]
    if first := s.whole("n_cpu_moe", 0):
        layers = "|".join(str(number) for number in range(first))
        pairs.append((rf"blk\.({layers})\.ffn_.*_exps", "CPU"))
    elif s.option("cpu_moe") or (not pairs and _experts_away(s)):
        pairs.append(("exps", "CPU"))
    return tuple(pairs)


def _pair(text: str) -> tuple[str, str]:
    pattern, _, target = text.rpartition("=")
    try:
        re.compile(pattern)
    except re.error:
        pattern = ""
    if not pattern or not target:
        raise BadInput(
            message(
                "options.override_tensor: '{text}' is no pattern=device; write e.g. exps=CPU or blk\\.[0-9]\\.ffn=CUDA0",
                text=text,
            )
        )
    return pattern, target


def _experts_away(s: Setting) -> bool:
    """Whether all experts are on the host; a log that left whole layers there means those."""
    stated = (s.workload.offload or "").startswith("experts")
    return stated and gpu_layers(s) >= len(s.model.layers)


@lru_cache(maxsize=512)
def placed(
    architecture: Architecture,
    stages: tuple[Stage, ...],
    pairs: tuple[tuple[str, str], ...],
    measure: Measure,
) -> tuple[float, ...]:
    """Return the bytes of the layers' tensors on every device, after the overrides."""
    held = [0.0] * len(stages)
    for number, stage in enumerate(stages):
        for index, layer in enumerate(stage.layers, stage.start):
            for name, tensor, part in _named(architecture, layer):
                target = _target(f"blk.{index}.{name}.weight", pairs, number)
                if target != HOST:
                    held[min(target, len(stages) - 1)] += measure(tensor) * part
    return tuple(held)


def _named(architecture: Architecture, layer: Layer) -> Iterator[tuple[str, Tensor, float]]:
    """Yield the GGUF name of each tensor of a layer and its share; gate and up of experts are two there."""
    mixture = isinstance(layer.channel, MixtureOfExperts)
    for tensor in layer_tensors(layer, architecture):
        name = _NAMES.get(tensor.module, tensor.module)
        if tensor.module == "experts.gate_up_proj":
            yield "ffn_gate_exps", tensor, 0.5
            yield "ffn_up_exps", tensor, 0.5
        else:
            shared = mixture and name in ("ffn_gate", "ffn_up", "ffn_down")
            yield f"{name}_shexp" if shared else name, tensor, 1.0


@lru_cache(maxsize=65536)
def _target(name: str, pairs: tuple[tuple[str, str], ...], usual: int) -> int:
    for pattern, target in pairs:
        if re.search(pattern, name):
            device = _DEVICE.match(target)
            return int(device[1] or 0) if device else HOST
    return usual
