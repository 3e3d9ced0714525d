"""The working part of the window: steps, form and result, shown anew after every change."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from configurator.advice.answer import Answer, advising
from configurator.advice.together import parts, with_others
from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.message import Message
from configurator.gui.arrangement import Kind, added, copied, removed
from configurator.gui.asking import Ask
from configurator.gui.document import Document
from configurator.gui.edit import with_change, with_values
from configurator.gui.figures_row import FiguresRow
from configurator.gui.findings_card import FindingsCard
from configurator.gui.flow import Step
from configurator.gui.form import Form
from configurator.gui.later import Later
from configurator.gui.look import Look
from configurator.gui.memory_card import MemoryCard
from configurator.gui.pieces import label, scrolling
from configurator.gui.question import MACHINE, Question
from configurator.gui.rail import Rail
from configurator.gui.remedies_card import RemediesCard
from configurator.gui.strip import Strip
from configurator.gui.style import GRID
from configurator.texts import say_in

_TYPED = ("text", "number", "decimal")


class Workspace(QWidget):
    """Reads the document, asks the engine, shows both. Holds nothing that the document does not."""

    def __init__(self, document: Document, catalog: Catalog, ask: Ask, look: Look, step: Step) -> None:
        super().__init__()
        self._document, self._catalog, self._ask = document, catalog, ask
        self._say = say_in(look.language)
        self.step = step
        self.answer: Answer | None = None
        self.rail = Rail(self._say, self.go_to)
        self.form = Form(self._say, catalog, self._answered)
        self.memory = MemoryCard(look)
        self.remedies = RemediesCard(self._say, self._apply)
        self.later = Later(self)
        self._case: Case | None = None
        self._problem: Message | None = None
        self.findings = FindingsCard(self._say, self._mend)
        self.figures = FiguresRow(look.language)
        self._scope = label("", "note", wrap=True)
        self.strip = Strip(self._say, self._look_at, self.arrange, self._time)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        desk = QVBoxLayout()
        desk.setSpacing(0)
        desk.addWidget(self.strip)
        self.panes = QSplitter()
        self.panes.setChildrenCollapsible(False)
        for stretch, pane in ((9, self.form), (11, self._result())):
            self.panes.addWidget(scrolling(pane))
            self.panes.setStretchFactor(self.panes.count() - 1, stretch)
        # Without a size of its own a pane asks for what its content would like.
        self.panes.setSizes([900, 1100])
        desk.addWidget(self.panes, 1)
        row.addLayout(desk, 1)
        document.changed.connect(self.refresh)
        self.refresh()

    def _result(self) -> QWidget:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        for part in (self._scope, self.memory, self.remedies, self.findings, self.figures):
            column.addWidget(part)
        column.addStretch(1)
        return right

    def go_to(self, step: Step) -> None:
        """Open a step."""
        self.step = step
        self.refresh()

    def refresh(self) -> None:
        """Ask the engine where the case is another one, and show everything anew."""
        project = self._document.seen
        self._ask_if_new()
        self._scope.setVisible(False)
        self.form.show_step(self.step, project, self.answer)
        self.rail.show_states(self.step, project, self.answer)
        if self.answer is not None:
            self.memory.show_answer(self.answer)
            self.findings.show_findings(self.answer.findings)
        elif self._problem is not None:
            self.memory.show_problem(self._say(self._problem))
        self.findings.setVisible(self.answer is not None)
        self.figures.show_figures(project, self.answer)

    def _ask_if_new(self) -> None:
        """Ask the engine anew where workloads or machine are other ones."""
        project, focus = self._document.project, self._document.focus
        self.strip.show_project(project, focus, parts(project, focus.machine, self._catalog), self._catalog)
        try:
            case = with_others(project, focus.workload, focus.machine, self._catalog)
        except BadInput as refused:
            self._case = None
            self._cannot(refused)
            return
        if case != self._case:
            self._case = case
            self._ask_about(case)

    def _cannot(self, refused: BadInput) -> None:
        self.later.drop()
        self.answer, self._problem = None, refused.text
        self.remedies.wait(False)

    def _ask_about(self, case: Case) -> None:
        """Ask the engine; limits and remedies follow when the user pauses."""
        self.later.drop()
        try:
            self.answer, self._problem = self._ask(case, self._catalog), None
        except BadInput as refused:
            self._cannot(refused)
            return
        self.remedies.wait(self.answer.estimate.verdict != "fits")
        self.later.begin(advising(case, self.answer, self._catalog), self._advise)

    def _advise(self, answer: Answer) -> None:
        self.answer = answer
        self.memory.show_limits(answer)
        self.remedies.show_remedies(answer.estimate.remedies, answer.estimate.verdict != "fits")

    def _look_at(self, kind: Kind, place: int) -> None:
        self._document.look_at(replace(self._document.focus, **{kind: place}))

    def arrange(self, kind: Kind, deed: str) -> None:
        """Add, copy or remove a workload or a machine."""
        project, focus = self._document.project, self._document.focus
        match deed:
            case "add":
                self._document.arrange(*added(project, focus, kind, self._say))
            case "copy":
                self._document.arrange(*copied(project, focus, kind, self._say))
            case "remove":
                self._document.arrange(*removed(project, focus, kind))

    def _time(self, together: bool) -> None:
        self._document.swap(self._document.project.model_copy(update={"together": together}))

    def _answered(self, question: Question, value: Any) -> None:
        try:
            project = question.answered(self._document.seen, value, self._catalog)
        except BadInput as refused:
            # The document stays as it is; the sentence stands until the next answer.
            self._refuse(refused)
            return
        self._document.swap_seen(project, question.path if question.kind in _TYPED else None)

    def _mend(self, change: dict[str, Any]) -> None:
        try:
            project = with_values(self._document.seen, MACHINE, change)
        except BadInput as refused:
            self._refuse(refused)
            return
        self._document.swap_seen(project)

    def _apply(self, change: dict[str, Any]) -> None:
        try:
            project = with_change(self._document.seen, change)
        except BadInput as refused:
            self._refuse(refused)
            return
        self._document.swap_seen(project)

    def _refuse(self, refused: BadInput) -> None:
        self._scope.setText(self._say(refused.text))
        self._scope.setVisible(True)
