"""Where the program's data lies: beside the package in a checkout, inside it in an installation.

The workshop's own catalogue and the cache lie in the user's folders.
"""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from configurator import PROGRAM
from configurator.reading.workshop import load_workshop

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "_data"
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent

CATALOGS = _ROOT / "catalogs"
RESOURCES = _ROOT / "resources"


def overlay_folder() -> Path:
    """Return the folder of the workshop's own parts and prices.

    `CONFIGURATOR_CATALOG` names another, else the workshop's settings do. Raises BadInput for broken settings.
    """
    named = os.environ.get("CONFIGURATOR_CATALOG") or load_workshop().overlay_folder
    return Path(named) if named else user_data_path(PROGRAM) / "catalog"


def brand_folder() -> Path:
    """Return the folder of the workshop's own template, colours, fonts and logo, which need not exist."""
    named = load_workshop().brand_folder
    return Path(named) if named else overlay_folder().parent / "brand"


def cache_folder() -> Path:
    """Return the folder that may be deleted at any time."""
    return user_cache_path(PROGRAM) / "catalog"
