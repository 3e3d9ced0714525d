"""Long work in small steps: a generator that pauses between two predictions and returns its result.

Whoever drives it may do other things at every pause, or drop it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")

Steps = Generator[None, None, T]


def finished(steps: Steps[T]) -> T:
    """Run to the end without a pause and return the result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
