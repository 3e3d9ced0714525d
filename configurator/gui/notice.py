"""A quiet line under the bar: what happened, and what can be done about it. It stays until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QFrame, QHBoxLayout

from configurator.gui.pieces import cleared, label, link
from configurator.gui.style import GRID
from configurator.texts import Say


class Notice(QFrame):
    """Hidden while there is nothing to say."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._say = say
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2 * GRID + 4, GRID // 2, 2 * GRID, GRID // 2)
        self._row.setSpacing(2 * GRID)
        self.hide()

    def show_notice(self, text: str, *answers: tuple[str, Callable[[], object]]) -> None:
        """Say something, with buttons that answer it and one that puts it away."""
        cleared(self._row)
        self._row.addWidget(label(text, wrap=True), 1)
        for name, act in answers:
            self._row.addWidget(link(name, partial(self._answer, act)))
        self._row.addWidget(link(self._say("Close"), self.hide))
        self.show()

    def _answer(self, act: Callable[[], object]) -> None:
        self.hide()
        act()
