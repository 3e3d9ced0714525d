"""Opening and saving enquiries, so that nobody's work is overwritten unasked."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton, QWidget

from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.gui.document import Document
from configurator.gui.remembered import remember_file
from configurator.store.project import load_project, save_project
from configurator.texts import Say

PROJECTS = "*.yaml *.yml"


class Filing:
    """The files of one document. Every question is asked above `window` in the language of `say`."""

    def __init__(self, window: QWidget, document: Document, say: Callable[[], Say]) -> None:
        self._window, self._document, self._language = window, document, say
        self._print: str | None = None

    def _say(self, text: str) -> str:
        return self._language()(text)

    def open(self, path: Path) -> None:
        """Put a saved enquiry on the desk. Raises BadInput."""
        self._document.open(load_project(path), path)
        self._print = _fingerprint(path)
        remember_file(path)

    def save_to(self, path: Path) -> None:
        """Save the enquiry. Raises BadInput."""
        save_project(self._document.project, path)
        self._document.saved(path)
        self._print = _fingerprint(path)
        remember_file(path)

    def open_dialog(self) -> None:
        """Ask which enquiry to open."""
        if not self.may_leave():
            return
        name, _ = QFileDialog.getOpenFileName(self._window, self._say("Open an enquiry"), "", PROJECTS)
        if name:
            self.trying(self.open, Path(name))

    def save(self) -> bool:
        """Save where the enquiry lies, else ask where; return whether it is saved."""
        path = self._document.path
        if path is None:
            return self.save_as()
        if path.exists() and _fingerprint(path) != self._print:
            return self._save_beside_another(path)
        return self.trying(self.save_to, path)

    def save_as(self) -> bool:
        """Ask where to save; return whether it is saved."""
        name = self._document.project.number or self._say("enquiry")
        named, _ = QFileDialog.getSaveFileName(
            self._window, self._say("Save the enquiry"), f"{name}.yaml", PROJECTS
        )
        return bool(named) and self.trying(self.save_to, Path(named))

    def _save_beside_another(self, path: Path) -> bool:
        """Ask what to do with a file that somebody else has changed; return whether it is saved."""
        text = message("{file} was changed by somebody else since it was opened here.", file=path.name)
        asked, (copy, over) = self._asked(
            self._language()(text), self._say("Save as a copy …"), self._say("Overwrite")
        )
        if asked is copy:
            return self.save_as()
        return asked is over and self.trying(self.save_to, path)

    def may_leave(self) -> bool:
        """Whether the work on the desk is saved or may be given up."""
        if not self._document.dirty:
            return True
        asked, (save, drop) = self._asked(
            self._say("Save the changes first?"), self._say("Save"), self._say("Discard")
        )
        return self.save() if asked is save else asked is drop

    def _asked(self, text: str, first: str, second: str) -> tuple[object, tuple[QPushButton, QPushButton]]:
        """Ask with two answers and a third that cancels; return what was pressed, and the two."""
        box = QMessageBox(QMessageBox.Icon.Question, self._window.windowTitle(), text, parent=self._window)
        answers = (
            box.addButton(first, QMessageBox.ButtonRole.AcceptRole),
            box.addButton(second, QMessageBox.ButtonRole.DestructiveRole),
        )
        cancel = box.addButton(self._say("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setEscapeButton(cancel)
        box.exec()
        return box.clickedButton(), answers

    def trying(self, act: Callable[[Path], object], path: Path) -> bool:
        """Do something with a file; what goes wrong is a sentence, not an end."""
        try:
            act(path)
        except BadInput as problem:
            QMessageBox.warning(self._window, self._window.windowTitle(), self._language()(problem.text))
            return False
        return True


def _fingerprint(path: Path) -> str | None:
    """Return what tells one state of a file from another; None where it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None
