"""Nothing is lost: unsaved work lies in a file of its own, and after a crash or a flat battery it is offered.

Every open document has such a file and a lock beside it. A file whose lock nobody holds is left over.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from types import TracebackType

from platformdirs import user_state_path
from PySide6.QtCore import QLockFile, QObject, QTimer

from configurator import PROGRAM
from configurator.crash import write_crash
from configurator.domain.errors import BadInput
from configurator.gui.document import Document
from configurator.store.files import make_folder
from configurator.store.project import load_project, save_project

PAUSE = 1000
"""Milliseconds after an edit until it is kept."""


def recovery_folder() -> Path:
    """Return where unsaved work is kept."""
    return user_state_path(PROGRAM) / "recovery"


class Recovery(QObject):
    """Keeps a file of the document's unsaved state; a saved or given up document has none."""

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._lock, self.path = _own_place()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self.write)
        document.changed.connect(self._changed)

    def _changed(self) -> None:
        if self._document.dirty:
            self._timer.start()
        else:
            self.forget()

    def write(self) -> None:
        """Keep the unsaved state now."""
        self._timer.stop()
        if self._document.dirty:
            save_project(self._document.project, self.path)

    def forget(self) -> None:
        """Drop the kept state: it is saved, or was given up."""
        self._timer.stop()
        self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Give up the place at the end of the program."""
        self.forget()
        self._lock.unlock()


def _own_place() -> tuple[QLockFile, Path]:
    """Return the first free place of the folder, locked. Raises BadInput."""
    folder = recovery_folder()
    make_folder(folder)
    for number in count(1):
        path = folder / f"enquiry-{number}.yaml"
        if path.exists():
            continue
        lock = _lock_of(path)
        if lock.tryLock(0):
            return lock, path
    raise AssertionError


def _lock_of(path: Path) -> QLockFile:
    lock = QLockFile(str(path.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    return lock


@dataclass(frozen=True, slots=True)
class LeftOver:
    """Work that a program which ended without asking left behind."""

    path: Path
    when: datetime


def left_over() -> list[LeftOver]:
    """Return what can be recovered, the newest first."""
    found = []
    for path in recovery_folder().glob("enquiry-*.yaml"):
        lock = _lock_of(path)
        if lock.tryLock(0):
            lock.unlock()
            found.append(LeftOver(path, datetime.fromtimestamp(path.stat().st_mtime)))
    return sorted(found, key=lambda one: one.when, reverse=True)


def recover(one: LeftOver, document: Document) -> None:
    """Put left-over work on the desk, unsaved as it was, and drop its file. Raises BadInput."""
    project = load_project(one.path)
    document.open(project, None)
    document.unsaved()
    one.path.unlink(missing_ok=True)


def watch(recovery: Recovery) -> None:
    """From now on no error is lost, and no error takes the work along."""

    def caught(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if isinstance(problem, KeyboardInterrupt):
            sys.__excepthook__(kind, problem, trace)
            return
        log = write_crash(problem)
        try:
            recovery.write()
        except BadInput as lost:
            print(lost.text, file=sys.stderr)
        print(f"program error, written to {log}; the enquiry to {recovery.path}", file=sys.stderr)

    sys.excepthook = caught
