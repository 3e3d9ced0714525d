"""What happens when the program errs: a crash log, and the user's work in a file of its own."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from types import TracebackType

from platformdirs import user_log_path

from configurator import PROGRAM
from configurator.crash import write_crash
from configurator.gui.document import Document
from configurator.store.project import save_project


def keep(document: Document, problem: BaseException) -> tuple[Path, Path]:
    """Write crash log and recovery file; return both."""
    log = write_crash(problem)
    folder = user_log_path(PROGRAM, ensure_exists=True)
    rescued = folder / f"recovered-{datetime.now():%Y%m%d-%H%M%S}.yaml"
    save_project(document.project, rescued)
    return log, rescued


def watch(document: Document) -> None:
    """From now on no error is lost, and no error takes the work along."""

    def caught(kind: type[BaseException], problem: BaseException, trace: TracebackType | None) -> None:
        if isinstance(problem, KeyboardInterrupt):
            sys.__excepthook__(kind, problem, trace)
            return
        log, rescued = keep(document, problem)
        print(f"program error, written to {log}; the enquiry to {rescued}", file=sys.stderr)

    sys.excepthook = caught
