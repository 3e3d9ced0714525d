"""The form in the middle: one row per declared question of the step that is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from configurator.advice.answer import Answer
from configurator.catalog.catalog import Catalog
from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.gui.asking import assumed_value
from configurator.gui.fields import Box, Chips, Search, part_of, price, required, whole
from configurator.gui.flow import Step, is_assumed
from configurator.gui.pieces import card, cleared, label
from configurator.gui.question import Choice, Question
from configurator.gui.style import GRID
from configurator.texts import Say

Field = Chips | Box
YES_NO = (Choice(True, "yes"), Choice(False, "no"))
_READERS: dict[str, Callable[[str], Any]] = {"number": whole, "decimal": part_of, "text": str}


class Form(QWidget):
    """Shows a step of a project; tells `answered(question, value)` what the user says."""

    def __init__(self, say: Say, catalog: Catalog, answered: Callable[[Question, Any], None]) -> None:
        super().__init__()
        self._say, self._catalog, self._answered = say, catalog, answered
        self.fields: dict[str, Field] = {}
        self._built: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, 2 * GRID, GRID, 2 * GRID)
        frame, self._card = card()
        column.addWidget(frame)
        column.addStretch(1)
        self._title = label("", "heading")
        self._card.addWidget(self._title)
        self._rows = QGridLayout()
        self._rows.setColumnMinimumWidth(0, 18 * GRID)
        self._rows.setColumnStretch(1, 1)
        self._rows.setHorizontalSpacing(GRID)
        self._rows.setVerticalSpacing(GRID)
        self._card.addLayout(self._rows)
        self._hint = label(
            say("Dashed: assumed by the program. An answer takes its place."), "note", wrap=True
        )
        self._card.addWidget(self._hint)

    def show_step(self, step: Step, project: Project, answer: Answer | None) -> None:
        """Show the questions of a step; rows stay where they are while the questions stay the same."""
        asked = step.asked(project)
        choices = {one.path: self._choices(one, project) for one in asked}
        built = (step.id, tuple(choices.items()))
        if built != self._built:
            self._built = built
            self._rebuild(step, asked, choices)
        guesses = 0
        for question in asked:
            guessed = answer is not None and is_assumed(question, project, answer)
            assumed = assumed_value(question, project, answer) if guessed and answer else None
            guesses += assumed is not None
            value = question.answer_in(project)
            self.fields[question.path].show_value(None if value == "" else value, assumed)
        self._hint.setVisible(bool(guesses))

    def _rebuild(
        self, step: Step, asked: tuple[Question, ...], choices: dict[str, tuple[Choice, ...]]
    ) -> None:
        self._title.setText(self._say(step.title))
        cleared(self._rows)
        self.fields = {}
        for question in asked:
            self._add_row(question, choices[question.path])

    def _choices(self, question: Question, project: Project) -> tuple[Choice, ...]:
        if question.kind == "bool":
            return YES_NO
        return question.choices(project, self._catalog) if question.choices else ()

    def _add_row(self, question: Question, choices: tuple[Choice, ...]) -> None:
        """Add label, field, unit and help of one question, bound together for keyboard and reader."""
        field = self._field(question, choices)
        field.answered.connect(lambda value: self._answered(question, value))
        name = label(self._say(question.label), tone="muted", wrap=True)
        name.setMinimumHeight(4 * GRID)
        name.setBuddy(field)
        field.setAccessibleName(self._say(question.label))
        field.setAccessibleDescription(self._say(question.help))
        if isinstance(field, Box):
            field.edit.setAccessibleName(self._say(question.label))
            field.edit.setAccessibleDescription(self._say(question.help))
        row = self._rows.rowCount()
        self._rows.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(field, row, 1)
        if question.help:
            self._rows.addWidget(self._help(question), row + 1, 1)
        self.fields[question.path] = field

    def _amount(self, value: Any) -> str:
        return self._say(message("{amount:2}", amount=value))

    def _help(self, question: Question) -> QLabel:
        return label(self._say(question.help), "note", wrap=True)

    def _field(self, question: Question, choices: tuple[Choice, ...]) -> Field:
        assumed = self._say("assumed")
        if question.kind in ("chips", "bool"):
            return Chips(choices, self._say, question.optional)
        if question.kind == "search":
            return Search(choices, self._say("search"), assumed)
        if question.path.endswith("unit_price"):
            return Box(self._say(question.unit), assumed, price, self._amount)
        reader = _READERS[question.kind]
        if not question.optional:
            reader = required(reader)
        return Box(self._say(question.unit), assumed, reader)
