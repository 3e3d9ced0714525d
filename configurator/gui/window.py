"""The main window: menus, top bar, and the workspace once the catalogue is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from configurator.advice.answer import Answer
from configurator.gui.asking import Ask, new_project
from configurator.gui.document import Document
from configurator.gui.filing import Filing
from configurator.gui.flow import Step, step_named
from configurator.gui.look import Look
from configurator.gui.menus import Menus
from configurator.gui.notice import Notice
from configurator.gui.style import apply_style
from configurator.gui.topbar import TopBar
from configurator.texts import say_in

if TYPE_CHECKING:
    from configurator.catalog.catalog import Catalog
    from configurator.gui.workspace import Workspace


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
        self.setAcceptDrops(True)
        self.theme = theme
        self.look = Look(language, theme or _system_theme())
        self.document = Document(new_project(date.today()))
        self.filing = Filing(self, self.document, lambda: say_in(self.look.language))
        self.step = step_named(None)
        self.workspace: Workspace | None = None
        self.closed: list[Callable[[], object]] = []
        """What is done when the window has closed for good."""
        self._panes = QByteArray()
        self._catalog, self._ask = catalog, answer
        self._dress()
        self.document.changed.connect(self._show_state)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
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
        self.notice = Notice(say)
        if self.workspace is not None:
            self.step, self._panes = self.workspace.step, self.workspace.panes.saveState()
            self.document.changed.disconnect(self.workspace.refresh)
            self.workspace.later.drop()
        frame = QWidget()
        frame.setObjectName("ground")
        column = QVBoxLayout(frame)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.notice)
        if self._catalog is not None and self._ask is not None:
            from configurator.gui.workspace import Workspace

            self.workspace = Workspace(self.document, self._catalog, self._ask, self.look, self.step)
            self.workspace.panes.restoreState(self._panes)
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
        """The answer to what is looked at; None: it cannot be answered."""
        return self.workspace.answer if self.workspace else None

    @property
    def panes(self) -> QByteArray:
        """How wide the panes are."""
        return self.workspace.panes.saveState() if self.workspace else self._panes

    def place(self, geometry: QByteArray, panes: QByteArray) -> None:
        """Stand where the window stood the last time; an empty place changes nothing."""
        self.restoreGeometry(geometry)
        self._panes = panes

    def settle(self) -> None:
        """Finish at once what follows the picture: limits and remedies."""
        if self.workspace is not None:
            self.workspace.later.finish()

    def speak(self, language: str) -> None:
        """Change the language of the window."""
        self._look_like(replace(self.look, language=language))

    def wear(self, theme: str | None) -> None:
        """Change the theme; None follows the system."""
        self.theme = theme
        self._look_like(replace(self.look, theme=theme or _system_theme()))

    def present(self, presenting: bool) -> None:
        """Begin or end showing the window to the customer: larger type, nothing of the workshop's own."""
        self._look_like(replace(self.look, presenting=presenting))

    def _look_like(self, look: Look) -> None:
        if look != self.look:
            self.look = look
            self._dress()

    def _follow_system(self) -> None:
        if self.theme is None:
            self.wear(None)

    def new(self) -> None:
        """Begin another enquiry."""
        if self.filing.may_leave():
            self.document.open(new_project(date.today()), None)

    def export_to(self, path: Path) -> None:
        """Write the quote sheet as PDF. Raises BadInput."""
        assert self._catalog is not None
        project = self.document.project
        from configurator.quote.export import export_pdf
        from configurator.store.files import write_whole

        write_whole(path, export_pdf(project, self._catalog, project.language))

    def export_dialog(self) -> None:
        """Ask where the quote sheet goes."""
        from PySide6.QtWidgets import QFileDialog

        say = say_in(self.look.language)
        name = self.document.project.number or say("quote")
        proposed = f"{name}.pdf"
        name, _ = QFileDialog.getSaveFileName(self, say("Quote as PDF"), proposed, "*.pdf")
        if name:
            self.filing.trying(self.export_to, Path(name))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files that are dragged in."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open an enquiry, or take a model from its own file."""
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.take(Path(url.toLocalFile()))

    def take(self, path: Path) -> None:
        """Open an enquiry that was dropped on the window."""
        if self.filing.may_leave():
            self.filing.trying(self.filing.open, path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask before unsaved work is lost."""
        leaves = self.filing.may_leave()
        event.setAccepted(leaves)
        for act in self.closed if leaves else ():
            act()

    def _show_state(self) -> None:
        self.bar.show_document(self.document)
        self.menus.show_document(self.document)
        self.setWindowTitle(f"{self.bar.title}[*]")
        self.setWindowModified(self.document.dirty)


def _system_theme() -> str:
    scheme = QGuiApplication.styleHints().colorScheme()
    return "dark" if scheme == Qt.ColorScheme.Dark else "light"
