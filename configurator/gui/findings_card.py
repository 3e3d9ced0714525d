"""The findings, gravest first: word, message, why, and the change that mends it in one click."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from configurator.domain.finding import Finding, Findings, Place
from configurator.domain.message import message
from configurator.gui.pieces import badge, card, cleared, label, link
from configurator.gui.style import GRID
from configurator.quote.drawing import lines
from configurator.quote.words import SEVERITIES
from configurator.texts import Say

_SHORT = 28
"""Letters up to which a fix stands on its button in full."""


class FindingsCard(QWidget):
    """Tells `mended(change)` which new values of the machine the user accepts."""

    def __init__(self, say: Say, mended: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._say, self._mended, self._open = say, mended, False
        self._findings = Findings(findings=())
        self._built: object = None
        self._rows: list[_Row] = []
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame, self._column = card()
        outer.addWidget(frame)

    def show_findings(self, findings: Findings) -> None:
        """Show what was found; what is met stays folded until it is asked for.

        Rows stay where they are while the same kinds of findings stand there: only their words change.
        """
        self._findings = findings
        shown = self._shown(findings)
        built = (self._open, self._counts(findings), tuple(_structure(one) for one in shown))
        if built != self._built:
            self._built = built
            self._rebuild(shown)
        for row, finding in zip(self._rows, shown, strict=True):
            row.write(finding)

    def _rebuild(self, shown: list[Finding]) -> None:
        cleared(self._column)
        self._column.addLayout(self._head())
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(2 * GRID)
        grid.setColumnStretch(1, 1)
        self._rows = [_Row(grid, place, one, self._say, self._mended) for place, one in enumerate(shown)]
        self._column.addLayout(grid)
        if any(one.severity == "ok" for one in self._findings.findings):
            text = self._say("hide what is met") if self._open else self._say("show what is met")
            self._column.addWidget(link(text, self._fold), 0, Qt.AlignmentFlag.AlignLeft)

    def _shown(self, findings: Findings) -> list[Finding]:
        return [
            one
            for severity in SEVERITIES
            for one in findings.findings
            if one.severity == severity and (severity != "ok" or self._open)
        ]

    def _counts(self, findings: Findings) -> tuple[int, ...]:
        return tuple(sum(one.severity == severity for one in findings.findings) for severity in SEVERITIES)

    def _head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.addWidget(label(self._say("Checks of the machine"), "heading"), 1)
        for (word, tone), count in zip(SEVERITIES.values(), self._counts(self._findings), strict=True):
            if count:
                line.addWidget(badge(f"{self._say(word)}: {count}", tone))
        return line

    def _fold(self) -> None:
        self._open = not self._open
        self.show_findings(self._findings)


def _structure(one: Finding) -> tuple[object, ...]:
    """Return what decides which widgets a row has."""
    return one.severity, one.fix is None, one.change is None, one.drawing is None


def _table(drawing: Iterable[Place], say: Say) -> str:
    """Return the drawing as the small table that a label can show."""
    rows = (
        "".join(f"<td style='padding-right: {GRID}px'>{escape(cell)}</td>" for cell in line)
        for line in lines(drawing, say)
    )
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class _Row:
    """The widgets of one finding."""

    def __init__(
        self, grid: QGridLayout, place: int, one: Finding, say: Say, mended: Callable[[dict[str, Any]], None]
    ) -> None:
        self._say, self._change = say, one.change
        word, tone = SEVERITIES[one.severity]
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(badge(say(word), tone), place, 0, top)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        self._message, self._why = label("", "strong", wrap=True), label("", "note", wrap=True)
        texts.addWidget(self._message)
        texts.addWidget(self._why)
        self._drawing: QLabel | None = None
        if one.drawing:
            self._drawing = label("", "note")
            self._drawing.setTextFormat(Qt.TextFormat.RichText)
            texts.addWidget(self._drawing)
        self._advice: QLabel | None = None
        self._button: QPushButton | None = None
        if one.fix and one.change is None:
            self._advice = label("", "note", wrap=True)
            texts.addWidget(self._advice)
        elif one.fix:
            self._button = link("", lambda: mended(self._change or {}))
            grid.addWidget(self._button, place, 2, top | Qt.AlignmentFlag.AlignRight)
        grid.addLayout(texts, place, 1)

    def write(self, one: Finding) -> None:
        """Put the words of a finding of the same structure in."""
        self._change = one.change
        self._message.setText(self._say(one.message))
        self._why.setText(self._say(one.why))
        if self._drawing is not None and one.drawing:
            self._drawing.setText(_table(one.drawing, self._say))
        if self._advice is not None and one.fix:
            self._advice.setText(self._say(message("Way out: {fix}", fix=one.fix)))
        if self._button is not None and one.fix:
            fix = self._say(one.fix)
            self._button.setText(fix if len(fix) <= _SHORT else self._say("apply"))
            self._button.setToolTip(fix)
            self._button.setAccessibleName(self._say(message("Apply: {fix}", fix=one.fix)))
