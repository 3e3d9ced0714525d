"""The header of a GGUF file: metadata and the place of every tensor, never the weights themselves.

A file from a stranger is read in pieces, with every count and length held against what is really there.
Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, versions 2 and 3, little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, BinaryIO

from configurator.catalog.importers.stored import FileTensor
from configurator.catalog.loading import read_table
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message

_PIECE = 1 << 20
_LIMIT = 128 << 20
"""Largest header in bytes; a vocabulary of 260,000 words with merges takes about 15 MB."""
_NAME = 65535
"""Longest key or tensor name in bytes, by the format."""
_KEPT = 4096
"""Longer lists (the vocabulary) are passed over: no key about the structure has more values than layers."""
_DIMENSIONS = 4
_VALUES = 2**48
"""More weights than any tensor has."""

_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
_TEXT, _LIST = 8, 9
_SCALARS = {
    number: struct.Struct(f"<{letter}")
    for number, letter in enumerate(("B", "b", "H", "h", "I", "i", "f", "?", "", "", "Q", "q", "d"))
    if letter
}


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of one file says."""

    metadata: Mapping[str, Any]
    tensors: tuple[FileTensor, ...]


def read_header(file: BinaryIO, size: int, name: str) -> Header:
    """Return the header of a file of `size` bytes, read no further than the header goes.

    Raises BadInput for a file that is none, whose header is broken, or that ends before its last tensor.
    """
    cursor = _Cursor(file, size, name)
    if cursor.take(4) != b"GGUF":
        raise BadInput(message("{file}: is no GGUF file", file=name))
    version = cursor.number(_U32)
    if version not in (2, 3):
        raise cursor.broken(message("its version is {version}, versions 2 and 3 are read", version=version))
    tensors, pairs = cursor.count(24), cursor.count(13)
    metadata = {}
    for _ in range(pairs):
        key = cursor.text()
        if key in metadata:
            raise cursor.broken(message("'{name}' stands there twice", name=key))
        metadata[key] = cursor.value(cursor.number(_U32))
    return Header(metadata, _tensors(cursor, tensors, metadata.get("general.alignment", 32)))


def broken(file: str, problem: Message) -> BadInput:
    """Say that a header cannot be used."""
    return BadInput(message("{file}: its header cannot be used: {problem}", file=file, problem=problem))


class _Cursor:
    """A place in a file that is read forward in pieces."""

    def __init__(self, file: BinaryIO, size: int, name: str) -> None:
        self._file, self.size, self.name = file, size, name
        self._read, self.at = bytearray(), 0

    def broken(self, problem: Message) -> BadInput:
        return broken(self.name, problem)

    def skip(self, length: int) -> int:
        """Go forward and return where the place was."""
        end = self.at + length
        if end > len(self._read):
            self._read_to(end)
        start, self.at = self.at, end
        return start

    def _read_to(self, end: int) -> None:
        if end <= min(self.size, _LIMIT):
            self._read += self._file.read(max(_PIECE, end - len(self._read)))
        if end > len(self._read):
            raise self.broken(message("it ends early or a length in it is wrong"))

    def take(self, length: int) -> bytes:
        """Return the next bytes."""
        start = self.skip(length)
        return bytes(self._read[start : self.at])

    def number(self, form: struct.Struct) -> Any:
        return form.unpack_from(self._read, self.skip(form.size))[0]

    def count(self, each: int) -> int:
        """Return a number of things of at least `each` bytes, if so many can follow."""
        found: int = self.number(_U64)
        if found * each > min(self.size, _LIMIT) - self.at:
            raise self.broken(message("it states {count:n} entries, more than it can hold", count=found))
        return found

    def text(self) -> str:
        """Return a key or a tensor's name."""
        length = self.number(_U64)
        if not 0 < length <= _NAME:
            raise self.broken(message("a name in it is {length:n} bytes long", length=length))
        try:
            return self.take(length).decode()
        except UnicodeDecodeError as problem:
            raise self.broken(message("a name in it is no text")) from problem

    def value(self, kind: int) -> Any:
        """Return a value; of long lists nothing."""
        if kind == _TEXT:
            return self.take(self.number(_U64)).decode(errors="replace")
        if kind in _SCALARS:
            return self.number(_SCALARS[kind])
        if kind != _LIST:
            raise self.broken(message("a value in it is of the unknown type {kind}", kind=kind))
        inner = self.number(_U32)
        if inner != _TEXT and inner not in _SCALARS:
            raise self.broken(message("a value in it is of the unknown type {kind}", kind=inner))
        length = self.count(8 if inner == _TEXT else _SCALARS[inner].size)
        if length <= _KEPT:
            return [self.value(inner) for _ in range(length)]
        if inner != _TEXT:
            self.skip(length * _SCALARS[inner].size)
            return None
        for _ in range(length):
            self.skip(self.number(_U64))
        return None


@dataclass(frozen=True, slots=True)
class _Layout:
    name: str
    block: int
    bytes: int
    rows: bool


def _layouts() -> dict[int, _Layout]:
    table = read_table("formats")["ggml"]
    return {
        facts["id"]: _Layout(name, facts["block"], facts["bytes"], facts.get("rows", False))
        for name, facts in table.items()
    }


def _tensors(cursor: _Cursor, count: int, alignment: Any) -> tuple[FileTensor, ...]:
    if not isinstance(alignment, int) or not 0 < alignment <= _PIECE:
        raise cursor.broken(message("it aligns tensors to {alignment}", alignment=str(alignment)))
    layouts = _layouts()
    stated = [_stated(cursor, layouts) for _ in range(count)]
    start = _padded(cursor.at, alignment)
    ends = [offset for *_, offset in stated[1:]] + [max(cursor.size - start, 0)]
    known: dict[str, FileTensor] = {}
    place = 0
    for (name, shape, layout, offset), end in zip(stated, ends, strict=True):
        if name in known:
            raise cursor.broken(message("'{name}' stands there twice", name=name))
        size = prod(shape) // layout.block * layout.bytes
        if layout.rows and size < end - offset < size + 8 * prod(shape[:-1]) + alignment:
            size = end - offset
        if offset != place:
            raise cursor.broken(message("'{name}' does not begin where the one before it ends", name=name))
        if offset + size > cursor.size - start:
            raise BadInput(
                message(
                    "{file}: ends before the weights of '{name}' do; it was not loaded completely",
                    file=cursor.name,
                    name=name,
                )
            )
        place = _padded(offset + size, alignment)
        known[name] = FileTensor(name, shape, layout.name, size)
    return tuple(known.values())


def _stated(cursor: _Cursor, layouts: Mapping[int, _Layout]) -> tuple[str, tuple[int, ...], _Layout, int]:
    """Return name, shape (outputs first), layout and offset as the header writes them."""
    name = cursor.text()
    dimensions = cursor.number(_U32)
    if not 0 < dimensions <= _DIMENSIONS:
        raise cursor.broken(message("'{name}' has {count} dimensions", name=name, count=dimensions))
    shape = tuple(cursor.number(_U64) for _ in range(dimensions))[::-1]
    if not 0 < prod(shape) <= _VALUES:
        raise cursor.broken(message("'{name}' has an impossible shape", name=name))
    kind = cursor.number(_U32)
    layout = layouts.get(kind)
    if layout is None:
        raise cursor.broken(message("'{name}' is of the unknown type {kind}", name=name, kind=kind))
    if shape[-1] % layout.block:
        raise cursor.broken(message("'{name}' has an impossible shape", name=name))
    return name, shape, layout, cursor.number(_U64)


def _padded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment
