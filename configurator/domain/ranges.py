"""Low, likely and high: how the program says how sure it is."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import Protocol, Self

from pydantic import model_validator

from configurator.domain.base import Word


class Range(Word):
    """An estimate; `low..high` is meant to hold the real value nine times in ten."""

    low: float
    likely: float
    high: float

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not self.low <= self.likely <= self.high:
            raise ValueError(f"low <= likely <= high does not hold: {self.low}, {self.likely}, {self.high}")
        return self

    def scaled(self, factor: float) -> Range:
        """Return the range times a factor that is not negative."""
        return Range(low=self.low * factor, likely=self.likely * factor, high=self.high * factor)


class Bytes(Word):
    """A size in bytes with its range, whole bytes."""

    low: int
    likely: int
    high: int


def exact(size: float) -> Bytes:
    """Return a size that is arithmetic, not evidence: no spread."""
    whole = round(size)
    return Bytes(low=whole, likely=whole, high=whole)


def spread(size: float, factor: Range) -> Bytes:
    """Return a size times an evidence factor."""
    return Bytes(
        low=round(size * factor.low), likely=round(size * factor.likely), high=round(size * factor.high)
    )


class Spread(Protocol):
    """Anything with a low, a likely and a high size."""

    @property
    def low(self) -> int:
        """Low end in bytes."""
        ...

    @property
    def likely(self) -> int:
        """Likely size in bytes."""
        ...

    @property
    def high(self) -> int:
        """High end in bytes."""
        ...


def combined(sizes: Iterable[Spread]) -> Bytes:
    """Add sizes whose errors are independent: likely values add up, spreads add as squares.

    Squares because nine in ten of a sum of independent parts lie closer than the sum of their
    bounds; adding the bounds would make every total look worse than it is.
    """
    low = high = 0.0
    likely = 0
    for size in sizes:
        likely += size.likely
        low += (size.likely - size.low) ** 2
        high += (size.high - size.likely) ** 2
    return Bytes(low=max(0, round(likely - sqrt(low))), likely=likely, high=round(likely + sqrt(high)))
