"""The figures the customer asks for next: price, memory of the host, drives, speed where it is known."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from configurator.advice.answer import Answer
from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.gui.pieces import card, cleared, label
from configurator.gui.style import GRID
from configurator.quote.money import totals
from configurator.quote.outlook import speeds
from configurator.texts import money, say_in


class FiguresRow(QWidget):
    """Cards side by side, each a label, a figure and a note."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language, self._say = language, say_in(language)
        self._cards: list[tuple[QLabel, QLabel, QLabel]] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2 * GRID)

    def show_figures(self, project: Project, answer: Answer | None) -> None:
        """Show the price, and what is known of the answer."""
        figures = [(self._say("Price, net"), *self._price(project))]
        if answer is not None:
            figures += self._known(answer)
        if len(figures) != len(self._cards):
            cleared(self._row)
            self._cards = [self._card() for _ in figures]
            self._row.addStretch(2 if answer is None else 0)
        for labels, texts in zip(self._cards, figures, strict=True):
            for shown, text in zip(labels, texts, strict=True):
                shown.setText(text)

    def _known(self, answer: Answer) -> Iterator[tuple[str, str, str]]:
        host = answer.estimate.host
        for name, size in ((self._say("RAM needed"), host.ram), (self._say("Space on drives"), host.disk)):
            figure = self._say(message("{size:gb}", size=size.likely))
            yield name, figure, self._say(message("up to {size:gb}", size=size.high))
        for tile in speeds(answer.estimate, self._say)[:1]:
            yield tile.label, tile.value, ""

    def _price(self, project: Project) -> tuple[str, str]:
        """Return the sum, and how many prices are missing: a missing price is a question, never zero."""
        sums = totals(project)
        if not project.lines:
            return f"— {project.currency}", self._say("no items yet")
        figure = money(sums.net, project.currency, self._language) if sums.priced else f"— {project.currency}"
        if not sums.missing:
            return figure, self._say("all prices known")
        if sums.missing == 1:
            return figure, self._say("1 price missing")
        return figure, self._say(message("{n} prices missing", n=sums.missing))

    def _card(self) -> tuple[QLabel, QLabel, QLabel]:
        frame, column = card()
        column.setSpacing(2)
        labels = (label("", "note", wrap=True), label("", "title"), label("", "note", wrap=True))
        for one in labels:
            column.addWidget(one)
        self._row.addWidget(frame, 1)
        return labels
