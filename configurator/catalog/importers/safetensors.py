"""The headers of safetensors files: name, type, shape and bytes of every tensor, never the weights themselves.

Format: https://huggingface.co/docs/safetensors: eight bytes of length, then JSON. A model of several files has an
index, `model.safetensors.index.json`, that names them and states the bytes of all tensors together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from configurator.catalog.importers.stored import FileTensor
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message

_LIMIT = 100_000_000
"""Largest header in bytes, by the format's own reader."""
_INDEX = "model.safetensors.index.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """What lies beside a `config.json`: the tensors of all files, or only the size of all together."""

    tensors: tuple[FileTensor, ...] = ()
    total: int = 0
    """Bytes of all tensors where the index lies there without its files."""


def read_weights(folder: Path) -> Weights | None:
    """Return what the safetensors files of a folder hold, or None where there are none.

    Raises BadInput for a broken index or header.
    """
    index = folder / _INDEX
    if index.is_file():
        stated = _index(index)
        names = sorted(set(map(str, stated["weight_map"].values())))
        # The index is a file from a stranger: it names files of its own folder only.
        files = [folder / Path(name).name for name in names]
        if not all(file.is_file() for file in files):
            return Weights(total=stated["metadata"]["total_size"])
        return Weights(tuple(tensor for file in files for tensor in _tensors_of(file)))
    single = folder / "model.safetensors"
    return Weights(tuple(_tensors_of(single))) if single.is_file() else None


def _index(path: Path) -> Mapping[str, Any]:
    try:
        stated = json.loads(path.read_bytes())
        files, size = stated["weight_map"], stated["metadata"]["total_size"]
        if isinstance(files, dict) and files and isinstance(size, int) and size > 0:
            return dict(stated)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
        raise _broken(str(path), message("it is no index of files")) from problem
    raise _broken(str(path), message("it is no index of files"))


def _tensors_of(path: Path) -> tuple[FileTensor, ...]:
    try:
        with path.open("rb") as file:
            return read_header(file, path.stat().st_size, str(path))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be read ({reason})", file=str(path), reason=reason)
        ) from problem


def read_header(file: BinaryIO, size: int, name: str) -> tuple[FileTensor, ...]:
    """Return the tensors of a file of `size` bytes. Raises BadInput for a header that cannot be used."""
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(_LIMIT, size - 8):
        raise _broken(name, message("it ends early or a length in it is wrong"))
    try:
        stated = json.loads(file.read(length))
        stated.pop("__metadata__", None)
        return tuple(_tensor(key, facts, size - 8 - length, name) for key, facts in stated.items())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise _broken(name, message("it is no list of tensors")) from problem


def _tensor(key: str, facts: Mapping[str, Any], room: int, name: str) -> FileTensor:
    start, end = facts["data_offsets"]
    shape = tuple(facts["shape"])
    if not 0 <= start <= end or not all(isinstance(side, int) and side >= 0 for side in shape):
        raise _broken(name, message("'{name}' has an impossible shape", name=key))
    if end > room:
        raise BadInput(
            message(
                "{file}: ends before the weights of '{name}' do; it was not loaded completely",
                file=name,
                name=key,
            )
        )
    if prod(shape) > 8 * (end - start):
        raise _broken(name, message("'{name}' has an impossible shape", name=key))
    return FileTensor(key, shape, str(facts["dtype"]), end - start)


def _broken(name: str, problem: Message) -> BadInput:
    return BadInput(message("{file}: its header cannot be used: {problem}", file=name, problem=problem))
