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
    return {part.id: part for part in TypeAdapter(list[kind]).validate_python(rows)}  # type: ignore[valid-type]
