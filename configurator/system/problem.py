"""One check that can go wrong in several ways: the gravest one is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from configurator.domain.finding import SEVERITIES, Finding, Severity
from configurator.domain.message import Message


@dataclass(frozen=True, slots=True)
class Problem:
    """What one look found: how grave it is, why, and the way out."""

    severity: Severity
    message: Message
    why: Message
    source: str
    fix: Message | None = None
    change: dict[str, Any] | None = None


def gravest(
    id: str, found: Iterable[Problem], numbers: Mapping[str, float | int], device: str | None = None
) -> Finding:
    """Return the gravest of the problems as the finding of a check; of two equally grave the first."""
    told = max(found, key=lambda problem: SEVERITIES.index(problem.severity))
    return Finding(
        id=id,
        severity=told.severity,
        device=device,
        message=told.message,
        numbers=dict(numbers),
        why=told.why,
        source=told.source,
        fix=told.fix,
        change=told.change,
    )
