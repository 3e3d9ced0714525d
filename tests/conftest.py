"""Tests need no screen, and speak English whatever the machine speaks."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Whatever the user of this machine has added or set, the tests do not see it.
os.environ["CONFIGURATOR_CATALOG"] = os.devnull
os.environ["CONFIGURATOR_WORKSHOP"] = os.path.join(os.devnull, "workshop.yaml")  # noqa: PTH118


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
