"""How fast the picture follows, and what the first frame does not wait for."""

import subprocess
import sys

from PySide6.QtWidgets import QApplication

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.gui.edit import with_value
from configurator.gui.window import MainWindow


def test_heavy_imports_wait_for_the_first_frame():
    code = "import configurator.gui.app, sys; print([m for m in ('numpy', 'pyqtgraph', 'typst') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_one_answer_changed_to_picture_redrawn(qtbot, benchmark):
    window = MainWindow(load_catalog(), judged, language="de", theme="light")
    qtbot.addWidget(window, before_close_func=lambda one: one.document.saved(one.document.path))
    window.resize(1440, 900)
    window.show()
    QApplication.processEvents()
    contexts = iter(range(1024, 10**9, 512))

    def change():
        path = "workloads.0.workload.context"
        window.document.swap(with_value(window.document.project, path, next(contexts)))
        QApplication.processEvents()

    benchmark(change)
    assert window.answer is not None
