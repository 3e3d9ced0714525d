"""Reads files of buildcores-open-db into the workshop's own folder.

The project (https://github.com/buildcores/buildcores-open-db) keeps one JSON file a part, under the Open Data
Commons Attribution License 1.0: its name and licence travel along with every entry.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from configurator.catalog.catalog import Catalog
from configurator.catalog.importers.buildcores_records import READERS, Record
from configurator.catalog.kinds import KINDS
from configurator.catalog.names import exact_names, plain
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message

FILE = "buildcores.yaml"
_HEAD = """# Contains information from buildcores-open-db (https://github.com/buildcores/buildcores-open-db), made
# available under the Open Data Commons Attribution License 1.0 (https://opendatacommons.org/licenses/by/1-0/).
# Changed: fields renamed, zeros and uncertain flags left out, partner cards completed from their chip.
"""
_LICENCE = "ODC-By 1.0"


@dataclass(frozen=True, slots=True)
class Imported:
    """How many entries of each kind were written, and how many records were left out and why."""

    written: Counter[str]
    left_out: Counter[Message]


def import_buildcores(paths: Iterable[Path], catalog: Catalog, folder: Path) -> Imported:
    """Add the records of files and folders to `buildcores.yaml` in the folder. Raises BadInput."""
    target = folder / FILE
    entries = _present(target)
    written: Counter[str] = Counter()
    left_out: Counter[Message] = Counter()
    owners = {
        (kind, name): part.id
        for kind in KINDS
        for part in getattr(catalog, kind).values()
        for name in exact_names(part)
    }
    for path in _files(paths):
        kind, facts = _entry(path, catalog)
        if not isinstance(facts, Message):
            # Two parts of one name could not be told apart afterwards.
            if owners.setdefault((kind, plain(facts["name"])), facts["id"]) == facts["id"]:
                entries.setdefault(kind, {})[facts["id"]] = facts
                written[kind] += 1
                continue
            facts = message("of a name that the catalogue has")
        left_out[facts] += 1
    if written:
        _write(target, {kind: list(rows.values()) for kind, rows in entries.items()})
    return Imported(written, left_out)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.exists():
            raise BadInput(message("{file}: is no file or folder", file=str(path)))
        yield from sorted(path.rglob("*.json")) if path.is_dir() else (path,)


def _entry(path: Path, catalog: Catalog) -> tuple[str, dict[str, Any] | Message]:
    """Return kind and facts of a file, or why it is left out."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError) as problem:
        text = message("{file}: is no JSON ({reason})", file=str(path), reason=str(problem))
        raise BadInput(text) from problem
    if not isinstance(record, dict) or not {"opendb_id", "metadata"} <= record.keys():
        return "", message("no record of a part")
    for key, kind, read in READERS:
        if key in record:
            try:
                facts = read(record, catalog)
            except (AttributeError, KeyError, TypeError, ValueError):
                return kind, message("not in the form of that project")
            if facts is None:
                return kind, message("not of a platform, chip or form that the catalogue knows")
            return kind, _checked(kind, record, facts)
    return "", message("no kind of part that the catalogue has")


def _checked(kind: str, record: Record, facts: dict[str, Any]) -> dict[str, Any] | Message:
    described = record["metadata"]
    name = " ".join(str(described["name"]).split())
    # A record that a person of the project has checked says when; the others are one unsure voice.
    verified = str(described.get("last_manually_spec_verified_at") or "")[:10]
    facts = {key: value for key, value in facts.items() if value not in (None, (), {})}
    facts["inferred"] = tuple(field for field in facts.get("inferred", ()) if field in facts)
    whole = {
        "id": f"{_words(name)}-{str(record['opendb_id'])[:8]}",
        "name": name,
        "source": f"buildcores-open-db, {_LICENCE}, opendb_id {record['opendb_id']}",
        "date": verified or date.today().isoformat(),
        **facts,
        "confidence": "stated" if verified else "low",
    }
    try:
        part = KINDS[kind][1].model_validate(whole)
    except ValidationError:
        return message("a figure is missing or outside all bounds")
    return {"id": part.id} | part.model_dump(mode="json", exclude_defaults=True)


def _words(name: str) -> str:
    """Return a name as words of an id, at most 60 letters."""
    return "-".join(re.findall("[a-z0-9]+", name.lower()))[:60].strip("-")


def _present(target: Path) -> dict[str, dict[str, Any]]:
    """Return the entries of an earlier import by kind and id."""
    if not target.exists():
        return {}
    content: dict[str, Sequence[dict[str, Any]]] = (
        yaml.load(target.read_bytes(), Loader=yaml.CSafeLoader) or {}
    )
    return {kind: {str(row["id"]): row for row in rows} for kind, rows in content.items()}


def _write(target: Path, content: dict[str, list[dict[str, Any]]]) -> None:
    text = yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=110)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_HEAD + text, encoding="utf-8")
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be written ({reason})", file=str(target), reason=reason)
        ) from problem
