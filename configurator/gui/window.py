"""The main window: menus, top bar, and the workspace once the catalogue is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMainWindow, QMessageBox, QVBoxLayout, QWidget

from configurator.advice.answer import Answer
from configurator.domain.errors import BadInput
from configurator.gui.asking import Ask, new_project
from configurator.gui.document import Document
from configurator.gui.flow import Step, step_named
from configurator.gui.look import Look
from configurator.gui.menus import Menus
from configurator.gui.style import apply_style
from configurator.gui.topbar import TopBar
from configurator.store.files import write_whole
from configurator.store.project import load_project, save_project
from configurator.texts import say_in

if TYPE_CHECKING:
    from configurator.catalog.catalog import Catalog
    from configurator.gui.workspace import Workspace

_PROJECTS = "*.yaml *.yml"


class MainWindow(QMainWindow):
    """One enquiry on the desk. Without a catalogue it is an empty frame until `furnish`."""

    def __init__(
        self,
        catalog: Catalog | None = None,
        answer: Ask | None = None,
        language: str = "de",
        theme: str | None = None,
    ) -> None:
        super().__init__()
        self.theme = theme
        self.look = Look(language, theme or _system_theme())
        self.document = Document(new_project(date.today()))
        self.step = step_named(None)
        self.workspace: Workspace | None = None
        self._catalog, self._ask = catalog, answer
        self._dress()
        self.document.changed.connect(self._show_state)
        if catalog is not None and answer is not None:
            self.furnish(catalog, answer)

    def furnish(self, catalog: Catalog, answer: Ask) -> None:
        """Put the workspace into the frame."""
        self._catalog, self._ask = catalog, answer
        self._dress()

    def _dress(self) -> None:
        """Build everything that carries words or colours; the document stays as it is."""
        apply_style(self.look)
        say = say_in(self.look.language)
        self.menus = Menus(self, say)
        self.bar = TopBar(say, self.export_dialog)
        if self.workspace is not None:
            self.step = self.workspace.step
            self.document.changed.disconnect(self.workspace.refresh)
            self.workspace.later.drop()
        frame = QWidget()
        frame.setObjectName("ground")
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        if self._catalog is not None and self._ask is not None:
            from configurator.gui.workspace import Workspace

            self.workspace = Workspace(self.document, self._catalog, self._ask, self.look, self.step)
            column.addWidget(self.workspace, 1)
        else:
            column.addStretch(1)
        self.setCentralWidget(frame)
        self._show_state()

    def go_to(self, step: Step) -> None:
        """Open a step, now or as soon as the workspace is there."""
        self.step = step
        if self.workspace is not None:
            self.workspace.go_to(step)

    @property
    def answer(self) -> Answer | None:
        """The answer to the project on the desk; None: it cannot be answered."""
        return self.workspace.answer if self.workspace else None

    def settle(self) -> None:
        """Finish at once what follows the picture: limits and remedies."""
        if self.workspace is not None:
            self.workspace.later.finish()

    def speak(self, language: str) -> None:
        """Change the language of the window."""
        self.look = Look(language, self.look.theme)
        self._dress()

    def wear(self, theme: str | None) -> None:
        """Change the theme; None follows the system."""
        self.theme = theme
        self.look = Look(self.look.language, theme or _system_theme())
        self._dress()

    def new(self) -> None:
        """Begin another enquiry."""
        if self._may_leave():
            self.document.open(new_project(date.today()), None)

    def open_file(self, path: Path) -> None:
        """Put a saved enquiry on the desk. Raises BadInput."""
        self.document.open(load_project(path), path)

    def save_to(self, path: Path) -> None:
        """Save the enquiry. Raises BadInput."""
        save_project(self.document.project, path)
        self.document.saved(path)

    def export_to(self, path: Path) -> None:
        """Write the quote sheet as PDF. Raises BadInput."""
        assert self._catalog is not None
        project = self.document.project
        from configurator.quote.export import export_pdf

        write_whole(path, export_pdf(project, self._catalog, project.language))

    def open_dialog(self) -> None:
        """Ask which enquiry to open."""
        if not self._may_leave():
            return
        say = say_in(self.look.language)
        name, _ = QFileDialog.getOpenFileName(self, say("Open an enquiry"), "", _PROJECTS)
        if name:
            self._trying(self.open_file, Path(name))

    def save(self) -> bool:
        """Save where the enquiry lies, else ask where; return whether it is saved."""
        return self._trying(self.save_to, self.document.path) if self.document.path else self.save_as()

    def save_as(self) -> bool:
        """Ask where to save; return whether it is saved."""
        say = say_in(self.look.language)
        name = self.document.project.number or say("enquiry")
        proposed = f"{name}.yaml"
        name, _ = QFileDialog.getSaveFileName(self, say("Save the enquiry"), proposed, _PROJECTS)
        return bool(name) and self._trying(self.save_to, Path(name))

    def export_dialog(self) -> None:
        """Ask where the quote sheet goes."""
        say = say_in(self.look.language)
        name = self.document.project.number or say("quote")
        proposed = f"{name}.pdf"
        name, _ = QFileDialog.getSaveFileName(self, say("Quote as PDF"), proposed, "*.pdf")
        if name:
            self._trying(self.export_to, Path(name))

    def _trying(self, act: Callable[[Path], None], path: Path) -> bool:
        """Do something with a file; what goes wrong is a sentence, not an end."""
        try:
            act(path)
        except BadInput as problem:
            QMessageBox.warning(self, self.windowTitle(), say_in(self.look.language)(problem.text))
            return False
        return True

    def _may_leave(self) -> bool:
        """Whether the work on the desk is saved or may be given up."""
        if not self.document.dirty:
            return True
        say, buttons = say_in(self.look.language), QMessageBox.StandardButton
        asked = QMessageBox(QMessageBox.Icon.Question, self.windowTitle(), say("Save the changes first?"))
        save = asked.addButton(say("Save"), QMessageBox.ButtonRole.AcceptRole)
        drop = asked.addButton(say("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        asked.addButton(say("Cancel"), QMessageBox.ButtonRole.RejectRole)
        asked.setEscapeButton(buttons.NoButton)
        asked.exec()
        return self.save() if asked.clickedButton() is save else asked.clickedButton() is drop

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before unsaved work is lost."""
        event.setAccepted(self._may_leave())

    def _show_state(self) -> None:
        self.bar.show_document(self.document)
        self.menus.show_document(self.document)
        self.setWindowTitle(f"{self.bar.title}[*]")
        self.setWindowModified(self.document.dirty)


def _system_theme() -> str:
    scheme = QGuiApplication.styleHints().colorScheme()
    return "dark" if scheme == Qt.ColorScheme.Dark else "light"
