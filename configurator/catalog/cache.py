"""What a YAML file holds, kept as JSON, which is read many times faster.

A cached file names the hash of its source with the program's version, and of itself. If either differs it is
built anew; if the cache cannot be written the program is only slower.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from configurator import __version__
from configurator.catalog.places import cache_folder


def kept(path: Path, source: bytes, parse: Callable[[bytes], Any]) -> Any:
    """Return what `parse` makes of the source, from the cache where it is the same source."""
    place = cache_folder() / f"{path.stem}-{_hash(str(path.absolute()).encode())[:16]}.json"
    head = _hash(__version__.encode() + source).encode()
    with suppress(OSError, ValueError):
        found_head, own, text = place.read_bytes().split(b"\n", 2)
        if found_head == head and own == _hash(text).encode():
            return json.loads(text)
    content = parse(source)
    _keep(place, head, content)
    return content


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()


def _keep(place: Path, head: bytes, content: Any) -> None:
    """Write a file of the cache in one step; what JSON cannot hold unchanged is not kept."""
    with suppress(OSError, TypeError, ValueError):
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        if json.loads(text) != content:
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        whole = place.with_name(f"{place.name}.{os.getpid()}")
        whole.write_bytes(b"\n".join((head, _hash(text.encode()).encode(), text.encode())))
        whole.replace(place)
