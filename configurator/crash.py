"""Crash log: what went wrong, where it can be found again."""

from __future__ import annotations

import traceback
from datetime import datetime
from pathlib import Path

from platformdirs import user_log_path

from configurator import PROGRAM


def write_crash(problem: BaseException) -> Path:
    """Write the trace of a program error and return the file."""
    folder = user_log_path(PROGRAM, ensure_exists=True)
    path = folder / f"crash-{datetime.now():%Y%m%d-%H%M%S}.log"
    path.write_text("".join(traceback.format_exception(problem)), encoding="utf-8")
    return path
