"""Where the program's data lies: beside the package in a checkout, inside it in an installation."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "_data"
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

CATALOGS = _ROOT / "catalogs"
RESOURCES = _ROOT / "resources"
