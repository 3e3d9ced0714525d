"""The stacks: per device one bar of its ledger against the memory that can be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from configurator.domain.ledger import DeviceLedger
from configurator.domain.message import message
from configurator.domain.units import gib
from configurator.gui.look import Look
from configurator.gui.pieces import cleared, label, mark
from configurator.gui.style import GRID
from configurator.quote.words import COMPONENTS, VERDICTS
from configurator.texts import say_in

ROW = 7 * GRID
_BAR = 0.5
"""Height of a bar as a share of its row."""
_AIR = 1.04
"""Room to the right of the longest bar."""


def sizes(device: DeviceLedger) -> dict[str, int]:
    """Return the likely bytes by component, in the order of the quote sheet."""
    found = dict.fromkeys((str(name) for name in COMPONENTS), 0)
    for entry in device.entries:
        found[entry.component] += entry.likely
    return found


class Stacks(QWidget):
    """The picture; tells `pointed(device, component)` what the user points at."""

    def __init__(self, look: Look, pointed: Callable[[int, str], None]) -> None:
        super().__init__()
        self._look, self._say, self._pointed = look, say_in(look.language), pointed
        self._devices: Sequence[DeviceLedger] = ()
        self._cells: list[list[QLabel]] = []
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID)
        self._names, self._totals = QVBoxLayout(), QVBoxLayout()
        for column in (self._names, self._totals):
            column.setSpacing(0)
        self._plot = self._picture()
        row.addLayout(self._names)
        row.addWidget(self._plot, 1)
        row.addLayout(self._totals)

    def _picture(self) -> Any:
        plot = pg.PlotWidget(background=self._look.colour("surface"))
        plot.setFrameShape(plot.Shape.NoFrame)
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setMouseEnabled(x=False, y=False)
        plot.hideAxis("left")
        plot.hideAxis("bottom")
        plot.getPlotItem().layout.setContentsMargins(0, 0, 0, 0)
        view = plot.getViewBox()
        view.setDefaultPadding(0)
        view.invertY(True)
        self._room = self._bars("hairline")
        plot.addItem(self._room)
        self._stack = {name: self._bars(None, name) for name in COMPONENTS}
        for bars in self._stack.values():
            plot.addItem(bars)
        self._whisker = pg.PlotCurveItem(connect="pairs", pen=pg.mkPen(self._look.colour("ink"), width=1.5))
        self._limit = pg.PlotCurveItem(connect="pairs", pen=pg.mkPen(self._look.colour("fail"), width=2))
        plot.addItem(self._whisker)
        plot.addItem(self._limit)
        plot.scene().sigMouseMoved.connect(self._moved)
        plot.viewport().installEventFilter(self)
        return plot

    def _bars(self, role: str | None, component: str = "") -> Any:
        colour = self._look.mixed(role, 0.5) if role else self._look.series(component)
        # A rim in the colour of the ground keeps neighbours apart without taking space.
        return pg.BarGraphItem(
            x0=[], y=[], width=[], height=[], brush=QColor(colour), pen=self._look.colour("surface")
        )

    def show_devices(self, devices: Sequence[DeviceLedger], display: int | None) -> None:
        """Draw the ledgers; `display` is the index of the card with the monitors."""
        self._devices = devices
        count = len(devices)
        middles = [place + 0.5 for place in range(count)]
        self._room.setOpts(
            x0=[0.0] * count, y=middles, width=[gib(one.capacity) for one in devices], height=_BAR
        )
        left = [0.0] * count
        for name, bars in self._stack.items():
            widths = [gib(sizes(one)[name]) for one in devices]
            bars.setOpts(x0=left, y=middles, width=widths, height=_BAR)
            left = [start + width for start, width in zip(left, widths, strict=True)]
        self._draw_lines(devices)
        longest = max(gib(max(one.capacity, one.total.high)) for one in devices)
        self._plot.setRange(xRange=(0, longest * _AIR), yRange=(0, count), padding=0)
        self._plot.setFixedHeight(ROW * count)
        self._write_columns(devices, display)

    def _draw_lines(self, devices: Sequence[DeviceLedger]) -> None:
        limit, whisker = [], []
        for place, one in enumerate(devices):
            y, edge = place + 0.5, gib(one.usable)
            limit += [(edge, y - 0.38), (edge, y + 0.38)]
            low, high = gib(one.total.low), gib(one.total.high)
            whisker += [(low, y), (high, y)]
            for end in (low, high):
                whisker += [(end, y - 0.1), (end, y + 0.1)]
        for item, points in ((self._limit, limit), (self._whisker, whisker)):
            x, y_all = np.array(points).T
            item.setData(x, y_all)

    def _write_columns(self, devices: Sequence[DeviceLedger], display: int | None) -> None:
        if len(devices) != len(self._cells):
            cleared(self._names)
            cleared(self._totals)
            self._cells = [self._row_cells() for _ in devices]
        for place, one in enumerate(devices):
            note = self._say("with monitor") if place == display else one.name
            name = one.device.upper().replace("GPU", "GPU ")
            total = self._say(message("{size:gib}", size=one.total.likely))
            usable = self._say(message("of {usable:gib}", usable=one.usable))
            tone = VERDICTS[one.verdict][1]
            for shown, text in zip(self._cells[place], (name, note, total, usable), strict=True):
                shown.setText(text)
            mark(self._cells[place][2], tone=tone)
        words = "; ".join(
            f"{one.device} {self._say(message('{size:gib}', size=one.total.likely))}" for one in devices
        )
        self._plot.setAccessibleName(words)

    def _row_cells(self) -> list[QLabel]:
        """Add the two lines on the left and on the right of one bar."""
        cells = []
        for column, side in (
            (self._names, Qt.AlignmentFlag.AlignLeft),
            (self._totals, Qt.AlignmentFlag.AlignRight),
        ):
            cell, lines = _two_lines(side)
            column.addWidget(cell)
            cells += lines
        return cells

    def _moved(self, place: QPointF) -> None:
        self._point_at(place)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """A click tells why, as pointing does: for touch screens."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self._point_at(QPointF(event.position()))  # type: ignore[attr-defined]
        return super().eventFilter(watched, event)

    def _point_at(self, place: QPointF) -> None:
        point = self._plot.getViewBox().mapSceneToView(place)
        index = int(point.y())
        if not 0 <= index < len(self._devices) or point.x() < 0:
            return
        left = 0.0
        for name, size in sizes(self._devices[index]).items():
            left += gib(size)
            if point.x() < left:
                self._pointed(index, name)
                return


def _two_lines(side: Qt.AlignmentFlag) -> tuple[QWidget, list[QLabel]]:
    cell = QWidget()
    cell.setFixedHeight(ROW)
    column = QVBoxLayout(cell)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addStretch(1)
    lines = [label("", "strong"), label("", "note")]
    for made in lines:
        made.setAlignment(side)
        column.addWidget(made)
    column.addStretch(1)
    return cell, lines
