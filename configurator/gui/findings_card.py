"""The findings, gravest first: word, message, why, and the change that mends it in one click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from configurator.domain.finding import Finding, Findings
from configurator.domain.message import message
from configurator.gui.pieces import badge, card, cleared, label, link
from configurator.gui.style import GRID
from configurator.quote.words import SEVERITIES
from configurator.texts import Say


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

    def show_findings(self, findings: Findings) -> None:
        """Show what was found; what is met stays folded until it is asked for."""
        self._findings = findings
        cleared(self._column)
        self._column.addLayout(self._head())
        rows = QGridLayout()
        rows.setHorizontalSpacing(2 * GRID)
        rows.setVerticalSpacing(2 * GRID)
        rows.setColumnStretch(1, 1)
        shown = [
            one
            for severity in SEVERITIES
            for one in findings.findings
            if one.severity == severity and (severity != "ok" or self._open)
        ]
        for place, finding in enumerate(shown):
            self._add(rows, place, finding)
        self._column.addLayout(rows)
        if any(one.severity == "ok" for one in findings.findings):
            text = self._say("hide what is met") if self._open else self._say("show what is met")
            self._column.addWidget(link(text, self._fold), 0, Qt.AlignmentFlag.AlignLeft)

    def _head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.addWidget(label(self._say("Checks of the machine"), "heading"), 1)
        for severity, (word, tone) in SEVERITIES.items():
            count = sum(one.severity == severity for one in self._findings.findings)
            if count:
                line.addWidget(badge(f"{count} {self._say(word)}", tone))
        return line

    def _add(self, rows: QGridLayout, place: int, finding: Finding) -> None:
        word, tone = SEVERITIES[finding.severity]
        top = Qt.AlignmentFlag.AlignTop
        rows.addWidget(badge(self._say(word), tone), place, 0, top)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(label(self._say(finding.message), "strong", wrap=True))
        texts.addWidget(label(self._say(finding.why), "note", wrap=True))
        if finding.fix and finding.change is None:
            advice = message("Way out: {fix}", fix=finding.fix)
            texts.addWidget(label(self._say(advice), "note", wrap=True))
        rows.addLayout(texts, place, 1)
        if finding.fix and finding.change is not None:
            change = finding.change
            fix = self._say(finding.fix)
            text = fix if len(fix) <= 28 else self._say("apply")
            button = link(text, lambda: self._mended(change))
            button.setToolTip(fix)
            button.setAccessibleName(self._say(message("Apply: {fix}", fix=finding.fix)))
            rows.addWidget(button, place, 2, top | Qt.AlignmentFlag.AlignRight)

    def _fold(self) -> None:
        self._open = not self._open
        self.show_findings(self._findings)
