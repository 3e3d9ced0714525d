"""What people and logs write, resolved to an id: '4090', 'RTX-4090-24GB', 'M3 Ultra 96'."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from configurator.catalog.part import CatalogPart

_VENDORS = re.compile(
    r"\b(nvidia|geforce|amd|apple|radeon|intel|generation|unified|inferred|tesla|quadro|gpu)\b"
)
_MEMORY = re.compile(r"\b\d+ ?(gb|gib|g)\b")


def plain(name: str) -> str:
    """Return a name without vendor words, punctuation and case: 'RTX-4090-24GB' -> 'rtx 4090 24 gb'."""
    words = re.sub(r"[^a-z0-9.]+", " ", re.sub(r"\(.*?\)", " ", name.lower()))
    words = re.sub(r"(\d)(gb|gib)\b", r"\1 \2", words)
    return " ".join(_VENDORS.sub(" ", words).split())


def without_memory(name: str) -> str:
    """Return a plain name without its memory size: 'rtx 4090 24 gb' -> 'rtx 4090'."""
    return " ".join(_MEMORY.sub(" ", name).split())


def names_of(part: CatalogPart) -> Iterable[str]:
    """Return all plain names of a part, the most exact first."""
    for name in (part.id, part.name, *part.aliases):
        yield plain(name)
    for name in (part.id, part.name, *part.aliases):
        short = without_memory(plain(name))
        yield short
        yield re.sub(r"^(rtx|gtx|rx) ", "", short)


def index(parts: Mapping[str, CatalogPart]) -> dict[str, str]:
    """Return ids by plain name; a name that two parts share resolves to none of them."""
    exact: dict[str, str] = {}
    loose: dict[str, set[str]] = {}
    for part in parts.values():
        for name in (part.id, part.name, *part.aliases):
            exact[plain(name)] = part.id
        for name in names_of(part):
            loose.setdefault(name, set()).add(part.id)
    return {name: next(iter(ids)) for name, ids in loose.items() if len(ids) == 1} | exact


def resolve(wanted: str, ids: Mapping[str, str]) -> str | None:
    """Return the id for a name as written, with and without its memory size."""
    name = plain(wanted)
    return ids.get(name) or ids.get(without_memory(name))
