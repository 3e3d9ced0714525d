"""Every page in every language, theme and size: nothing is cut off, nothing stays behind."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest
from measuring import cut_off, settled
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.gui.flow import STEPS, step_named
from configurator.gui.style import load_fonts
from configurator.gui.window import MainWindow

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
SIZES = ((1280, 720), (1440, 900), (1920, 1080))


def opened(qtbot, language, theme, example="serving-70b-two-pro-6000"):
    window = MainWindow(load_catalog(), judged, language=language, theme=theme)
    qtbot.addWidget(window, before_close_func=lambda one: one.document.saved(one.document.path))
    window.filing.open(EXAMPLES / f"{example}.yaml")
    window.show()
    return window


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("presenting", [False, True], ids=["desk", "projector"])
def test_no_text_is_cut_off_on_any_page_at_any_size(qtbot, qapp, language, presenting):
    load_fonts()
    window = opened(qtbot, language, "light")
    window.settle()
    window.present(presenting)
    found = []
    for size in SIZES:
        window.resize(*size)
        for step in STEPS:
            window.go_to(step)
            settled(window)
            found += [f"{size} {step.id}: {text}" for text in cut_off(window)]
    assert not found, "\n".join(found)


def test_nor_at_one_and_a_half_times_the_size():
    code = (
        f"import sys; sys.path[:0] = [{str(Path(__file__).parent)!r}]\n"
        "from test_pages import measured_alone\n"
        "print('\\n'.join(measured_alone()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"QT_SCALE_FACTOR": "1.5"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stdout.strip(), done.stdout


def measured_alone() -> list[str]:
    """Return what is cut off in a window of its own process, in German on the smallest screen."""
    QApplication([])
    load_fonts()
    window = MainWindow(load_catalog(), judged, language="de", theme="light")
    window.filing.open(EXAMPLES / "serving-70b-two-pro-6000.yaml")
    window.resize(*SIZES[0])
    window.show()
    found = []
    for step in STEPS:
        window.go_to(step)
        settled(window)
        found += [f"{step.id}: {text}" for text in cut_off(window)]
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_closed_window_leaves_no_widget_behind(qapp, theme):
    def count() -> int:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        return len(qapp.allWidgets())

    def visit() -> None:
        window = MainWindow(load_catalog(), judged, language="de", theme=theme)
        window.show()
        for step in STEPS:
            window.go_to(step_named(step.id))
            settled(window)
        window.speak("en")
        window.document.saved(None)
        window.close()
        window.deleteLater()

    visit()
    before = count()
    for _ in range(3):
        visit()
    assert count() <= before


def test_the_measure_sees_what_is_cut_off(qtbot):
    window = opened(qtbot, "de", "light")
    settled(window)
    button = window.bar.export
    button.setMaximumWidth(button.sizeHint().width() - 10)
    settled(window)
    assert any(repr(button.text()) in one for one in cut_off(window))
