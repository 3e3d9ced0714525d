"""Metadata and tensors of a GGUF model by the names that its layers use; what is not understood is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from configurator.catalog.importers.gguf_header import Header
from configurator.catalog.importers.stored import FileTensor
from configurator.catalog.loading import read_table
from configurator.domain.errors import BadInput, unknown_id
from configurator.domain.message import message

_BLOCK = re.compile(r"blk\.(\d+)\.(.+)")
_PART = re.compile(r"(.+)\.(weight|bias|scale|input_scale)")


class LayerTensors(Mapping[str, FileTensor]):
    """The tensors of one layer by name; those that no block asked for are refused in the end."""

    def __init__(self, model: str, number: int, tensors: Mapping[str, FileTensor]) -> None:
        self._model, self.number, self._tensors = model, number, tensors
        self._asked: set[str] = set()

    def __iter__(self) -> Any:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __getitem__(self, name: str) -> FileTensor:
        """Return the weight of a module, e.g. `attn_q`, or one of its parts, e.g. `attn_q.bias`."""
        self._asked.add(name)
        return self._tensors[name]

    def need(self, name: str) -> FileTensor:
        """Return a necessary tensor. Raises BadInput."""
        if name not in self:
            raise BadInput(
                message(
                    "{file}: layer {layer} has no tensor '{name}'",
                    file=self._model,
                    layer=self.number,
                    name=name,
                )
            )
        return self[name]

    def all_of(self, *names: str) -> None:
        """Mark tensors that belong to a block and say nothing more about it."""
        self._asked.update(names)

    def refuse_rest(self) -> None:
        """Raise BadInput for a tensor of which no block knows."""
        for name in self._tensors:
            base, _, part = name.rpartition(".")
            scale = part in ("scale", "input_scale") and base in self._asked
            if name not in self._asked and not scale:
                raise not_understood(self._model, f"blk.{self.number}.{name}")


class GgufFields:
    """The keys of a model's architecture, and its tensors by layer."""

    def __init__(self, header: Header, name: str) -> None:
        self.name = name
        self._metadata = header.metadata
        table = read_table("gguf")
        self.family = str(header.metadata.get("general.architecture", ""))
        if self.family not in table["architectures"]:
            problem = unknown_id("general.architecture", self.family, table["architectures"]).text
            raise BadInput(message("model '{model}': {problem}", model=name, problem=problem))
        self.rules: Mapping[str, Any] = table["architectures"][self.family]
        self._refuse_unknown_keys(table)
        self.outer: dict[str, FileTensor] = {}
        self._layers: dict[int, dict[str, FileTensor]] = {}
        for tensor in header.tensors:
            block = _BLOCK.fullmatch(tensor.name)
            if block:
                self._layers.setdefault(int(block[1]), {})[_module(block[2])] = tensor
            else:
                self.outer[_module(tensor.name)] = tensor

    def _refuse_unknown_keys(self, table: Mapping[str, Any]) -> None:
        known = {*table["used"], *table["ignored"]}
        for key, value in self._metadata.items():
            owner, _, rest = key.partition(".")
            if owner != self.family or rest in known or rest.startswith("rope."):
                continue
            if rest not in table["absent"] or value:
                raise BadInput(
                    message(
                        "{file}: the key '{name}' is not understood, so nothing is computed",
                        file=self.name,
                        name=key,
                    )
                )

    def value(self, key: str) -> Any:
        """Return a key of the architecture as it is, or None."""
        return self._metadata.get(f"{self.family}.{key}")

    def number(self, key: str, layer: int = 0) -> int | None:
        """Return a whole number; of a list, that of a layer."""
        found = self.value(key)
        if isinstance(found, list):
            found = found[layer] if layer < len(found) else None
        return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None

    def need(self, key: str, layer: int = 0) -> int:
        """Return a necessary whole number above 0. Raises BadInput."""
        found = self.number(key, layer)
        if not found:
            raise not_there(self.name, f"{self.family}.{key}")
        return found

    def has(self, number: int) -> bool:
        """Whether the file has tensors of a layer."""
        return number in self._layers

    def layer(self, number: int) -> LayerTensors:
        """Return the tensors of a layer. Raises BadInput where the file has none."""
        if number not in self._layers:
            raise BadInput(message("{file}: has no tensors of layer {layer}", file=self.name, layer=number))
        return LayerTensors(self.name, number, self._layers[number])

    def must_be(self, tensor: FileTensor, axis: int, wanted: int) -> None:
        """Raise BadInput where a tensor's shape contradicts the metadata."""
        if len(tensor.shape) <= -axis - 1 or tensor.shape[axis] != wanted:
            raise BadInput(
                message(
                    "{file}: the tensor '{name}' has the shape {shape}, its metadata ask for {wanted}",
                    file=self.name,
                    name=tensor.name,
                    shape=" x ".join(map(str, tensor.shape)),
                    wanted=wanted,
                )
            )


def not_understood(file: str, tensor: str) -> BadInput:
    """Say that a tensor is not known: what it does cannot be guessed."""
    return BadInput(
        message(
            "{file}: the tensor '{name}' is not understood, so nothing is computed", file=file, name=tensor
        )
    )


def not_there(file: str, name: str) -> BadInput:
    """Say that a key or tensor is missing or has no usable value."""
    return BadInput(message("{file}: has no usable '{name}'", file=file, name=name))


def _module(name: str) -> str:
    """Return `attn_q` for `attn_q.weight`, and `attn_q.bias` as it is."""
    part = _PART.fullmatch(name)
    return part[1] if part and part[2] == "weight" else name
