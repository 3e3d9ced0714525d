"""Reading the YAML files of the catalogue: parts strictly, small tables as they are."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter

from configurator.catalog.part import CatalogPart
from configurator.catalog.places import CATALOGS

P = TypeVar("P", bound=CatalogPart)


def read_catalog_file(path: Path) -> Any:
    """Return what one file of the catalogue holds, by the C loader."""
    return yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)


@lru_cache
def read_table(name: str) -> dict[str, Any]:
    """Return a table of constants, `catalogs/<name>.yaml`, read once."""
    table: dict[str, Any] = read_catalog_file(CATALOGS / f"{name}.yaml")
    return table


def read_parts(name: str, kind: type[P]) -> dict[str, P]:
    """Return the parts of `catalogs/<name>.yaml` by id."""
    rows = read_catalog_file(CATALOGS / f"{name}.yaml")[name]
    reader = TypeAdapter(kind)
    return {part.id: part for part in map(reader.validate_python, rows)}
