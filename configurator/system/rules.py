"""Thresholds of the checks with their sources."""

from __future__ import annotations

from configurator.catalog.loading import read_table


def rule(name: str) -> float:
    """Return the value of a rule."""
    return float(str(read_table("rules")["rules"][name]["value"]))


def source(name: str) -> str:
    """Return where a rule comes from."""
    return str(read_table("rules")["rules"][name]["source"])
