"""How long the start takes, told to who asks by CONFIGURATOR_TRACE_STARTUP. No Qt."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

_IMPORTED = time.time()


def begun() -> float:
    """Return when the process began, in seconds since 1970; where the system tells only Linux ways, when
    this module was read."""
    try:
        ticks = int(Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        up = float(Path("/proc/uptime").read_text(encoding="utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return _IMPORTED
    return time.time() - (up - ticks / os.sysconf("SC_CLK_TCK"))


def trace(name: str) -> None:
    """Print seconds since the process began, where that is asked for."""
    if os.environ.get("CONFIGURATOR_TRACE_STARTUP"):
        print(f"{name} {time.time() - begun():.3f}", file=sys.stderr, flush=True)


def ends_when_ready() -> bool:
    """Whether the program is started only to be timed."""
    return os.environ.get("CONFIGURATOR_TRACE_STARTUP") == "quit"
