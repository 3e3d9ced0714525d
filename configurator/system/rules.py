"""Thresholds of the checks with their sources."""

from __future__ import annotations

from functools import lru_cache

import yaml

from configurator.catalog.places import CATALOGS


@lru_cache(maxsize=1)
def _rules() -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = yaml.load(
        (CATALOGS / "rules.yaml").read_bytes(), Loader=yaml.CSafeLoader
    )["rules"]
    return table


def rule(name: str) -> float:
    """Return the value of a rule."""
    return float(str(_rules()[name]["value"]))


def source(name: str) -> str:
    """Return where a rule comes from."""
    return str(_rules()[name]["source"])
