"""The window on the desk; `tests/conftest.py` sees to it that no screen is needed."""

from __future__ import annotations

import pytest

from configurator.advice.answer import answer
from configurator.catalog.catalog import load_catalog
from configurator.gui.window import MainWindow


@pytest.fixture
def window(qtbot, monkeypatch):
    made = MainWindow(load_catalog(), answer, language="en", theme="light")
    monkeypatch.setattr(made, "_may_leave", lambda: True)
    qtbot.addWidget(made)
    made.resize(1440, 900)
    made.show()
    return made
