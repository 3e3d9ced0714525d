"""Small pieces the window is put together from: labels, cards, badges, links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from configurator.gui.style import GRID


def label(text: str, kind: str = "body", tone: str = "", wrap: bool = False) -> QLabel:
    """Return a text in one of the sizes title, heading, strong, body, note."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("type", kind)
    made.setProperty("tone", tone)
    if wrap:
        made.setWordWrap(True)
        made.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return made


def badge(text: str, tone: str) -> QLabel:
    """Return a word on a quiet ground of its tone."""
    made = label(text, tone=tone)
    made.setProperty("badge", True)
    made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return made


def link(text: str, pressed: Callable[[], object], kind: str = "link") -> QPushButton:
    """Return a button that reads like a link (`link`) or is the main one (`main`)."""
    made = QPushButton(text)
    made.setProperty("kind", kind)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAccessibleName(text)
    made.clicked.connect(lambda: pressed())
    return made


def card(name: str = "card") -> tuple[QFrame, QVBoxLayout]:
    """Return a frame that groups, with its column."""
    frame = QFrame()
    frame.setObjectName(name)
    column = QVBoxLayout(frame)
    column.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
    column.setSpacing(GRID)
    return frame, column


def scrolling(content: QWidget) -> QScrollArea:
    """Return an area that scrolls its content up and down only."""
    content.setObjectName("ground")
    # The height follows the width that is there, not the narrowest one the layout could take.
    content.setMinimumHeight(1)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content)
    return area


def cleared(layout: QLayout) -> None:
    """Take everything out of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            cleared(inner)


@contextmanager
def held(layout: QLayout) -> Iterator[None]:
    """Lay out once at the end, however many widgets come and go meanwhile.

    Qt lays out the whole window anew for every single widget that is shown.
    """
    layout.setEnabled(False)
    try:
        yield
    finally:
        layout.setEnabled(True)
        layout.invalidate()


def mark(widget: QWidget, **properties: object) -> None:
    """Set style properties and repaint the widget in them."""
    if any(widget.property(name) != value for name, value in properties.items()):
        for name, value in properties.items():
            widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
