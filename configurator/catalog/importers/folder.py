"""A model's folder: its `config.json`, and the exact bytes of the safetensors files that lie beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from configurator.catalog.importers import read_config
from configurator.catalog.importers.safetensors import read_weights
from configurator.catalog.importers.stored import FileTensor, shared, stored, usual_type
from configurator.domain.architecture import Architecture, Stored, Tower
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.tensor import Role

_LAYER = re.compile(r"(?:^|\.)(?:layers|h|blocks)\.(\d+)\.")
_TOWER = re.compile(r"vision|visual|audio|image|projector|patch_embed")
_EXPERT = re.compile(r"\.experts\.|switch_mlp|block_sparse_moe\.(?:input|output)_linear")
_EMBEDDING = re.compile(r"embed_tokens|wte|wpe|word_embeddings|tok_embeddings|embed_in|embeddings\.")
_HEAD = re.compile(r"lm_head|embed_out|^output\.")
_PACKED = ("I32", "U32", "I8", "U8")
"""Types whose values hold several weights, or weights that scales belong to."""
_PLAIN = {
    "BF16": "bf16",
    "F16": "fp16",
    "F32": "fp32",
    "F8_E4M3": "fp8",
    "bfloat16": "bf16",
    "float16": "fp16",
    "float32": "fp32",
}


def read_model_folder(path: Path) -> Architecture:
    """Return the architecture of a `config.json`, or of the folder that holds one.

    Where safetensors files lie beside it, layers carry the bytes that are stored. Raises BadInput.
    """
    path = path / "config.json" if path.is_dir() else path
    config = read_json(path)
    model = read_config(config, str(path))
    weights = read_weights(path.parent)
    if weights is None:
        return model
    if not weights.tensors:
        form = _form(model, str(config.get("dtype") or config.get("torch_dtype")), path)
        return replace(model, stored=Stored(form, ()), file_size=weights.total)
    packed = (tensor.type for tensor in weights.tensors if tensor.type in _PACKED and len(tensor.shape) > 1)
    form = _form(model, next(packed, usual_type(weights.tensors)), path)
    return _with_bytes(model, weights.tensors, form, path)


def read_json(path: Path) -> Mapping[str, Any]:
    """Return a configuration as it is. Raises BadInput for a file that holds none."""
    try:
        config = json.loads(path.read_bytes())
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be read ({reason})", file=str(path), reason=reason)
        ) from problem
    except (ValueError, RecursionError) as problem:
        text = message("{file}: is no JSON ({reason})", file=str(path), reason=str(problem))
        raise BadInput(text) from problem
    if not isinstance(config, dict):
        raise BadInput(message("{file}: a config.json holds one object", file=str(path)))
    return config


def _form(model: Architecture, kind: str, path: Path) -> str:
    """Return the weight format of the files: that of the configuration, else the usual type."""
    if model.quantization:
        return model.quantization.format
    if kind not in _PLAIN:
        raise BadInput(
            message(
                "{file}: the weights beside it are stored as '{type}', but it does not say how to read them",
                file=str(path),
                type=kind,
            )
        )
    return _PLAIN[kind]


def _with_bytes(model: Architecture, tensors: tuple[FileTensor, ...], form: str, path: Path) -> Architecture:
    layers: dict[int, list[tuple[Role, int]]] = {number: [] for number in range(len(model.layers))}
    outer: list[tuple[Role, int]] = []
    tower = 0
    for tensor in tensors:
        place = _LAYER.search(tensor.name)
        role = _role(tensor, place is None)
        if role == "tower":
            tower += tensor.values
        # A head stored beside the embedding that it shares is not loaded, nor is a part for speculation.
        if tensor.name.startswith("mtp.") or (role == "head" and model.tied):
            continue
        if place is None or role == "tower":
            outer.append((role, tensor.size))
        elif int(place[1]) in layers:
            layers[int(place[1])].append((role, tensor.size))
    empty = next((number for number, found in layers.items() if not found), None)
    if empty is not None:
        raise BadInput(message("{file}: has no tensors of layer {layer}", file=str(path.parent), layer=empty))
    towers = model.towers or ((Tower("vision_tower", tower),) if tower else ())
    return replace(
        model,
        layers=shared(
            replace(layer, stored=stored(form, layers[number])) for number, layer in enumerate(model.layers)
        ),
        towers=towers,
        stored=stored(form, outer),
    )


def _role(tensor: FileTensor, outer: bool) -> Role:
    if _TOWER.search(tensor.name):
        return "tower"
    if outer:
        embedding = _EMBEDDING.search(tensor.name)
        return "embedding" if embedding else "head" if _HEAD.search(tensor.name) else "norm"
    if _EXPERT.search(tensor.name):
        return "expert"
    return "linear" if len(tensor.shape) > 1 else "norm"
