"""What all plots have in common: the ground of the cards, no menus, no wheel, no moving by accident."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent

from configurator.gui.look import Look


class QuietPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot without axes that stays where it is; the wheel scrolls the pane behind it."""

    def __init__(self, look: Look) -> None:
        super().__init__(background=look.colour("surface"))
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.hideAxis("left")
        self.hideAxis("bottom")
        self.getPlotItem().layout.setContentsMargins(0, 0, 0, 0)
        self.getViewBox().setDefaultPadding(0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the pane."""
        event.ignore()
