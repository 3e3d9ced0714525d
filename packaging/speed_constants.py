"""The constants in `catalogs/speed.yaml`: which mechanism each belongs to, trying other values, writing them back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from configurator.catalog.loading import read_table
from configurator.catalog.places import CATALOGS
from configurator.speed.constants import constants

Where = tuple[str, ...]
"""Keys that lead to a number; `*` stands for every family."""

MECHANISMS: Mapping[str, tuple[tuple[Where, float], ...]] = {
    "decode": (
        (("families", "*", "read"), 0.8),
        (("families", "*", "launch_us"), 50.0),
        (("decode", "hop_ms"), 0.2),
    ),
    "prefill": (
        (("prompt", "by_power"), 0.3),
        (("families", "*", "compute"), 1.0),
        (("prompt", "unpacking"), 0.9),
        (("prompt", "expert_reading"), 0.5),
        (("prompt", "line"), 0.5),
    ),
    "serving": (
        (("serving", "read"), 0.8),
        (("serving", "launch_us"), 50.0),
        (("serving", "compute"), 1.0),
        (("serving", "alike"), 0.9),
    ),
    "training": (
        (("families", "*", "train"), 0.5),
        (("training", "plain"), 0.8),
        (("training", "launch_ms"), 4.0),
        (("training", "unpack_bytes"), 20.0),
    ),
    "vision": (
        (("images", "compute"), 0.8),
        (("images", "bytes_per_value"), 12.0),
        (("images", "bytes_per_output"), 12.0),
        (("images", "train"), 3.0),
    ),
    "diffusion": ((("denoising", "compute"), 0.8), (("denoising", "launch_ms"), 20.0)),
}
"""What each mechanism's constants are, and where a search begins that knows nothing yet."""
SPREADS: Mapping[str, Where] = {
    "decode": ("decode", "spread"),
    "prefill": ("prompt", "spread"),
    "serving": ("serving", "spread"),
    "training": ("training", "spread"),
    "vision": ("images", "spread"),
    "diffusion": ("denoising",),
}
"""Where the spread of each mechanism stands."""


def table() -> dict[str, Any]:
    """Return the constants as the program reads them."""
    return read_table("speed")


def places(where: Where) -> list[Where]:
    """Return the places that a pattern stands for; families that have no such number are left out."""
    if "*" not in where:
        return [where]
    families = table()["families"]
    return [("families", name, where[2]) for name, family in families.items() if where[2] in family]


def value(where: Where) -> Any:
    """Return what stands at a place."""
    found: Any = table()
    for key in where:
        found = found[key]
    return found


def put(where: Where, new: Any) -> None:
    """Let another value stand at a place from now on."""
    inner: Any = table()
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = new
    constants.cache_clear()


@contextmanager
def restored() -> Iterator[None]:
    """Bring all constants back in the end."""
    kept = deepcopy(table())
    try:
        yield
    finally:
        table().clear()
        table().update(kept)
        constants.cache_clear()


def write(changed: Mapping[Where, float]) -> None:
    """Write numbers into the file: comments and order stay."""
    path = CATALOGS / "speed.yaml"
    lines = path.read_text(encoding="utf-8").split("\n")
    for where, number in changed.items():
        _replace(lines, where, f"{float(number):.3g}")
    path.write_text("\n".join(lines), encoding="utf-8")


def _replace(lines: list[str], where: Where, number: str) -> None:
    """Replace a number: the section by its line, deeper keys within, the last on its line."""
    at, depth = 0, 0
    for key in where[:-1]:
        pattern = re.compile(rf"^{' ' * depth}{re.escape(key)}:")
        at = next(i for i in range(at, len(lines)) if pattern.match(lines[i]))
        depth += 2
    own = re.compile(rf"(?:^\s*|[{{,] ?){re.escape(where[-1])}: ([-0-9.e]+)")
    at = next(i for i in range(at, len(lines)) if own.search(lines[i]))
    found = own.search(lines[at])
    assert found is not None
    rest = lines[at][found.end(1) :]
    code, hash_, comment = rest.partition("#")
    # Comments stay in their column.
    if hash_ and not code.strip():
        code = " " * max(1, found.end(1) + len(code) - found.start(1) - len(number))
    lines[at] = lines[at][: found.start(1)] + number + code + hash_ + comment
