"""The steps on the left, each with its state in words; every one can be reached at any time."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from configurator.advice.answer import Answer
from configurator.domain.project import Project
from configurator.gui.flow import STEPS, Step, state_of
from configurator.gui.pieces import label, mark
from configurator.gui.style import GRID
from configurator.texts import Say


class Rail(QFrame):
    """A button per step; tells `chosen(step)` which one is wanted."""

    def __init__(self, say: Say, chosen: Callable[[Step], None]) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setFixedWidth(26 * GRID)
        self._say = say
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, 2 * GRID, GRID, GRID)
        column.setSpacing(GRID // 2)
        self._group = QButtonGroup(self)
        self._lines = []
        for step in STEPS:
            button = QPushButton()
            button.setProperty("kind", "step")
            button.setCheckable(True)
            button.setFixedHeight(4 * GRID)
            button.clicked.connect(lambda _=False, step=step: chosen(step))
            name, state = label(say(step.name)), label("", "note")
            line = QHBoxLayout(button)
            line.setContentsMargins(GRID, 0, GRID, 0)
            for text in (name, state):
                text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            line.addWidget(name, 1)
            line.addWidget(state)
            self._group.addButton(button)
            self._lines.append((step, button, name, state))
            column.addWidget(button)
        column.addStretch(1)

    def show_states(self, current: Step, project: Project, answer: Answer | None) -> None:
        """Show how far every step is, and which one is open."""
        for step, button, name, text in self._lines:
            state = state_of(step, project, answer)
            word = self._say(state.text)
            text.setText(word)
            mark(text, tone=state.tone)
            button.setChecked(step is current)
            mark(name, type="strong" if step is current else "body")
            button.setAccessibleName(f"{self._say(step.name)}: {word}")
