"""The stacks: per device one bar of its ledger against the memory that can be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from configurator.domain.ledger import DeviceLedger
from configurator.domain.message import message
from configurator.gui.bars import Bars
from configurator.gui.look import Look
from configurator.gui.pieces import cleared, label, mark
from configurator.gui.segments import Segment, sizes, spoken
from configurator.gui.style import GRID
from configurator.quote.words import COMPONENTS, VERDICTS
from configurator.texts import say_in

_ROW, _NARROW_ROW = 7 * GRID, 5 * GRID
_MANY = 4
"""Devices from which on their rows move together."""
_NAME, _TOTAL = 13 * GRID, 11 * GRID
"""Widths of the columns on both sides; fixed, so that the bars do not move with the figures."""


class Stacks(QWidget):
    """The picture; tells `pointed(device, component)` what the user asks about."""

    def __init__(self, look: Look, pointed: Callable[[int, str], None]) -> None:
        super().__init__()
        self._say = say_in(look.language)
        self._devices: Sequence[DeviceLedger] = ()
        self._display: int | None = None
        self._cells: list[list[QLabel]] = []
        self.bars = Bars(look, pointed, self._describe)
        self.bars.setAccessibleDescription(
            self._say("Arrow keys move from part to part, Enter says why it is so large.")
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID)
        self._names, self._totals = QVBoxLayout(), QVBoxLayout()
        for column in (self._names, self._totals):
            column.setSpacing(0)
        row.addLayout(self._names)
        row.addWidget(self.bars, 1)
        row.addLayout(self._totals)

    def show_devices(self, devices: Sequence[DeviceLedger], display: int | None) -> None:
        """Draw the ledgers; `display` is the index of the card with the monitors."""
        self._devices, self._display = devices, display
        self._show(None)

    def show_tried(self, after: Sequence[DeviceLedger] | None) -> None:
        """Draw below each bar what a change would make of it; None: take that away."""
        if self._devices:
            self._show(after)

    def _show(self, after: Sequence[DeviceLedger] | None) -> None:
        count = len(self._devices)
        high = _ROW if count < _MANY else _NARROW_ROW
        if count != len(self._cells):
            cleared(self._names)
            cleared(self._totals)
            self._cells = [self._row_cells(high) for _ in self._devices]
            self.bars.setFixedHeight(high * count)
        self.bars.show_devices(self._devices, after)
        for place, one in enumerate(self._devices):
            self._write_row(place, one, after[place] if after and place < len(after) else None)
        if not self.bars.hasFocus():
            self._describe(None)

    def _write_row(self, place: int, one: DeviceLedger, after: DeviceLedger | None) -> None:
        note = self._note(place)
        total = self._say(message("{size:gib}", size=one.total.likely))
        beside = message("of {usable:gib}", usable=one.usable)
        if after is not None:
            beside = message("then {size:gib}", size=after.total.likely)
        cells = self._cells[place]
        for shown, text in zip(cells, (spoken(one.device), note, total, self._say(beside)), strict=True):
            shown.setText(text)
        cells[1].setText(cells[1].fontMetrics().elidedText(note, Qt.TextElideMode.ElideRight, _NAME))
        cells[1].setToolTip(note)
        cells[1].setVisible(bool(note))
        mark(cells[2], tone=VERDICTS[one.verdict][1])
        mark(cells[3], tone=VERDICTS[after.verdict][1] if after else "")

    def _note(self, place: int) -> str:
        """Return what sets a device apart: the monitors, else its kind where there are several."""
        if place == self._display:
            return self._say("with monitor")
        return self._devices[place].name if len({one.name for one in self._devices}) > 1 else ""

    def _describe(self, part: Segment | None) -> None:
        """Tell screen readers the part that the keys are at, else all totals."""
        if part is None:
            words = (
                f"{spoken(one.device)} {self._say(message('{size:gib}', size=one.total.likely))}, "
                f"{self._say(VERDICTS[one.verdict][0])}"
                for one in self._devices
            )
            self.bars.setAccessibleName("; ".join(words))
            return
        device = self._devices[part.place]
        name = next(word for component, word in COMPONENTS.items() if component == part.component)
        size = self._say(message("{size:gib}", size=sizes(device)[part.component]))
        self.bars.setAccessibleName(f"{spoken(device.device)}, {self._say(name)}, {size}")

    def _row_cells(self, high: int) -> list[QLabel]:
        """Add the two lines on the left and on the right of one bar."""
        cells = []
        for column, side, wide in (
            (self._names, Qt.AlignmentFlag.AlignLeft, _NAME),
            (self._totals, Qt.AlignmentFlag.AlignRight, _TOTAL),
        ):
            cell, lines = _two_lines(side)
            cell.setFixedSize(wide, high)
            column.addWidget(cell)
            cells += lines
        return cells


def _two_lines(side: Qt.AlignmentFlag) -> tuple[QWidget, list[QLabel]]:
    cell = QWidget()
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
