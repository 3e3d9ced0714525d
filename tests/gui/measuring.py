"""What a reader of the window would stumble over: text that is cut off."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

_ROUNDING = 1
"""Pixels that a size hint may round up at broken scale factors."""


def settled(window: QWidget) -> None:
    """Let layouts, wrapped texts and scroll bars find their sizes."""
    for _ in range(4):
        QApplication.processEvents()


def cut_off(window: QWidget) -> list[str]:
    """Return the visible texts that have less room than they need, with the room in pixels."""
    return [f"{text!r}: {have} of {need}" for text, have, need in _rooms(window) if need > have + _ROUNDING]


def _rooms(window: QWidget) -> Iterator[tuple[str, int, int]]:
    for one in window.findChildren(QLabel):
        if not one.isVisible() or not one.text():
            continue
        if one.wordWrap():
            yield one.text(), one.height(), one.heightForWidth(one.width())
        else:
            yield one.text(), one.width(), one.sizeHint().width()
    for button in window.findChildren(QAbstractButton):
        if button.isVisible() and button.text():
            yield button.text(), button.width(), button.sizeHint().width()
