"""The document: an immutable project that is swapped whole, so undo is keeping the old one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from configurator.domain.project import Project
from configurator.gui.focus import Focus, kept, seen


class Document(QObject):
    """The project on the desk, what it was before, what of it is looked at, and where it is saved."""

    changed = Signal()

    def __init__(self, project: Project, path: Path | None = None) -> None:
        super().__init__()
        self._past: list[Project] = []
        self._future: list[Project] = []
        self.focus = Focus()
        self._typing: str | None = None
        self.open(project, path)

    def open(self, project: Project, path: Path | None) -> None:
        """Put another project on the desk."""
        self.project, self.path = project, path
        self._saved: Project | None = project
        self.focus = Focus()
        self._past, self._future, self._typing = [], [], None
        self.changed.emit()

    def swap(self, project: Project, typing: str | None = None) -> None:
        """Replace the project. Changes under the same `typing` key are one step of undo."""
        if project == self.project:
            return
        if typing is None or typing != self._typing:
            self._past.append(self.project)
        self._typing = typing
        self._future.clear()
        self.project = project
        self.focus = self.focus.within(project)
        self.changed.emit()

    @property
    def seen(self) -> Project:
        """The project with the workload and the machine that are looked at in front."""
        return seen(self.project, self.focus)

    def swap_seen(self, project: Project, typing: str | None = None) -> None:
        """Replace the project by one that began as `seen`."""
        self.swap(kept(project, self.focus), typing and f"{self.focus} {typing}")

    def look_at(self, focus: Focus) -> None:
        """Lay another workload or machine of the same project on the desk."""
        if focus != self.focus:
            self.focus, self._typing = focus, None
            self.changed.emit()

    def arrange(self, project: Project, focus: Focus) -> None:
        """Replace the project and look at another part of it, in one step of undo."""
        self.focus = focus
        self.swap(project)

    def undo(self) -> None:
        """Go back one step, if there is one."""
        self._step(self._past, self._future)

    def redo(self) -> None:
        """Go forward one step, if there is one."""
        self._step(self._future, self._past)

    def _step(self, source: list[Project], target: list[Project]) -> None:
        if source:
            target.append(self.project)
            self.project = source.pop()
            self.focus = self.focus.within(self.project)
            self._typing = None
            self.changed.emit()

    def saved(self, path: Path) -> None:
        """Note that the project lies at `path` as it is now."""
        self.path, self._saved = path, self.project
        self.changed.emit()

    def unsaved(self) -> None:
        """Note that the project, as it is now, lies nowhere."""
        self._saved = None
        self.changed.emit()

    @property
    def dirty(self) -> bool:
        """Whether something is not saved."""
        return self.project != self._saved

    @property
    def can_undo(self) -> bool:
        """Whether there is a step back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step forward."""
        return bool(self._future)
