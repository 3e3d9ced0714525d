"""What people and logs write, resolved to parts: '4090', 'RTX-4090-24GB', 'M3 Ultra 96', '9950X'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from configurator.catalog.part import CatalogPart

_VENDORS = re.compile(
    r"\b(nvidia|geforce|amd|apple|radeon|intel|generation|unified|inferred|tesla|quadro|gpu|blackwell"
    r"|workstation|edition)\b"
)
_MEMORY = re.compile(r"\b\d+ ?(gb|gib|g)\b")


@lru_cache(maxsize=4096)
def plain(name: str) -> str:
    """Return a name without vendor words, punctuation and case: 'RTX-4090-24GB' -> 'rtx 4090 24 gb'."""
    words = re.sub(r"[^a-z0-9.]+", " ", re.sub(r"\(.*?\)", " ", name.lower()))
    words = re.sub(r"(\d)(gb|gib)\b", r"\1 \2", words)
    return " ".join(_VENDORS.sub(" ", words).split())


def without_memory(name: str) -> str:
    """Return a plain name without its memory size: 'rtx 4090 24 gb' -> 'rtx 4090'."""
    return " ".join(_MEMORY.sub(" ", name).split())


def exact_names(part: CatalogPart) -> Iterable[str]:
    """Return the plain names that belong to one part alone."""
    return map(plain, (part.id, part.name, *part.aliases))


def loose_names(part: CatalogPart) -> Iterable[str]:
    """Return shorter names, which other parts may have too: without memory size and family."""
    for name in exact_names(part):
        short = without_memory(name)
        yield short
        yield re.sub(r"^(rtx|gtx|rx) ", "", short)
        yield re.sub(r" gb$", "", name)


Index = Mapping[str, tuple[str, ...]]


def index(parts: Mapping[str, CatalogPart]) -> Index:
    """Return ids by plain name: of a name that is exact for one part only that part."""
    exact: dict[str, dict[str, None]] = {}
    loose: dict[str, dict[str, None]] = {}
    for part in parts.values():
        for name in exact_names(part):
            exact.setdefault(name, {})[part.id] = None
        for name in loose_names(part):
            loose.setdefault(name, {})[part.id] = None
    return {name: tuple(ids) for name, ids in (loose | exact).items()}


def meant(wanted: str, names: Index) -> tuple[str, ...]:
    """Return the ids of all parts that a name as written may mean, with and without its memory size."""
    name = plain(wanted)
    return names.get(name) or names.get(without_memory(name)) or ()


def containing(wanted: str, parts: Mapping[str, CatalogPart]) -> tuple[str, ...]:
    """Return the ids of the parts whose name has all the words and the fewest others.

    '9950X' is found in 'AMD Ryzen 9 9950X', 'X870E Taichi' rather in 'ASRock X870E Taichi' than in '... Lite'.
    """
    words = set(plain(wanted).split())
    others = {
        part.id: min(len(set(name.split()) - words) for name in fitting)
        for part in parts.values()
        if words and (fitting := [name for name in exact_names(part) if words <= set(name.split())])
    }
    return tuple(part for part, count in others.items() if count == min(others.values()))
