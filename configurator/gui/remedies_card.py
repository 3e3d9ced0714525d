"""What turns a "no" into a "yes": changes, what they bring and cost, each applied with one click."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from configurator.domain.ledger import Remedy
from configurator.domain.message import message
from configurator.gui.pieces import badge, card, cleared, label, link
from configurator.gui.style import GRID
from configurator.quote.words import VERDICTS
from configurator.texts import Say

_FEW = 4
"""Changes that stand there before one asks for more."""


class RemediesCard(QWidget):
    """Tells `applied(change)` which change of the case the user accepts."""

    def __init__(self, say: Say, applied: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._say, self._applied, self._open = say, applied, False
        self._remedies: Sequence[Remedy] | None = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame, self._column = card()
        outer.addWidget(frame)
        self.setVisible(False)

    def show_remedies(self, remedies: Sequence[Remedy], needed: bool) -> None:
        """Show the changes, or that there are none; where none is needed the card goes."""
        if remedies != self._remedies:
            self._remedies = remedies
            self._rebuild()
        self.setEnabled(True)
        self.setVisible(needed)

    def wait(self, needed: bool) -> None:
        """Keep the former changes in sight, but out of reach, until the new ones are known."""
        self.setEnabled(False)
        self.setVisible(needed and not self.isHidden())

    def _rebuild(self) -> None:
        cleared(self._column)
        remedies = self._remedies or ()
        self._column.addWidget(label(self._say("What makes it fit"), "heading"))
        if not remedies:
            none = self._say(
                "Neither one change nor two suffice: another model or another class of machine does."
            )
            self._column.addWidget(label(none, tone="muted", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnStretch(0, 1)
        foldable = len(remedies) > _FEW + 1
        shown = remedies[:_FEW] if foldable and not self._open else remedies
        for place, one in enumerate(shown):
            self._add_row(grid, place, one)
        self._column.addLayout(grid)
        if foldable:
            more = message("show {n} more", n=len(remedies) - _FEW)
            text = self._say("show fewer") if self._open else self._say(more)
            self._column.addWidget(link(text, self._fold), 0, Qt.AlignmentFlag.AlignLeft)

    def _add_row(self, grid: QGridLayout, place: int, one: Remedy) -> None:
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        action = self._say(one.action)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label(_capital(action), "strong", wrap=True))
        texts.addWidget(label(_capital(self._say(one.price)), "note", wrap=True))
        grid.addLayout(texts, place, 0)
        if one.verdict != "fits":
            word, tone = VERDICTS[one.verdict]
            grid.addWidget(badge(self._say(word), tone), place, 1, middle)
        if one.saves:
            saved = self._say(message("−{size:gib}", size=one.saves))
            grid.addWidget(
                label(saved, tone="ok" if one.verdict == "fits" else "muted"), place, 2, middle | right
            )
        button = link(self._say("apply"), lambda: self._applied(one.change))
        button.setToolTip(self._say(one.why))
        button.setAccessibleName(self._say(message("Apply: {fix}", fix=one.action)))
        grid.addWidget(button, place, 3, middle | right)

    def _fold(self) -> None:
        self._open = not self._open
        self._rebuild()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
