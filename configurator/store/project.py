"""The project file: load, and save so that a crash never harms the old file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import yaml

from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.project import Project
from configurator.reading.files import read_word


def load_project(path: Path) -> Project:
    """Return a project. Raises BadInput that names file, line and key."""
    return read_word(path, Project)


def save_project(project: Project, path: Path) -> None:
    """Write a project as YAML. Raises BadInput when the place cannot be written."""
    content = project.model_dump(mode="json", exclude_defaults=True)
    text = yaml.dump(
        {"format": project.format} | content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True
    )
    write_whole(path, text.encode())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step: beside it first, then in its place. Raises BadInput."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as beside:
            beside.write(content)
            beside.flush()
            os.fsync(beside.fileno())
        Path(beside.name).chmod(0o644)
        Path(beside.name).replace(path)
    except OSError as problem:
        raise BadInput(
            message(
                "{file}: cannot be written ({reason})",
                file=str(path),
                reason=problem.strerror or str(problem),
            )
        ) from problem
