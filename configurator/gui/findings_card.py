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
        self._written: object = None
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        frame, self._column = card()
        outer.addWidget(frame)

    def show_findings(self, findings: Findings) -> None:
        """Show what was found; what is met stays folded until it is asked for."""
        shown = self._shown(findings)
        texts = (self._open, self._counts(findings), tuple(self._texts(one) for one in shown))
        if texts == self._written:
            return
        self._written, self._findings = texts, findings
        cleared(self._column)
        self._column.addLayout(self._head())
        rows = QGridLayout()
        rows.setHorizontalSpacing(2 * GRID)
        rows.setVerticalSpacing(2 * GRID)
        rows.setColumnStretch(1, 1)
        for place, finding in enumerate(shown):
            self._add(rows, place, finding)
        self._column.addLayout(rows)
        if any(one.severity == "ok" for one in findings.findings):
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

    def _texts(self, one: Finding) -> tuple[object, ...]:
        """Return all that a row says and does: equal rows need not be built anew."""
        fix = self._say(one.fix) if one.fix else ""
        return one.severity, self._say(one.message), self._say(one.why), fix, str(one.change)

    def _head(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.addWidget(label(self._say("Checks of the machine"), "heading"), 1)
        for (word, tone), count in zip(SEVERITIES.values(), self._counts(self._findings), strict=True):
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
