"""Somebody who clicks and types whatever is there, for a long time: nothing breaks, nothing grows.

CONFIGURATOR_MONKEY names the number of actions; about thirty in a second.
"""

import gc
import os
import random
import resource
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
)

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.gui.flow import STEPS
from configurator.gui.window import MainWindow

ACTIONS = int(os.environ.get("CONFIGURATOR_MONKEY", "1200"))
GROWTH = 120
"""MiB that the process may grow after its first third: caches fill, nothing more."""
TEXTS = (
    "",
    "0",
    "-3",
    "7",
    "4096",
    "1e9",
    "viel",
    "1,5",
    "640 x 480",
    "Ünïcödé ✓",
    "qwen",
    "4090",
    "x" * 300,
)


def memory() -> float:
    """Return the memory of the process in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * resource.getpagesize() / 2**20


class Monkey:
    """Acts on a window by chance, always the same chance."""

    def __init__(self, window, seed):
        self.window, self.chance = window, random.Random(seed)

    def act(self):
        deed = self.chance.choices(
            (self.click, self.type, self.go, self.undo, self.slide, self.key), (8, 5, 3, 2, 1, 1)
        )[0]
        deed()
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog | QMenu) and dialog.isVisible():
                dialog.close()
        QApplication.processEvents()

    def click(self):
        buttons = [
            one for one in self.window.findChildren(QAbstractButton) if one.isVisible() and one.isEnabled()
        ]
        if buttons:
            self.chance.choice(buttons).click()

    def type(self):
        lines = [one for one in self.window.findChildren(QLineEdit) if one.isVisible() and one.isEnabled()]
        if lines:
            line, text = self.chance.choice(lines), self.chance.choice(TEXTS)
            line.setText(text)
            line.textEdited.emit(text)
            QTest.keyClick(line, Qt.Key.Key_Return)

    def slide(self):
        sliders = [one for one in self.window.findChildren(QAbstractSlider) if one.isVisible()]
        if sliders:
            slider = self.chance.choice(sliders)
            slider.setValue(self.chance.randint(slider.minimum(), slider.maximum()))

    def go(self):
        self.window.go_to(self.chance.choice(STEPS))

    def undo(self):
        self.chance.choice((self.window.document.undo, self.window.document.redo))()

    def key(self):
        keys = (Qt.Key.Key_Tab, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Escape, Qt.Key.Key_Right)
        QTest.keyClick(QApplication.focusWidget() or self.window, self.chance.choice(keys))


@pytest.mark.parametrize("seed", [1, 2])
def test_random_clicks_break_nothing_and_memory_stays(qtbot, monkeypatch, seed):
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *a, **k: ("", ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *a, **k: "")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: box.close())
    monkeypatch.setattr(QMessageBox, "warning", lambda *a, **k: None)
    window = MainWindow(load_catalog(), judged, language="de", theme="light")
    qtbot.addWidget(window, before_close_func=lambda one: one.document.saved(one.document.path))
    window.resize(1280, 720)
    window.show()
    monkey = Monkey(window, seed)
    warm = 0.0
    for number in range(ACTIONS // 2):
        monkey.act()
        if number == ACTIONS // 6:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            gc.collect()
            warm = memory()
        if number % 50 == 0:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert memory() - warm < GROWTH
