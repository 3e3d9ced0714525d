"""What the keyboard can do, in a window of its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from configurator.gui.pieces import label
from configurator.gui.style import GRID
from configurator.texts import Say


class Keys(QDialog):
    """Two columns: the deed and its keys."""

    def __init__(self, parent: QWidget, say: Say, shortcuts: Sequence[tuple[str, str]]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(say("Keys"))
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        column.addWidget(label(say("Keys"), "heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(6 * GRID)
        rows = [
            *shortcuts,
            (say("Next field, previous field"), "Tab, Shift+Tab"),
            (say("Choose a chip"), say("Space")),
            (say("Open a list, choose from it"), "↓, Enter"),
        ]
        half = (len(rows) + 1) // 2
        for place, (deed, keys) in enumerate(rows):
            row, side = place % half, 2 * (place // half)
            grid.addWidget(label(deed), row, side)
            grid.addWidget(label(keys, tone="muted"), row, side + 1)
        column.addLayout(grid)
        buttons = QDialogButtonBox()
        close = buttons.addButton(say("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setDefault(True)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
