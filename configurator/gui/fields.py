"""Thin input widgets: each shows an answer or an assumption and says when the user answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QButtonGroup,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from configurator.gui.flowing import Flowing
from configurator.gui.pieces import label, mark
from configurator.gui.question import Choice
from configurator.gui.style import GRID

Reader = Callable[[str], Any]

_WHOLE = re.compile(r"\d{1,9}|\d{1,3}([., ]\d{3}){1,3}")
"""Digits, with or without a sign between thousands: 1.5 is no whole number."""


class Chips(QWidget):
    """A few values side by side; pressing the chosen one again takes an optional answer back."""

    answered = Signal(object)

    def __init__(self, choices: tuple[Choice, ...], say: Callable[[str], str], optional: bool) -> None:
        super().__init__()
        row = Flowing(self, GRID // 2)
        self._group = QButtonGroup(self)
        self._group.setExclusive(False)
        self._choices, self._optional, self._value = choices, optional, None
        for place, choice in enumerate(choices):
            button = QPushButton(say(choice.label))
            button.setCheckable(True)
            button.setAccessibleName(say(choice.label))
            self._group.addButton(button, place)
            row.addWidget(button)
        self._group.idClicked.connect(self._pressed)

    def _pressed(self, place: int) -> None:
        value = self._choices[place].value
        again = self._optional and value == self._value
        self.show_value(self._value, None)
        self.answered.emit(None if again else value)

    def show_value(self, value: Any, assumed: Any) -> None:
        """Show the answer, or dashed what is assumed instead."""
        self._value = value
        for place, choice in enumerate(self._choices):
            button = self._group.button(place)
            button.setChecked(value is not None and choice.value == value)
            mark(button, assumed=value is None and assumed is not None and choice.value == assumed)


class Box(QFrame):
    """One line to type in, with its unit; dashed while it shows an assumption."""

    answered = Signal(object)

    def __init__(
        self, unit: str, assumed_word: str, reader: Reader, writer: Callable[[Any], str] | None = None
    ) -> None:
        super().__init__()
        self.setObjectName("box")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._writer = writer or _written
        self.edit = QLineEdit()
        self._unit, self._assumed_word, self._reader = unit, assumed_word, reader
        self._note = label(unit, tone="muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID + 2, 7, GRID + 2, 7)
        row.addWidget(self.edit, 1)
        row.addWidget(self._note)
        self.setFocusProxy(self.edit)
        self.edit.installEventFilter(self)
        self.edit.textEdited.connect(self._typed)

    def _typed(self, text: str) -> None:
        try:
            value = self._reader(text.strip())
        except ValueError:
            mark(self, wrong=True)
            return
        mark(self, wrong=False)
        self.answered.emit(value)

    def show_value(self, value: Any, assumed: Any) -> None:
        """Show the answer, or dashed what is assumed instead."""
        if not self._says(value):
            self.edit.setText("" if value is None else self._writer(value))
            self.edit.setCursorPosition(0)
            mark(self, wrong=False)
        guessed = value is None and assumed is not None
        self.edit.setPlaceholderText(self._writer(assumed) if guessed else "")
        self._note.setText(self._assumed_word if guessed else self._unit)
        mark(self, assumed=guessed)

    def _says(self, value: Any) -> bool:
        """Whether the text already means the value: `1,` and `1` are one number while it is typed."""
        try:
            return bool(self._reader(self.edit.text().strip()) == value)
        except ValueError:
            return self.edit.hasFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus with the frame."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            mark(self, focused=event.type() == QEvent.Type.FocusIn)
        return super().eventFilter(watched, event)


class Search(Box):
    """A line that finds one of many by any part of its name."""

    def __init__(self, choices: tuple[Choice, ...], unit: str, assumed_word: str) -> None:
        super().__init__(unit, assumed_word, str)
        self._shown: tuple[Any, Any] = (None, None)
        self._names = {choice.value: choice.label for choice in choices}
        model = QStandardItemModel(self)
        for choice in choices:
            item = QStandardItem(choice.label)
            item.setData(choice.value, Qt.ItemDataRole.UserRole)
            model.appendRow(item)
        self.finder = QCompleter(model, self)
        self.finder.setFilterMode(Qt.MatchFlag.MatchContains)
        self.finder.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.finder.setMaxVisibleItems(12)
        self.edit.setCompleter(self.finder)
        self.edit.textEdited.disconnect(self._typed)
        self.finder.activated.connect(self._chosen)
        self.edit.returnPressed.connect(lambda: self._chosen(self.edit.text()))

    def _chosen(self, text: str) -> None:
        by_name = {name.lower(): value for value, name in self._names.items()}
        wanted = text.strip()
        self.answered.emit(by_name.get(wanted.lower(), wanted) or None)

    def show_value(self, value: Any, assumed: Any) -> None:
        """Show the name behind an id."""
        self._shown = (self._names.get(value, value), self._names.get(assumed, assumed))
        super().show_value(*self._shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the whole list by a click or the arrow down; a half-typed name gives way to the answer."""
        if event.type() == QEvent.Type.MouseButtonRelease or (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Down
        ):
            self.edit.selectAll()
            self.finder.setCompletionPrefix("")
            self.finder.complete()
        elif isinstance(event, QFocusEvent) and event.lostFocus() and not _to_list(event):
            super().show_value(*self._shown)
        return super().eventFilter(watched, event)


def _to_list(event: QFocusEvent) -> bool:
    return event.reason() == Qt.FocusReason.PopupFocusReason


def whole(text: str) -> int | None:
    """Read a whole number of at least one; empty takes the answer back. Raises ValueError."""
    if not text:
        return None
    if not _WHOLE.fullmatch(text):
        raise ValueError(text)
    value = int(re.sub(r"[., ]", "", text))
    if value < 1:
        raise ValueError(text)
    return value


def required(reader: Reader) -> Reader:
    """Return a reader that refuses an empty text. Raises ValueError."""

    def read(text: str) -> Any:
        if not text:
            raise ValueError(text)
        return reader(text)

    return read


def part_of(text: str) -> float | None:
    """Read a number above zero with comma or point. Raises ValueError."""
    if not text:
        return None
    value = float(text.replace(",", "."))
    if not 0 < value < float("inf"):
        raise ValueError(text)
    return value


def price(text: str) -> Decimal | None:
    """Read an amount of money with comma or point; empty is a question. Raises ValueError."""
    if not text:
        return None
    try:
        value = Decimal(text.replace(",", "."))
    except InvalidOperation as problem:
        raise ValueError(text) from problem
    if not value.is_finite() or value < 0:
        raise ValueError(text)
    return value


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
