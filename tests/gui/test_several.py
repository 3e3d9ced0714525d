"""Several workloads and machines on the desk: added, looked at, copied, taken away, and back."""

from datetime import date

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Project, ProjectMachine, ProjectWorkload
from configurator.domain.workload import Workload
from configurator.gui.arrangement import added, copied, removed
from configurator.gui.flow import step_named
from configurator.gui.focus import Focus, kept, seen
from configurator.gui.naming import letter
from configurator.gui.question import MACHINE, WORKLOAD
from configurator.gui.window import MainWindow

PROJECT = Project(
    date=date(2026, 12, 1),
    workloads=tuple(
        ProjectWorkload(name=name, workload=Workload(task="lora", model="meta-llama/Llama-3.1-8B"))
        for name in ("one", "two", "three")
    ),
    machines=tuple(
        ProjectMachine(name=name, machine=Machine(gpus=(Gpus(gpu="geforce-rtx-4090"),))) for name in "AB"
    ),
)


@pytest.fixture
def window(qtbot):
    made = MainWindow(load_catalog(), judged, language="en", theme="light")
    qtbot.addWidget(made, before_close_func=lambda one: one.document.saved(one.document.path))
    made.show()
    return made


def press(window, text):
    QApplication.processEvents()
    buttons = window.workspace.strip.findChildren(QPushButton)
    next(one for one in buttons if one.text().startswith(text) and one.isVisible()).click()


@pytest.mark.parametrize("focus", [Focus(w, m) for w in range(3) for m in range(2)])
def test_what_is_looked_at_stands_in_front_and_goes_back_to_its_place(focus):
    front = seen(PROJECT, focus)
    assert front.workloads[0] == PROJECT.workloads[focus.workload]
    assert front.machines[0] == PROJECT.machines[focus.machine]
    assert kept(front, focus) == PROJECT


def test_copies_stand_beside_their_original_and_the_last_one_stays():
    more, focus = copied(PROJECT, Focus(1, 0), "workload", lambda text: "two again")
    assert [one.name for one in more.workloads] == ["one", "two", "two again", "three"]
    assert focus == Focus(2, 0)
    fewer, focus = removed(more, focus, "workload")
    assert fewer == PROJECT
    fewer, focus = removed(PROJECT, Focus(0, 1), "machine")
    assert [one.name for one in fewer.machines] == ["A"] and focus == Focus(0, 0)
    assert removed(fewer, focus, "machine") == (fewer, focus)


def test_a_new_workload_serves_the_model_that_is_on_the_desk():
    more, focus = added(PROJECT, Focus(0, 0), "workload", str)
    assert more.workloads[focus.workload].workload.task == "serving"
    assert more.workloads[focus.workload].workload.model == "meta-llama/Llama-3.1-8B"


def test_letters_go_on_behind_z():
    assert [letter(place) for place in (0, 1, 25, 26, 52)] == ["A", "B", "Z", "A2", "A3"]


def test_what_if_ten_people_use_it_afterwards(window):
    press(window, "+ workload")
    assert window.document.focus == Focus(1, 0)
    assert window.answer.case.workload.task == "serving"
    field = window.workspace.form
    window.go_to(step_named("load"))
    field.fields[f"{WORKLOAD}.concurrency"].edit.setText("40")
    field.fields[f"{WORKLOAD}.concurrency"].edit.textEdited.emit("40")
    assert [one.workload.concurrency for one in window.document.project.workloads] == [None, 40]

    press(window, "Llama-3.1-8B · fits")
    assert window.document.focus == Focus(0, 0)
    apart = window.answer.estimate.devices[0].total.likely
    press(window, "at the same time")
    assert window.document.project.together
    assert window.answer.estimate.devices[0].total.likely > apart
    entries = window.answer.estimate.devices[0].entries
    assert any(one.component == "other_apps" for one in entries)
    window.document.undo()
    assert window.answer.estimate.devices[0].total.likely == apart


def test_a_second_machine_is_edited_without_touching_the_first(window):
    press(window, "+ machine")
    window.go_to(step_named("gpus"))
    box = window.workspace.form.fields[f"{MACHINE}.gpus.0.gpu"]
    box.edit.setText("GeForce RTX 4090")
    box.edit.returnPressed.emit()
    first, second = (one.machine.gpus[0].gpu for one in window.document.project.machines)
    assert (first, second) == ("geforce-rtx-5090", "geforce-rtx-4090")
    assert window.answer.estimate.devices[0].name == "GeForce RTX 4090"
    window.document.undo()
    window.document.undo()
    assert len(window.document.project.machines) == 1
    assert window.document.focus == Focus(0, 0)
