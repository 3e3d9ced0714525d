"""The result of a system check."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from configurator.domain.base import Word
from configurator.domain.message import Text

Severity = Literal["ok", "info", "warn", "error"]
SEVERITIES: tuple[Severity, ...] = ("ok", "info", "warn", "error")


class Place(Word):
    """One line of a drawing: a slot of the board, or a place without one, and the card in it."""

    position: int | None
    """Slot position counted from the processor, 20.32 mm each; absent: not known, or no place."""
    slot: str | None = None
    lanes: int | None = None
    gen: float | None = None
    card: str | None = None
    """Name of the card that covers the place."""
    starts: bool = False
    """Whether the card is plugged in here; else it only covers the place."""
    left_out: bool = False
    """Whether the card finds no place at all."""


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
    drawing: tuple[Place, ...] | None = Field(default=None, exclude_if=lambda value: value is None)
    """Which card sits where, from top to bottom."""
    change: dict[str, Any] | None = Field(default=None, exclude=True)
    """The fix as new values of the machine, keyed by its fields; applied with one click."""


class Findings(Word):
    """The JSON of `check`."""

    format: Literal["findings/1"] = "findings/1"
    findings: tuple[Finding, ...]
