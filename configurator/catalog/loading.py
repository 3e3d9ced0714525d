"""Reading one YAML file of parts, strictly."""

from __future__ import annotations

from typing import TypeVar

import yaml
from pydantic import TypeAdapter

from configurator.catalog.parts import CatalogPart
from configurator.catalog.places import CATALOGS

P = TypeVar("P", bound=CatalogPart)


def read_parts(name: str, kind: type[P]) -> dict[str, P]:
    """Return the parts of `catalogs/<name>.yaml` by id."""
    rows = yaml.load((CATALOGS / f"{name}.yaml").read_bytes(), Loader=yaml.CSafeLoader)[name]
    reader = TypeAdapter(kind)
    return {part.id: part for part in map(reader.validate_python, rows)}
