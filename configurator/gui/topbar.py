"""The bar on top: which enquiry, for whom, whether it is saved, and the way to the quote."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout

from configurator.domain.message import message
from configurator.gui.document import Document
from configurator.gui.pieces import label, link
from configurator.gui.style import GRID
from configurator.texts import Say


class TopBar(QFrame):
    """Shows the document's state in words."""

    def __init__(self, say: Say, export: Callable[[], None]) -> None:
        super().__init__()
        self.setObjectName("bar")
        self.setFixedHeight(6 * GRID)
        self._say = say
        self.title = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID + 4, 0, 2 * GRID, 0)
        row.setSpacing(GRID)
        self._number, self._rest = label("", "heading"), label("", tone="muted")
        row.addWidget(self._number)
        row.addWidget(self._rest, 1)
        self.export = link(say("Quote as PDF"), export, "main")
        row.addWidget(self.export)

    def show_document(self, document: Document) -> None:
        """Write number, customer and state."""
        project = document.project
        numbered = message("Enquiry {number}", number=project.number)
        self.title = self._say(numbered) if project.number else self._say("New enquiry")
        loose = document.dirty or document.path is None
        state = self._say("not saved") if loose else self._say("saved")
        parts = [project.customer.name, state]
        self._number.setText(self.title)
        self._rest.setText("  ·  ".join(part for part in parts if part))
