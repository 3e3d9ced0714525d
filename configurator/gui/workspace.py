"""The working part of the window: steps, form and result, shown anew after every change."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from configurator.advice.answer import Answer, advising
from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message
from configurator.gui.asking import Ask, case_of
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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(scrolling(self.form), 9)
        row.addWidget(scrolling(self._result()), 11)
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
        project = self._document.project
        case = case_of(project)
        if case != self._case:
            self._case = case
            self._ask_about(case)
        self.form.show_step(self.step, project, self.answer)
        self.rail.show_states(self.step, project, self.answer)
        if self.answer is not None:
            self.memory.show_answer(self.answer)
            self.findings.show_findings(self.answer.findings)
        elif self._problem is not None:
            self.memory.show_problem(self._say(self._problem))
        self.findings.setVisible(self.answer is not None)
        self.figures.show_figures(project, self.answer)
        self._show_scope()

    def _ask_about(self, case: Case) -> None:
        """Ask the engine; limits and remedies follow when the user pauses."""
        self.later.drop()
        try:
            self.answer, self._problem = self._ask(case, self._catalog), None
        except BadInput as refused:
            self.answer, self._problem = None, refused.text
            self.remedies.wait(False)
            return
        self.remedies.wait(self.answer.estimate.verdict != "fits")
        self.later.begin(advising(case, self.answer, self._catalog), self._advise)

    def _advise(self, answer: Answer) -> None:
        self.answer = answer
        self.memory.show_limits(answer)
        self.remedies.show_remedies(answer.estimate.remedies, answer.estimate.verdict != "fits")

    def _show_scope(self) -> None:
        """Say so where the project holds more than is shown here."""
        project = self._document.project
        works, machines = len(project.workloads), len(project.machines)
        text = message(
            "Shown: workload 1 of {works} on machine 1 of {machines}; the quote holds them all.",
            works=works,
            machines=machines,
        )
        self._scope.setText(self._say(text))
        self._scope.setVisible(works * machines > 1)

    def _answered(self, question: Question, value: Any) -> None:
        try:
            project = question.answered(self._document.project, value, self._catalog)
        except BadInput as refused:
            # The document stays as it is; the sentence stands until the next answer.
            self._refuse(refused)
            return
        self._document.swap(project, question.path if question.kind in _TYPED else None)

    def _mend(self, change: dict[str, Any]) -> None:
        try:
            project = with_values(self._document.project, MACHINE, change)
        except BadInput as refused:
            self._refuse(refused)
            return
        self._document.swap(project)

    def _apply(self, change: dict[str, Any]) -> None:
        try:
            project = with_change(self._document.project, change)
        except BadInput as refused:
            self._refuse(refused)
            return
        self._document.swap(project)

    def _refuse(self, refused: BadInput) -> None:
        self._scope.setText(self._say(refused.text))
        self._scope.setVisible(True)
