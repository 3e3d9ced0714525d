"""The line above the form: which workload on which machine is on the desk, and how the others stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from configurator.advice.together import Part
from configurator.catalog.catalog import Catalog
from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.gui.arrangement import Kind
from configurator.gui.flowing import Flowing
from configurator.gui.focus import Focus
from configurator.gui.naming import machine_label
from configurator.gui.pieces import cleared, label, link
from configurator.gui.style import GRID
from configurator.quote.words import VERDICTS
from configurator.texts import Say

_SHORT = 24
"""Letters of a name that stand on a chip; the whole name is its tool tip."""


class Strip(QFrame):
    """Chips for workloads and machines.

    Tells `chosen(kind, place)` what is wanted on the desk, `arranged(kind, deed)` with the deeds `add`,
    `copy` and `remove` what becomes of it, and `timed(together)` whether the workloads run at once.
    """

    def __init__(
        self,
        say: Say,
        chosen: Callable[[Kind, int], None],
        arranged: Callable[[Kind, str], None],
        timed: Callable[[bool], None],
    ) -> None:
        super().__init__()
        self.setObjectName("strip")
        self._say, self._chosen, self._arranged, self._timed = say, chosen, arranged, timed
        self._built: object = None
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * GRID, GRID // 2, 2 * GRID, GRID // 2)
        line = QWidget()
        self._row = Flowing(line, GRID // 2)
        column.addWidget(line)

    def show_project(self, project: Project, focus: Focus, parts: Sequence[Part], catalog: Catalog) -> None:
        """Show all workloads with their verdicts, and all machines."""
        works = [(self._work(one), self._tone(one)) for one in parts]
        machines = [(machine_label(project, place, catalog), "") for place in range(len(project.machines))]
        built = (works, machines, focus, project.together)
        if built == self._built:
            return
        self._built = built
        cleared(self._row)
        row = self._group("workload", self._say("Workload"), works, focus.workload)
        if len(works) > 1:
            self._times(row, project.together)
        self._group("machine", self._say("Machine"), machines, focus.machine)
        self.updateGeometry()

    def _work(self, part: Part) -> str:
        word = self._say(VERDICTS[part.verdict][0]) if part.verdict else self._say("please check")
        decides = self._say("decides")
        return " · ".join([_short(part.name), word, *([decides] if part.decides else [])])

    def _tone(self, part: Part) -> str:
        return VERDICTS[part.verdict][1] if part.verdict else "fail"

    def _group(self, kind: Kind, name: str, chips: Sequence[tuple[str, str]], current: int) -> QHBoxLayout:
        """Add the chips of one kind; they stay together where the line breaks."""
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 2 * GRID, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(label(name, "note"))
        for place, (text, tone) in enumerate(chips):
            row.addWidget(self._chip(kind, place, text, tone, place == current, len(chips)))
        more = {"workload": self._say("+ workload"), "machine": self._say("+ machine")}[kind]
        row.addWidget(link(more, lambda: self._arranged(kind, "add")))
        self._row.addWidget(group)
        return row

    def _chip(self, kind: Kind, place: int, text: str, tone: str, current: bool, count: int) -> QPushButton:
        chip = QPushButton(text)
        chip.setProperty("kind", "tab")
        chip.setProperty("tone", tone)
        chip.setCheckable(True)
        chip.setChecked(current)
        chip.setAccessibleName(text)
        chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chip.customContextMenuRequested.connect(lambda at: self._menu(chip, kind, place, count, at))
        chip.clicked.connect(lambda: self._chosen(kind, place))
        return chip

    def _menu(self, chip: QPushButton, kind: Kind, place: int, count: int, at: QPoint) -> None:
        self._chosen(kind, place)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self._say("Copy"), lambda: self._arranged(kind, "copy"))
        remove = menu.addAction(self._say("Remove"), lambda: self._arranged(kind, "remove"))
        remove.setEnabled(count > 1)
        menu.popup(chip.mapToGlobal(at))

    def _times(self, row: QHBoxLayout, together: bool) -> None:
        row.addWidget(label("|", "note"))
        for value, text in ((False, self._say("one after the other")), (True, self._say("at the same time"))):
            button = QPushButton(text)
            button.setProperty("kind", "tab")
            button.setCheckable(True)
            button.setChecked(value == together)
            button.setAccessibleName(self._say(message("The workloads run: {how}", how=text)))
            button.clicked.connect(lambda _=False, value=value: self._timed(value))
            row.addWidget(button)


def _short(name: str) -> str:
    return name if len(name) <= _SHORT else name[: _SHORT - 1] + "…"
