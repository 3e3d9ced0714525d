"""The result of a system check."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from configurator.domain.base import Word
from configurator.domain.message import Text

Severity = Literal["ok", "info", "warn", "error"]
SEVERITIES: tuple[Severity, ...] = ("ok", "info", "warn", "error")


class Finding(Word):
    """One check: what was found, the numbers, why, and what to do."""

    id: str
    severity: Severity
    device: str | None = None
    message: Text
    numbers: dict[str, float | int] = Field(default_factory=dict)
    why: Text
    source: str
    fix: Text | None = None
    change: dict[str, Any] | None = Field(default=None, exclude=True)
    """The fix as new values of the machine, keyed by its fields; applied with one click."""


class Findings(Word):
    """The JSON of `check`."""

    format: Literal["findings/1"] = "findings/1"
    findings: tuple[Finding, ...]
