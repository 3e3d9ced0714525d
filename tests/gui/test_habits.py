"""What people expect of a document: it is never lost, never overwritten unasked, and opens where it was."""

import os
import subprocess
import sys
from datetime import date

import pytest
from PySide6.QtCore import QMimeData, QUrl
from PySide6.QtWidgets import QMessageBox

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.gui.app import offer_left_over, settle_in
from configurator.gui.asking import new_project
from configurator.gui.document import Document
from configurator.gui.recovery import Recovery, left_over, recovery_folder
from configurator.gui.remembered import recent_files, remember_look, remembered_look
from configurator.gui.window import MainWindow
from configurator.store.project import load_project, save_project


@pytest.fixture
def window(qtbot):
    made = MainWindow(load_catalog(), judged, language="en", theme="light")
    qtbot.addWidget(made, before_close_func=lambda one: one.document.saved(one.document.path))
    made.show()
    return made


def type_size(window):
    window.bar.export.ensurePolished()
    return window.bar.export.font().pixelSize()


def named(project, name):
    return project.model_copy(update={"purpose": name})


def answer_with(monkeypatch, text):
    """Press the button with a text in the next question; return what was asked."""
    asked = []

    def press(box):
        asked.append(box.text())
        next(one for one in box.buttons() if one.text() == text).click()

    monkeypatch.setattr(QMessageBox, "exec", press)
    return asked


def test_the_battery_dies_and_the_work_is_offered_at_the_next_start(qtbot, tmp_path):
    code = (
        "import os\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from configurator.gui.document import Document\n"
        "from configurator.gui.recovery import Recovery\n"
        "from configurator.gui.asking import new_project\n"
        "from datetime import date\n"
        "app = QApplication([])\n"
        "document = Document(new_project(date(2026, 12, 1)))\n"
        "recovery = Recovery(document, app)\n"
        "document.swap(document.project.model_copy(update={'purpose': 'minute 16'}))\n"
        "recovery.write()\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", code], env=os.environ, check=False, timeout=60)
    window = MainWindow(load_catalog(), judged, language="en", theme="light")
    qtbot.addWidget(window, before_close_func=lambda one: one.document.saved(one.document.path))
    settle_in(window)
    offer_left_over(window)
    assert not window.notice.isHidden()
    buttons = {one.text(): one for one in window.notice.findChildren(type(window.bar.export))}
    buttons["Continue it"].click()
    assert window.document.project.purpose == "minute 16"
    assert window.document.dirty and window.notice.isHidden()
    assert left_over() == []
    for act in window.closed:
        act()


def test_work_of_a_program_that_still_runs_is_not_offered_to_another(qtbot):
    document = Document(new_project(date(2026, 12, 1)))
    recovery = Recovery(document, document)
    document.swap(named(document.project, "open elsewhere"))
    recovery.write()
    assert recovery.path.exists()
    assert left_over() == []
    second = Recovery(Document(new_project(date(2026, 12, 1))), document)
    assert second.path != recovery.path
    document.saved(None)
    assert not recovery.path.exists()
    recovery.close()
    second.close()


def test_an_edit_is_kept_a_moment_later_by_itself(qtbot):
    document = Document(new_project(date(2026, 12, 1)))
    recovery = Recovery(document, document)
    document.swap(named(document.project, "typed"))
    qtbot.waitUntil(recovery.path.exists, timeout=5000)
    assert load_project(recovery.path).purpose == "typed"
    document.undo()
    assert not recovery.path.exists()
    recovery.close()
    assert not list(recovery_folder().glob("*.yaml"))


def test_two_consultants_edit_the_same_enquiry(window, tmp_path, monkeypatch):
    path = tmp_path / "shared.yaml"
    window.filing.save_to(path)
    save_project(named(window.document.project, "by the colleague"), path)
    window.document.swap(named(window.document.project, "mine"))
    asked = answer_with(monkeypatch, "Cancel")
    assert not window.filing.save()
    assert "changed by somebody else" in asked[0]
    assert load_project(path).purpose == "by the colleague"
    answer_with(monkeypatch, "Overwrite")
    assert window.filing.save()
    assert load_project(path).purpose == "mine"
    window.document.swap(named(window.document.project, "again"))
    assert window.filing.save()
    assert load_project(path).purpose == "again"


def test_files_that_were_open_last_are_remembered_while_they_exist(window, tmp_path):
    paths = [tmp_path / f"{number}.yaml" for number in range(10)]
    for path in paths:
        window.filing.save_to(path)
    assert recent_files() == paths[:1:-1]
    paths[9].unlink()
    assert recent_files()[0] == paths[8]


def test_an_enquiry_is_dragged_in(window, tmp_path):
    path = tmp_path / "sent.yaml"
    save_project(named(new_project(date(2026, 12, 1)), "sent by mail"), path)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    assert data.hasUrls()
    window.take(path)
    assert window.document.project.purpose == "sent by mail"
    assert window.document.path == path and not window.document.dirty


def test_a_file_that_is_none_is_refused_in_words_and_the_work_stays(window, tmp_path, monkeypatch):
    said = []
    monkeypatch.setattr(QMessageBox, "warning", lambda *parts: said.append(parts[-1]))
    path = tmp_path / "letter.yaml"
    path.write_text("dear: all\n", encoding="utf-8")
    before = window.document.project
    window.take(path)
    assert window.document.project == before
    assert "letter.yaml" in said[0]


def test_language_and_theme_are_remembered():
    assert remembered_look() == (None, None)
    remember_look("en", "dark")
    assert remembered_look() == ("en", "dark")
    remember_look("de", None)
    assert remembered_look() == ("de", None)


def test_presenting_makes_the_type_larger_and_keeps_the_work(window):
    project, before = window.document.project, type_size(window)
    window.present(True)
    assert window.document.project is project
    assert type_size(window) > before
    window.present(False)
    assert type_size(window) == before


def test_every_key_of_the_menus_is_listed_once(window):
    keys = list(window.menus.shortcuts())
    assert len(keys) > 15
    assert len({key for _, key in keys}) == len(keys)
    assert all(text for text, _ in keys)
