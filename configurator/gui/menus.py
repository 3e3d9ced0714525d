"""The menus: file, edit, view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from configurator.gui.document import Document
from configurator.texts import Say

if TYPE_CHECKING:
    from configurator.gui.window import MainWindow

Key = QKeySequence.StandardKey


class Menus:
    """Builds the menus of a window and keeps undo and redo true."""

    def __init__(self, window: MainWindow, say: Say) -> None:
        bar = window.menuBar()
        bar.clear()
        file, edit, view = (bar.addMenu(name) for name in (say("File"), say("Edit"), say("View")))
        _add(file, say("New enquiry"), window.new, Key.New)
        _add(file, say("Open …"), window.open_dialog, Key.Open)
        _add(file, say("Save"), window.save, Key.Save)
        _add(file, say("Save as …"), window.save_as, Key.SaveAs)
        file.addSeparator()
        _add(file, say("Quote as PDF …"), window.export_dialog, Key.Print)
        file.addSeparator()
        _add(file, say("Quit"), window.close, Key.Quit)
        self._undo = _add(edit, say("Undo"), window.document.undo, Key.Undo)
        self._redo = _add(edit, say("Redo"), window.document.redo, Key.Redo)
        look = window.look
        languages = {"Deutsch": "de", "English": "en"}
        _choose(view, languages, look.language, window.speak)
        view.addSeparator()
        themes = {say("As the system"): None, say("Light"): "light", say("Dark"): "dark"}
        _choose(view, themes, window.theme, window.wear)

    def show_document(self, document: Document) -> None:
        """Offer undo and redo only where there is a step."""
        self._undo.setEnabled(document.can_undo)
        self._redo.setEnabled(document.can_redo)


def _add(menu: QMenu, text: str, act: Callable[[], object], key: Key) -> QAction:
    action = menu.addAction(text)
    action.setShortcut(QKeySequence(key))
    action.triggered.connect(lambda: act())
    return action


def _choose(
    menu: QMenu, values: dict[str, str | None] | dict[str, str], chosen: str | None, act: Callable[..., None]
) -> None:
    """Add actions of which one is chosen."""
    group = QActionGroup(menu)
    for text, value in values.items():
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(value == chosen)
        action.triggered.connect(lambda _=False, value=value: act(value))
        group.addAction(action)
