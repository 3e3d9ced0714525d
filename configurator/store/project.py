"""The project file: load and save."""

from __future__ import annotations

from pathlib import Path

from configurator.domain.project import Project
from configurator.reading.files import read_word
from configurator.store.files import write_word


def load_project(path: Path) -> Project:
    """Return a project. Raises BadInput that names file, line and key."""
    return read_word(path, Project)


def save_project(project: Project, path: Path) -> None:
    """Write a project as YAML. Raises BadInput when the place cannot be written."""
    write_word(project, path)
