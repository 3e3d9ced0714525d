"""Tests need no screen, and speak English whatever the machine speaks."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Whatever the user of this machine has added to the catalogue, the tests do not see it.
os.environ["CONFIGURATOR_CATALOG"] = os.devnull


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
