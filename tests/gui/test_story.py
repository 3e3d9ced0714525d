"""A consultant at the desk: from an empty enquiry to the sheet."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel, QPushButton

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.gui.edit import value_at
from configurator.gui.flow import STEPS, step_named
from configurator.gui.question import MACHINE, WORKLOAD
from configurator.gui.window import MainWindow
from configurator.store.project import load_project


@pytest.fixture
def window(qtbot):
    made = MainWindow(load_catalog(), judged, language="de", theme="light")
    # Closing unsaved work asks; a test has nobody to answer.
    qtbot.addWidget(made, before_close_func=lambda one: one.document.saved(one.document.path))
    made.resize(1440, 900)
    made.show()
    return made


def field(window, step, path):
    window.go_to(step_named(step))
    return window.workspace.form.fields[path]


def chip(window, step, path, text):
    buttons = field(window, step, path).findChildren(QPushButton)
    next(button for button in buttons if button.text() == text).click()


def typed(window, step, path, text):
    box = field(window, step, path)
    box.edit.setText(text)
    box.edit.textEdited.emit(text)


def chosen(window, step, path, name):
    box = field(window, step, path)
    box.edit.setText(name)
    box.edit.returnPressed.emit()


def likely(window):
    return window.answer.estimate.devices[0].total.likely


def test_from_an_empty_enquiry_to_the_sheet(window, tmp_path):
    typed(window, "use", "customer.name", "Beispielkunde GmbH")
    chip(window, "use", f"{WORKLOAD}.task", "QLoRA")
    chosen(window, "model", f"{WORKLOAD}.model", "Qwen/Qwen3-14B")
    before = likely(window)
    typed(window, "load", f"{WORKLOAD}.context", "8192")
    assert likely(window) > before

    chosen(window, "gpus", f"{MACHINE}.gpus.0.gpu", "GeForce RTX 4090")
    typed(window, "gpus", f"{MACHINE}.gpus.0.count", "2")
    assert len(window.answer.estimate.devices) == 2
    assert window.answer.estimate.plan.dp == 2

    typed(window, "machine", f"{MACHINE}.ram_gb", "64")
    chosen(window, "machine", f"{MACHINE}.psu", "corsair-rm1000e-1000w")
    supply = next(one for one in window.answer.findings.findings if one.id == "power.psu")
    assert supply.severity == "error"
    window.workspace._mend(supply.change)
    assert not any(
        one.severity == "error" for one in window.answer.findings.findings if one.id.startswith("power")
    )

    saved = tmp_path / "enquiry.yaml"
    window.filing.save_to(saved)
    assert not window.document.dirty
    assert load_project(saved) == window.document.project
    window.export_to(tmp_path / "quote.pdf")
    assert (tmp_path / "quote.pdf").read_bytes().startswith(b"%PDF")


def test_undo_takes_back_and_redo_brings_again(window):
    first = window.document.project
    typed(window, "load", f"{WORKLOAD}.context", "16384")
    assert value_at(window.document.project, f"{WORKLOAD}.context") == 16384
    window.document.undo()
    assert window.document.project == first
    window.document.redo()
    assert value_at(window.document.project, f"{WORKLOAD}.context") == 16384


def test_nonsense_is_marked_and_harms_nothing(window):
    before = window.document.project
    typed(window, "load", f"{WORKLOAD}.context", "viel")
    assert window.document.project == before
    chosen(window, "model", f"{WORKLOAD}.model", "nobody/nothing")
    assert window.answer is None
    window.document.undo()
    assert window.answer is not None


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("step", [step.id for step in STEPS])
def test_every_step_opens_in_every_language_and_theme(qtbot, step, language, theme):
    window = MainWindow(load_catalog(), judged, language=language, theme=theme)
    qtbot.addWidget(window)
    window.go_to(step_named(step))
    for path, widget in window.workspace.form.fields.items():
        assert widget.accessibleName(), path


def test_a_vision_framework_asks_for_the_resolution_and_says_that_it_is_not_computed_yet(window):
    chip(window, "use", f"{WORKLOAD}.task", "Volles Training")
    chosen(window, "model", f"{WORKLOAD}.framework", "Ultralytics")
    typed(window, "load", f"{WORKLOAD}.resolution", "1280 x 720")
    assert window.document.project.workloads[0].workload.resolution == (1280, 720)
    assert window.answer is None


def test_the_share_of_a_mac_can_be_raised(window):
    chosen(window, "model", f"{WORKLOAD}.framework", "MLX (mlx-lm)")
    chosen(window, "gpus", f"{MACHINE}.gpus.0.gpu", "Mac Studio M3 Ultra 96 GB")
    assert window.answer.estimate.devices[0].capacity == 72 * 2**30
    chip(window, "gpus", f"{MACHINE}.gpu_share", "85 %")
    assert window.answer.estimate.devices[0].capacity == round(0.85 * 96 * 2**30)


def test_the_language_changes_without_a_restart(window):
    assert "Anfrage" in window.bar.title
    window.speak("en")
    assert "nquiry" in window.bar.title


def test_references_to_none_survive_many_calls():
    # PySide6 6.12.0 on Python 3.11 loses a reference to None with every call and aborts.
    for _ in range(60_000):
        assert QObject().parent() is None


def test_limits_follow_and_a_remedy_is_one_click_and_one_step_back(window):
    typed(window, "load", f"{WORKLOAD}.context", "32768")
    typed(window, "load", f"{WORKLOAD}.batch", "8")
    assert window.answer.estimate.verdict != "fits"
    assert window.answer.estimate.remedies == ()
    window.settle()
    remedies = window.answer.estimate.remedies
    assert remedies and window.workspace.remedies.isVisible()
    before = window.document.project
    buttons = window.workspace.remedies.findChildren(QPushButton)
    next(one for one in buttons if one.text() == "einsetzen").click()
    assert window.answer.estimate.verdict == remedies[0].verdict == "fits"
    assert not window.workspace.remedies.isVisible()
    window.document.undo()
    assert window.document.project == before


def test_where_nothing_helps_the_window_says_so(window):
    chip(window, "use", f"{WORKLOAD}.task", "Vortraining")
    chosen(window, "model", f"{WORKLOAD}.model", "deepseek-ai/DeepSeek-V3")
    window.settle()
    assert window.answer.estimate.remedies == ()
    card = window.workspace.remedies
    assert card.isVisible()
    assert any("andere Klasse" in one.text() for one in card.findChildren(QLabel))


def test_typing_drops_what_was_to_follow(window, qtbot):
    typed(window, "load", f"{WORKLOAD}.context", "2048")
    typed(window, "load", f"{WORKLOAD}.context", "4096")
    qtbot.waitUntil(lambda: window.answer.estimate.limits.max_context is not None)
    assert window.answer.case.workload.context == 4096


def test_a_step_opened_and_a_name_typed_ask_the_engine_nothing(window):
    window.settle()
    known = window.answer
    typed(window, "use", "customer.name", "Beispielkunde GmbH")
    window.go_to(step_named("load"))
    assert window.answer is known
