"""Work that follows the picture: it begins when typing pauses, runs in slices, and the next edit drops it."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer

from configurator.advice.steps import Steps

T = TypeVar("T")

_PAUSE = 150
"""Milliseconds without an edit after which the work begins."""
_SLICE = 0.006
"""Seconds of work between two looks at what the user does."""


class Later(QObject):
    """Holds at most one piece of work."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Steps[Any] | None = None
        self._done: Callable[[Any], None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._work(_SLICE))

    def begin(self, steps: Steps[T], done: Callable[[T], None]) -> None:
        """Take up new work in place of the old; `done` receives its result."""
        self._steps, self._done = steps, done
        self._timer.start(_PAUSE)

    def drop(self) -> None:
        """Give up the work."""
        self._steps = None
        self._timer.stop()

    def finish(self) -> None:
        """Do all that is left now."""
        self._work(inf)

    def _work(self, seconds: float) -> None:
        end = monotonic() + seconds
        while self._steps is not None:
            try:
                next(self._steps)
            except StopIteration as result:
                self.drop()
                if self._done is not None:
                    self._done(result.value)
                return
            if monotonic() > end:
                self._timer.start(0)
                return
