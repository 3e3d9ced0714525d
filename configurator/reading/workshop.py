"""The settings of the workshop: where their file lies, and reading it."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_config_path

from configurator import PROGRAM
from configurator.domain.workshop import Workshop
from configurator.reading.files import read_word


def workshop_file() -> Path:
    """Return the file in the user's configuration folder; `CONFIGURATOR_WORKSHOP` names another."""
    named = os.environ.get("CONFIGURATOR_WORKSHOP")
    return Path(named) if named else user_config_path(PROGRAM) / "workshop.yaml"


def load_workshop() -> Workshop:
    """Return the settings; without a file all at their defaults. Raises BadInput."""
    path = workshop_file()
    return read_word(path, Workshop) if path.exists() else Workshop()
