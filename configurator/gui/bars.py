"""The bars of the stacks: parts, whisker and limit of every device; pointed at by mouse, touch or keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPen

from configurator.domain.ledger import DeviceLedger
from configurator.domain.units import gib
from configurator.gui.look import Look
from configurator.gui.pictures.plot import QuietPlot
from configurator.gui.segments import Segment, above, beside, segments, under
from configurator.quote.words import COMPONENTS

_AIR = 1.04
"""Room to the right of the longest bar."""
_ALONE = ((0.5, 0.5),)
_PAIR = ((0.32, 0.26), (0.66, 0.26))
"""Middle and height of the bars of a row, as shares of it: alone, or before and after."""
_ACROSS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_DOWN = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_OPEN = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)

Lane = tuple[float, float, DeviceLedger]
"""Middle, height and ledger of a bar."""


class Bars(QuietPlot):
    """Tells `pointed(place, component)` what is asked about, `walked` what the keys came to (None: left)."""

    def __init__(
        self,
        look: Look,
        pointed: Callable[[int, str], None],
        walked: Callable[[Segment | None], None],
    ) -> None:
        super().__init__(look)
        self._pointed, self._walked = pointed, walked
        self._parts: tuple[Segment, ...] = ()
        self._devices: Sequence[DeviceLedger] = ()
        self._current: Segment | None = None
        self._brushes = {str(name): QColor(look.series(name)) for name in COMPONENTS}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.getViewBox().invertY(True)
        ink, ground = look.colour("ink"), look.colour("surface")
        self._room = _bars(QColor(look.mixed("hairline", 0.5)), ground)
        # A rim in the colour of the ground keeps neighbours apart without taking space.
        self._stack = _bars(QColor(ground), ground)
        self._whisker = pg.PlotCurveItem(connect="pairs", pen=pg.mkPen(ink, width=1.5))
        self._limit = pg.PlotCurveItem(connect="pairs", pen=pg.mkPen(look.colour("fail"), width=2))
        self._ring = _bars(QColor(0, 0, 0, 0), pg.mkPen(look.colour("accent"), width=3))
        for item in (self._room, self._stack, self._whisker, self._limit, self._ring):
            self.addItem(item)
        self.scene().sigMouseMoved.connect(self._moved)

    def show_devices(self, devices: Sequence[DeviceLedger], after: Sequence[DeviceLedger] | None) -> None:
        """Draw the ledgers; `after` are those of a change that is only tried, drawn below each."""
        self._devices, self._parts = devices, segments(devices)
        # A machine with fewer cards has nothing to show for the others.
        lanes = _lanes(devices, _ALONE if after is None else _PAIR, 0)
        lanes += _lanes((after or ())[: len(devices)], _PAIR, 1)
        self._draw_bars(lanes)
        self._draw_lines(lanes)
        longest = max(gib(max(one.capacity, one.total.high)) for _, _, one in lanes)
        self.setRange(xRange=(0, longest * _AIR), yRange=(0, len(devices)), padding=0)
        self._go_to(self._same(self._current or self._parts[0]))

    def _draw_bars(self, lanes: Sequence[Lane]) -> None:
        middles, heights = [lane[0] for lane in lanes], [lane[1] for lane in lanes]
        capacities = [gib(one.capacity) for _, _, one in lanes]
        self._room.setOpts(x0=np.zeros(len(lanes)), y=middles, width=capacities, height=heights)
        parts = segments([one for _, _, one in lanes])
        self._stack.setOpts(
            x0=[one.left for one in parts],
            width=[one.width for one in parts],
            y=[middles[one.place] for one in parts],
            height=[heights[one.place] for one in parts],
            brushes=[self._brushes[one.component] for one in parts],
        )

    def _draw_lines(self, lanes: Sequence[Lane]) -> None:
        limit, whisker = [], []
        for y, height, one in lanes:
            edge, reach, tip = gib(one.usable), 0.75 * height, 0.2 * height
            limit += [(edge, y - reach), (edge, y + reach)]
            low, high = gib(one.total.low), gib(one.total.high)
            whisker += [(low, y), (high, y)]
            for end in (low, high):
                whisker += [(end, y - tip), (end, y + tip)]
        for item, points in ((self._limit, limit), (self._whisker, whisker)):
            item.setData(*np.array(points).T)

    def _same(self, former: Segment) -> Segment:
        """Return the part that stands where a former one stood."""
        named = [one for one in self._parts if one.component == former.component]
        here = [one for one in named if one.place == former.place]
        return (here or named or list(self._parts))[0]

    def _moved(self, place: QPointF) -> None:
        if (found := self._under(place)) is not None:
            self._pointed(found.place, found.component)

    def _under(self, place: QPointF) -> Segment | None:
        point = self.getViewBox().mapSceneToView(place)
        return under(self._parts, int(point.y()), point.x()) if point.y() >= 0 else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Explain what is pressed, as pointing does: for touch screens."""
        if (found := self._under(self.mapToScene(event.position().toPoint()))) is not None:
            self._go_to(found)
            self._pointed(found.place, found.component)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk from part to part with the arrows, explain one with Enter or Space."""
        key, current = Qt.Key(event.key()), self._current
        if current is None:
            super().keyPressEvent(event)
        elif key in _ACROSS:
            self._go_to(beside(self._parts, current, _ACROSS[key]))
        elif key in _DOWN:
            self._go_to(above(self._parts, current, _DOWN[key]))
        elif key in _OPEN:
            self._pointed(current.place, current.component)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the first part, or where the keys were before."""
        super().focusInEvent(event)
        if self._current is not None:
            self._go_to(self._current)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the ring away."""
        super().focusOutEvent(event)
        self._ring.setVisible(False)
        self._walked(None)

    def _go_to(self, part: Segment) -> None:
        self._current = part
        self._ring.setVisible(self.hasFocus())
        self._ring.setOpts(x0=[part.left], width=[part.width], y=[part.place + 0.5], height=0.62)
        if self.hasFocus():
            self._walked(part)


def _lanes(devices: Sequence[DeviceLedger], shape: Sequence[tuple[float, float]], which: int) -> list[Lane]:
    middle, height = shape[which]
    return [(place + middle, height, one) for place, one in enumerate(devices)]


def _bars(brush: QColor, pen: str | QPen) -> pg.BarGraphItem:
    return pg.BarGraphItem(x0=[], y=[], width=[], height=[], brush=brush, pen=pen)
