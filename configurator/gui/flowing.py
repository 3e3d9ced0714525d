"""A layout that puts its widgets in a row and goes on in the next one where the row is full."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class Flowing(QLayout):
    """Left to right, then down."""

    def __init__(self, parent: QWidget, gap: int) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take another widget in."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of widgets."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return a widget's item; None behind the last."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give a widget's item away; None behind the last."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Ask for no more room than needed."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Say that a narrower layout is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows in a width, in pixels."""
        return self._placed(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """Return the size of the widest widget."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the widest widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        """Put the widgets in their places."""
        super().setGeometry(rect)
        self._placed(rect, move=True)

    def _placed(self, rect: QRect, move: bool) -> int:
        x, y, row = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint()
            if x > rect.x() and x + hint.width() > rect.x() + rect.width():
                x, y, row = rect.x(), y + row + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + self._gap
            row = max(row, hint.height())
        return y + row - rect.y()
