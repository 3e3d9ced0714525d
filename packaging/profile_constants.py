"""The ranges that stand in framework profiles: where, trying another value, writing one back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from configurator.catalog.framework import Framework, load_frameworks
from configurator.domain.base import Word
from configurator.domain.ranges import Range

Where = tuple[str, ...]
"""Keys that lead to a range inside a profile."""


@dataclass(frozen=True)
class Constant:
    """One range and the profiles that share it: where several say the same, they mean one mechanism."""

    where: Where
    range: Range
    profiles: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return its keys as one word."""
        return ".".join(self.where)


def constants() -> list[Constant]:
    """Return every range of every profile, equal ones under the same key as one."""
    shared: dict[tuple[Where, tuple[float, float, float]], list[str]] = {}
    for profile in load_frameworks().values():
        for where, found in ranges(profile):
            shared.setdefault((where, (found.low, found.likely, found.high)), []).append(profile.id)
    return [
        Constant(where, Range(low=low, likely=likely, high=high), tuple(profiles))
        for (where, (low, likely, high)), profiles in shared.items()
    ]


def ranges(word: Word, above: Where = ()) -> Iterator[tuple[Where, Range]]:
    """Yield the ranges of a profile with their keys, those of its parts too."""
    for name in type(word).model_fields:
        value = getattr(word, name)
        parts = value.items() if isinstance(value, Mapping) else [(None, value)]
        for key, part in parts:
            where = (*above, name) if key is None else (*above, name, str(key))
            if isinstance(part, Range):
                yield where, part
            elif isinstance(part, Word):
                yield from ranges(part, where)


@contextmanager
def trying(constant: Constant, value: Range) -> Iterator[None]:
    """Let the profiles of a constant hold another value for a while."""
    profiles = load_frameworks()
    kept = {name: profiles[name] for name in constant.profiles}
    try:
        for name, profile in kept.items():
            profiles[name] = replaced(profile, constant.where, value)
        yield
    finally:
        profiles.update(kept)


def replaced(profile: Framework, where: Where, value: Range) -> Framework:
    """Return a profile with another range at a place."""
    content = profile.model_dump()
    inner = content
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value.model_dump()
    return Framework.model_validate(content)


def write(folder: Path, constant: Constant, value: Range) -> None:
    """Write a range into the files of its profiles: the numbers change, comments and order stay."""
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if yaml.safe_load(text)["id"] in constant.profiles:
            path.write_text(rewritten(text, constant.where, value), encoding="utf-8")


def rewritten(text: str, where: Where, value: Range) -> str:
    """Return the text of a profile with other numbers at a place; a range left out until now is appended."""
    node = yaml.compose(text)
    for key in where:
        found = [inner for name, inner in node.value if name.value == key]
        if not found:
            if len(where) > 1:
                raise ValueError(f"{'.'.join(where)} stands in no file: write it by hand once")
            facts = ", ".join(f"{name}: {number(size)}" for name, size in value.model_dump().items())
            return f"{text.rstrip()}\n{key}: {{{facts}}}\n"
        node = found[0]
    places = [
        (inner, getattr(value, name.value)) for name, inner in node.value if name.value in Range.model_fields
    ]
    for inner, size in sorted(places, key=lambda place: -place[0].start_mark.index):
        text = text[: inner.start_mark.index] + number(size) + text[inner.end_mark.index :]
    return text


def number(size: float) -> str:
    """Return a number as a profile writes it: no more digits than evidence carries."""
    return str(round(float(size), 2 if size < 10 else 1))
