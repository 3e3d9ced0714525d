"""The workshop's own folder: parts that it adds, facts that it corrects, prices. YAML or XLSX.

In YAML each kind is a key with a list of entries, in XLSX a sheet with an entry in each row. An entry whose
id is known replaces only the facts that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from configurator.catalog.cache import kept
from configurator.catalog.kinds import KINDS
from configurator.catalog.prices import Price
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message
from configurator.reading.files import read_yaml
from configurator.reading.nodes import line_of
from configurator.reading.problems import with_others
from configurator.reading.tables import read_tables

_NAMES = (*KINDS, "prices")
_BETWEEN = ";"
"""Stands between the values of one cell that holds several."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Facts of one entry and where they stand: by index below a kind, or in a row of a sheet."""

    kind: str
    facts: dict[str, Any]
    path: Path
    at: int

    def refused(self, keys: Sequence[object], problem: Message, others: int = 0) -> BadInput:
        """Return the message that names the place of a problem in this entry."""
        if _is_sheet(self.path):
            said = message(
                "{file}, sheet {sheet}, row {row}: {key}: {problem}",
                file=str(self.path),
                sheet=self.kind,
                row=self.at,
                key=".".join(map(str, keys)),
                problem=problem,
            )
        else:
            whole = [self.kind, self.at, *keys]
            said = message(
                "{file}, line {line}: {key}: {problem}",
                file=str(self.path),
                line=line_of(self.path, whole),
                key=".".join(map(str, whole)),
                problem=problem,
            )
        return BadInput(with_others(said, others))


def overlay_files(folder: Path) -> tuple[Path, ...]:
    """Return the files of the workshop's folder in the order of their names."""
    found = sorted(folder.glob("*")) if folder.is_dir() else ()
    # A spreadsheet that is open elsewhere leaves a lock beside it: ~$name.xlsx.
    return tuple(
        path
        for path in found
        if path.suffix.lower() in (".yaml", ".yml", ".xlsx") and not path.name.startswith(("~$", "."))
    )


def read_overlay(files: Sequence[Path]) -> dict[str, list[Entry]]:
    """Return the entries of all files by kind. Raises BadInput."""
    entries: dict[str, list[Entry]] = {name: [] for name in _NAMES}
    for path in files:
        for kind, at, facts in kept(path, _bytes(path), partial(_rows, path)):
            entry = Entry(kind, facts, path, at)
            for key in ("source", "date"):
                if facts.get(key) in (None, ""):
                    raise entry.refused([key], message("is missing"))
            entries[kind].append(entry)
    return entries


def _is_sheet(path: Path) -> bool:
    return path.suffix.lower() == ".xlsx"


def _rows(path: Path, _: bytes) -> list[list[Any]]:
    return list(_sheet_rows(path) if _is_sheet(path) else _yaml_rows(path))


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be read ({reason})", file=str(path), reason=reason)
        ) from problem


def _yaml_rows(path: Path) -> Iterator[list[Any]]:
    content = read_yaml(path)
    if content is None:
        return
    if not isinstance(content, dict):
        raise BadInput(
            message("{file}: holds no kinds of parts such as 'gpus:' or 'prices:'", file=str(path))
        )
    for kind, rows in content.items():
        if kind not in _NAMES:
            line = line_of(path, [kind])
            raise _unknown_kind(message("{file}, line {line}", file=str(path), line=line), str(kind))
        for at, facts in enumerate(rows if isinstance(rows, list) else [rows]):
            if not isinstance(facts, dict):
                raise Entry(kind, {}, path, at).refused([], message("must hold keys with values"))
            # Dates as they are written: a catalogue knows some by the month only.
            yield [kind, at, {str(key): _text_of_date(value) for key, value in facts.items()}]


def _text_of_date(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _sheet_rows(path: Path) -> Iterator[list[Any]]:
    for row in read_tables(path):
        if row.sheet not in _NAMES:
            raise _unknown_kind(message("{file}, sheet {sheet}", file=str(path), sheet=row.sheet), row.sheet)
        kind = Price if row.sheet == "prices" else KINDS[row.sheet][1]
        entry = Entry(row.sheet, {}, path, row.number)
        yield [
            row.sheet,
            row.number,
            {key: _cell(kind, key, value, entry) for key, value in row.facts.items()},
        ]


def _cell(kind: type[BaseModel], key: str, value: Any, entry: Entry) -> Any:
    """Return a cell as the field wants it: several values become a list, numbers of a text field text."""
    field = kind.model_fields.get(key)
    if field is None:
        return value
    inner, origin = get_args(field.annotation), get_origin(field.annotation)
    if origin is Mapping or (origin is tuple and _has_keys(inner[0])):
        raise entry.refused([key], message("has parts of its own: write this entry in a YAML file"))
    if origin is tuple:
        parts = [part.strip() for part in str(value).split(_BETWEEN) if part.strip()]
        return [int(part) if inner[0] is int and part.isdigit() else part for part in parts]
    return str(value) if field.annotation is str or (str in inner and int not in inner) else value


def _has_keys(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _unknown_kind(place: Message, kind: str) -> BadInput:
    near = get_close_matches(kind, _NAMES, n=1, cutoff=0.4)
    return BadInput(
        message(
            "{place}: '{kind}' is no kind of part; kinds are {names}",
            place=place,
            kind=kind,
            names=", ".join(near or _NAMES),
        )
    )
