"""Files of the user: written in one step, so that a crash or a full disk never harms the old one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import yaml

from configurator.domain.base import Word
from configurator.domain.errors import BadInput
from configurator.domain.message import message


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system refuses into one message that names the file and the reason."""
    try:
        yield
    except OSError as problem:
        raise BadInput(
            message(
                "{file}: cannot be written ({reason})",
                file=str(path),
                reason=problem.strerror or str(problem),
            )
        ) from problem


def write_whole(path: Path, content: bytes) -> None:
    """Write a file in one step: beside it first, then in its place. Raises BadInput."""
    with writing(path):
        beside = tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False)  # noqa: SIM115
        try:
            with beside:
                beside.write(content)
                beside.flush()
                os.fsync(beside.fileno())
            Path(beside.name).chmod(0o644)
            Path(beside.name).replace(path)
        except OSError:
            with suppress(OSError):
                Path(beside.name).unlink()
            raise


def write_word(word: Word, path: Path) -> None:
    """Write a word of the contract as YAML, without what is at its default. Raises BadInput."""
    content = {"format": type(word).model_fields["format"].default} | word.model_dump(
        mode="json", exclude_defaults=True
    )
    text = yaml.dump(content, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
    write_whole(path, text.encode())


def make_folder(path: Path) -> None:
    """Make a folder where there is none. Raises BadInput."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)


def taken(path: Path) -> bool:
    """Create an empty file; whether somebody had created it before. Raises BadInput."""
    with writing(path):
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            return True
        return False
