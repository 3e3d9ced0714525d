"""Reading the YAML files of the catalogue: parts strictly, small tables as they are."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from configurator.catalog.cache import kept
from configurator.catalog.overlay import Entry
from configurator.catalog.part import CatalogPart
from configurator.catalog.places import CATALOGS
from configurator.catalog.prices import Price
from configurator.domain.errors import unknown_id
from configurator.reading.problems import likeliest_problem

P = TypeVar("P", bound=CatalogPart)


class _Loader(yaml.CSafeLoader):
    """Leaves dates as they are written, as precise as their source."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, form) for tag, form in forms if tag != "tag:yaml.org,2002:timestamp"]
    for first, forms in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def _parse(text: bytes) -> Any:
    return yaml.load(text, Loader=_Loader)


def read_catalog_file(path: Path) -> Any:
    """Return what one file of the catalogue holds, from the cache or by the C loader."""
    return kept(path, path.read_bytes(), _parse)


@lru_cache
def read_table(name: str) -> dict[str, Any]:
    """Return a table of constants, `catalogs/<name>.yaml`, read once."""
    table: dict[str, Any] = read_catalog_file(CATALOGS / f"{name}.yaml")
    return table


def read_parts(name: str, kind: type[P], own: Sequence[Entry] = ()) -> dict[str, P]:
    """Return the parts of `catalogs/<name>.yaml` by id, with the workshop's own. Raises BadInput for those."""
    rows = {facts["id"]: facts for facts in read_catalog_file(CATALOGS / f"{name}.yaml")[name]}
    parts = {id_: kind.model_validate(facts) for id_, facts in rows.items()}
    for entry in own:
        id_ = str(entry.facts.get("id", ""))
        facts = _corrected(rows[id_], entry.facts) if id_ in rows else entry.facts
        try:
            parts[id_] = kind.model_validate(facts)
        except ValidationError as problem:
            keys, sentence, others = likeliest_problem(problem, kind)
            raise entry.refused(keys, sentence, others) from problem
        rows[id_] = facts
    return parts


def _corrected(known: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a known part with those that the workshop names, and their source beside the old."""
    fields = [key for key in changed if key not in ("id", "source", "date", "sources", "confidence")]
    origin = {"fields": fields, "source": changed["source"], "date": changed["date"]}
    still = [key for key in known.get("inferred", ()) if key not in fields]
    new = {key: value for key, value in changed.items() if key not in ("source", "date")}
    sources = [*known.get("sources", ()), *changed.get("sources", ()), *([origin] if fields else ())]
    return {**known, "inferred": still, **new, "sources": sources}


def read_price(entry: Entry, known: Sequence[str]) -> Price:
    """Return a price of the workshop. Raises BadInput, also for a part that is not known."""
    try:
        price = Price.model_validate(entry.facts)
    except ValidationError as problem:
        keys, sentence, others = likeliest_problem(problem, Price)
        raise entry.refused(keys, sentence, others) from problem
    if price.part not in known:
        raise entry.refused(["part"], unknown_id("part", price.part, known).text)
    return price
