"""The findings, gravest first: word, message, why, and the change that mends it in one click."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from configurator.domain.finding import Finding, Findings, Place
from configurator.domain.message import message
from configurator.gui.pieces import badge, card, held, label, link, mark
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
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame, self._column = card()
        outer.addWidget(frame)
        line = QHBoxLayout()
        line.addWidget(label(say("Checks of the machine"), "heading"), 1)
        self._counts = {severity: badge("", tone) for severity, (_, tone) in SEVERITIES.items()}
        for count in self._counts.values():
            line.addWidget(count)
        self._column.addLayout(line)
        self._list = QVBoxLayout()
        self._list.setSpacing(2 * GRID)
        self._rows: dict[tuple[str, int], _Row] = {}
        self._column.addLayout(self._list)
        self._fold = link("", self._folded)
        self._column.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignLeft)

    def show_findings(self, findings: Findings) -> None:
        """Show what was found; what is met stays folded until it is asked for.

        A row is made once for each check and then only says something else: new widgets, and words that
        wander from row to row, would cost many frames.
        """
        self._findings = findings
        shown = [
            one
            for severity in SEVERITIES
            for one in findings.findings
            if one.severity == severity and (severity != "ok" or self._open)
        ]
        with held(self._column):
            rows = self._matched(shown)
            for row in self._rows.values():
                row.setVisible(row in rows)
            for place, row in enumerate(rows):
                if self._list.indexOf(row) != place:
                    self._list.insertWidget(place, row)
            self._write_counts()

    def _matched(self, shown: Sequence[Finding]) -> list[_Row]:
        """Return a row for each finding, in their order, with its words."""
        rows: list[_Row] = []
        for one in shown:
            key = (one.id, sum(row.id == one.id for row in rows))
            if key not in self._rows:
                self._rows[key] = _Row(one.id, self._say, self._mended)
            rows.append(self._rows[key])
            rows[-1].write(one)
        return rows

    def _write_counts(self) -> None:
        for severity, shown in self._counts.items():
            count = sum(one.severity == severity for one in self._findings.findings)
            shown.setText(f"{self._say(SEVERITIES[severity][0])}: {count}")
            shown.setVisible(bool(count))
            if severity == "ok":
                self._fold.setVisible(bool(count))
        text = self._say("hide what is met") if self._open else self._say("show what is met")
        self._fold.setText(text)
        self._fold.setAccessibleName(text)

    def _folded(self) -> None:
        self._open = not self._open
        self.show_findings(self._findings)


def _table(drawing: Iterable[Place], say: Say) -> str:
    """Return the drawing as the small table that a label can show."""
    rows = (
        "".join(f"<td style='padding-right: {GRID}px'>{escape(cell)}</td>" for cell in line)
        for line in lines(drawing, say)
    )
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class _Row(QWidget):
    """One finding: its severity, its words, and the button that mends it."""

    def __init__(self, id: str, say: Say, mended: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self.id, self._say = id, say
        self._finding: Finding | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID)
        self._badge = badge("", "ok")
        place = QWidget()
        place.setMinimumWidth(_widest(say))
        column = QVBoxLayout(place)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._badge)
        column.addStretch(1)
        row.addWidget(place)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        self._message, self._why = label("", "strong", wrap=True), label("", "note", wrap=True)
        self._drawing, self._advice = label("", "note"), label("", "note", wrap=True)
        self._drawing.setTextFormat(Qt.TextFormat.RichText)
        for text in (self._message, self._why, self._drawing, self._advice):
            texts.addWidget(text)
        row.addLayout(texts, 1)
        self._button = link("", lambda: mended(self._change))
        row.addWidget(self._button, 0, Qt.AlignmentFlag.AlignTop)

    @property
    def _change(self) -> dict[str, Any]:
        return (self._finding.change if self._finding else None) or {}

    def write(self, one: Finding) -> None:
        """Put a finding in."""
        if one == self._finding:
            return
        self._finding = one
        word, tone = SEVERITIES[one.severity]
        self._badge.setText(self._say(word))
        mark(self._badge, tone=tone)
        self._message.setText(self._say(one.message))
        self._why.setText(self._say(one.why))
        self._drawing.setVisible(bool(one.drawing))
        if one.drawing:
            self._drawing.setText(_table(one.drawing, self._say))
        self._advice.setVisible(one.fix is not None and one.change is None)
        self._button.setVisible(one.fix is not None and one.change is not None)
        if one.fix is None:
            return
        self._advice.setText(self._say(message("Way out: {fix}", fix=one.fix)))
        fix = self._say(one.fix)
        self._button.setText(fix if len(fix) <= _SHORT else self._say("apply"))
        self._button.setToolTip(fix)
        self._button.setAccessibleName(self._say(message("Apply: {fix}", fix=one.fix)))


def _widest(say: Say) -> int:
    """Return the width in pixels that the longest word of a severity takes."""
    words = [badge(say(word), tone) for word, tone in SEVERITIES.values()]
    for one in words:
        one.ensurePolished()
    return max(one.sizeHint().width() for one in words)
