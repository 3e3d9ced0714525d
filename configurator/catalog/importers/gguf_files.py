"""A GGUF model on disk: one file, or parts that lie beside each other."""

from __future__ import annotations

import re
from pathlib import Path

from configurator.catalog.importers.gguf import read_gguf
from configurator.catalog.importers.gguf_header import Header, read_header
from configurator.domain.architecture import Architecture
from configurator.domain.errors import BadInput
from configurator.domain.message import message

_PART = re.compile(r"(.+)-(\d{5})-of-(\d{5})\.gguf")
_MOST_PARTS = 1000


def read_gguf_files(path: Path) -> Architecture:
    """Return the architecture that a GGUF file describes, together with the other parts of its model.

    Raises BadInput for a file or part that is missing, broken or not understood.
    """
    return read_gguf(whole_header(path), str(path))


def whole_header(path: Path) -> Header:
    """Return the header of a model with the tensors of all its parts. Raises BadInput."""
    headers = [_header(part) for part in _parts(path)]
    first = headers[0]
    stated = first.metadata.get("split.count", 0)
    if isinstance(stated, int) and stated > 1 and stated != len(headers):
        raise BadInput(
            message(
                "{file}: is one of {count} parts; name them as they were loaded, all in one folder",
                file=str(path),
                count=stated,
            )
        )
    tensors = tuple(tensor for header in headers for tensor in header.tensors)
    if len({tensor.name for tensor in tensors}) < len(tensors):
        raise BadInput(message("{file}: two of its parts hold the same tensor", file=str(path)))
    return Header(first.metadata, tensors)


def _parts(path: Path) -> list[Path]:
    found = _PART.fullmatch(path.name)
    if found is None:
        return [path]
    count = int(found[3])
    if not 0 < count <= _MOST_PARTS:
        return [path]
    parts = [path.with_name(f"{found[1]}-{number:05}-of-{found[3]}.gguf") for number in range(1, count + 1)]
    missing = [part.name for part in parts if not part.is_file()]
    if missing:
        raise BadInput(
            message(
                "{file}: of its {count} parts are missing: {missing}",
                file=str(path),
                count=count,
                missing=", ".join(missing[:5]),
            )
        )
    return parts


def _header(path: Path) -> Header:
    try:
        with path.open("rb") as file:
            return read_header(file, path.stat().st_size, str(path))
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be read ({reason})", file=str(path), reason=reason)
        ) from problem
