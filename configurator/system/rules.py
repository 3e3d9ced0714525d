"""Thresholds of the checks with their sources."""

from __future__ import annotations

from typing import Any

from configurator.catalog.loading import read_table
from configurator.domain.finding import Severity
from configurator.domain.ranges import Range

_SURE = ("high", "medium")


def rule(name: str) -> float:
    """Return the value of a rule."""
    return float(str(_entry(name)["value"]))


def table(name: str) -> Any:
    """Return a rule that is a table: rows with their own figures and sources."""
    return read_table("rules")["tables"][name]


def source(name: str) -> str:
    """Return where a rule comes from."""
    return str(_entry(name)["source"])


def refuses(name: str) -> Severity:
    """Return `error` where the rule is sure enough to refuse a machine, else `warn`."""
    return "error" if _entry(name)["conf"] in _SURE else "warn"


def spread_of(row: Any) -> Range:
    """Return the low, likely and high of a row."""
    return Range(low=float(row["low"]), likely=float(row["likely"]), high=float(row["high"]))


def _entry(name: str) -> Any:
    return read_table("rules")["rules"][name]
