"""The menus: file, edit, view, help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from configurator.gui.arrangement import Kind
from configurator.gui.document import Document
from configurator.gui.flow import STEPS
from configurator.gui.remembered import recent_files
from configurator.texts import Say

if TYPE_CHECKING:
    from configurator.gui.window import MainWindow

Key = QKeySequence.StandardKey


class Menus:
    """Builds the menus of a window and keeps undo and redo true."""

    def __init__(self, window: MainWindow, say: Say) -> None:
        self._window, self._say = window, say
        bar = window.menuBar()
        bar.clear()
        self._file(bar.addMenu(say("File")))
        self._edit(bar.addMenu(say("Edit")))
        self._view(bar.addMenu(say("View")))
        self._help(bar.addMenu(say("Help")))
        self._bar = bar

    def _file(self, menu: QMenu) -> None:
        say, window, filing = self._say, self._window, self._window.filing
        _add(menu, say("New enquiry"), window.new, Key.New)
        _add(menu, say("Open …"), filing.open_dialog, Key.Open)
        recent = menu.addMenu(say("Open again"))
        recent.aboutToShow.connect(lambda: self._fill(recent))
        _add(menu, say("Save"), filing.save, Key.Save)
        _add(menu, say("Save as …"), filing.save_as, "Ctrl+Shift+S")
        menu.addSeparator()
        _add(menu, say("Quote as PDF …"), window.export_dialog, "Ctrl+E")
        menu.addSeparator()
        _add(menu, say("Quit"), window.close, "Ctrl+Q")

    def _fill(self, menu: QMenu) -> None:
        menu.clear()
        for path in recent_files():
            menu.addAction(path.name, partial(self._window.take, path)).setToolTip(str(path))
        if menu.isEmpty():
            menu.addAction(self._say("none yet")).setEnabled(False)

    def _edit(self, menu: QMenu) -> None:
        say, window = self._say, self._window
        self._undo = _add(menu, say("Undo"), window.document.undo, Key.Undo)
        self._redo = _add(menu, say("Redo"), window.document.redo, "Ctrl+Shift+Z")
        menu.addSeparator()
        deeds: tuple[tuple[str, Kind, str, str], ...] = (
            (say("Add a workload"), "workload", "add", "Ctrl+T"),
            (say("Copy the workload"), "workload", "copy", ""),
            (say("Remove the workload"), "workload", "remove", ""),
            (say("Add a machine"), "machine", "add", "Ctrl+M"),
            (say("Copy the machine"), "machine", "copy", ""),
            (say("Remove the machine"), "machine", "remove", ""),
        )
        for text, kind, deed, key in deeds:
            _add(menu, text, partial(self._arrange, kind, deed), key)

    def _arrange(self, kind: Kind, deed: str) -> None:
        if self._window.workspace is not None:
            self._window.workspace.arrange(kind, deed)

    def _view(self, menu: QMenu) -> None:
        say, window = self._say, self._window
        for number, step in enumerate(STEPS, start=1):
            _add(menu, say(step.name), partial(window.go_to, step), f"Ctrl+{number}")
        menu.addSeparator()
        presenting = _add(menu, say("Show to the customer"), lambda: None, "F5")
        presenting.setCheckable(True)
        presenting.setChecked(window.look.presenting)
        presenting.toggled.connect(window.present)
        menu.addSeparator()
        languages = {"Deutsch": "de", "English": "en"}
        _choose(menu, languages, window.look.language, window.speak)
        menu.addSeparator()
        themes = {say("As the system"): None, say("Light"): "light", say("Dark"): "dark"}
        _choose(menu, themes, window.theme, window.wear)

    def _help(self, menu: QMenu) -> None:
        _add(menu, self._say("Keys"), self._show_keys, "F1")

    def _show_keys(self) -> None:
        from configurator.gui.keys import Keys

        Keys(self._window, self._say, list(self.shortcuts())).open()

    def shortcuts(self) -> Iterator[tuple[str, str]]:
        """Yield what can be done by keys, and with which."""
        for top in self._bar.actions():
            menu = top.menu()
            for action in menu.actions() if isinstance(menu, QMenu) else ():
                if not action.shortcut().isEmpty():
                    key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                    yield action.text(), key

    def show_document(self, document: Document) -> None:
        """Offer undo and redo only where there is a step."""
        self._undo.setEnabled(document.can_undo)
        self._redo.setEnabled(document.can_redo)


def _add(menu: QMenu, text: str, act: Callable[[], object], key: Key | str) -> QAction:
    action = menu.addAction(text)
    if key:
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
