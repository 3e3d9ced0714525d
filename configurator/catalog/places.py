"""Where the program's data lies: beside the package in a checkout, inside it in an installation.

The workshop's own catalogue and the cache lie in the user's folders.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

_PROGRAM = "ai-workstation-configurator"
_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "_data"
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

CATALOGS = _ROOT / "catalogs"
RESOURCES = _ROOT / "resources"


def overlay_folder() -> Path:
    """Return the folder of the workshop's own parts and prices; `CONFIGURATOR_CATALOG` names another."""
    named = os.environ.get("CONFIGURATOR_CATALOG")
    return Path(named) if named else user_data_path(_PROGRAM) / "catalog"


def cache_folder() -> Path:
    """Return the folder that may be deleted at any time."""
    return user_cache_path(_PROGRAM) / "catalog"
