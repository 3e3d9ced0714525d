"""Reading files: YAML by the C loader, every problem as one message with file, line and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from configurator.domain.base import Word
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.reading.nodes import repeated_key
from configurator.reading.problems import first_problem

W = TypeVar("W", bound=Word)


def read_yaml(path: Path) -> Any:
    """Return what a YAML or JSON file holds. Raises BadInput for a missing, broken or ambiguous file."""
    loader = yaml.CSafeLoader(_text(path))
    try:
        node = loader.get_single_node()
        repeated = repeated_key(node)
        if repeated is None:
            return loader.construct_document(node) if node else None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        reason = getattr(problem, "problem", None) or str(problem).splitlines()[0]
        raise BadInput(
            message("{file}, line {line}: broken YAML ({reason})", file=str(path), line=line, reason=reason)
        ) from problem
    # YAML would keep the last of the two in silence, and the customer's answer would be lost.
    raise BadInput(
        message(
            "{file}, line {line}: {key} stands here a second time; keep one of the two",
            file=str(path),
            line=repeated.start_mark.line + 1,
            key=repeated.value,
        )
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            message(
                "{file}: cannot be read ({reason})", file=str(path), reason=problem.strerror or str(problem)
            )
        ) from problem
    except UnicodeDecodeError as problem:
        raise BadInput(message("{file}: is not a text file in UTF-8", file=str(path))) from problem


def read_word(path: Path, kind: type[W]) -> W:
    """Return a file as a word of the contract. Raises BadInput that names file, line and key."""
    content = read_yaml(path)
    _check_format(content, path, kind)
    try:
        return kind.model_validate(content)
    except ValidationError as problem:
        raise BadInput(first_problem(problem, path, kind)) from problem


def _check_format(content: object, path: Path, kind: type[Word]) -> None:
    """Say first that it is another kind of file: all further complaints would mislead."""
    (wanted,) = kind.model_fields["format"].annotation.__args__  # type: ignore[union-attr]
    if not isinstance(content, dict):
        raise BadInput(
            message(
                "{file}: holds no keys with values; it starts with 'format: {wanted}'",
                file=str(path),
                wanted=wanted,
            )
        )
    found = content.get("format", wanted)
    if found != wanted:
        raise BadInput(
            message(
                "{file}: its format is '{found}', but this needs '{wanted}'",
                file=str(path),
                found=str(found),
                wanted=wanted,
            )
        )
