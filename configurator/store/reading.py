"""Reading files: YAML by the C loader, every problem as one message with file, line and key."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from configurator.domain.base import Word
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message

W = TypeVar("W", bound=Word)

PLAIN: dict[str, str] = {
    "missing": "is missing",
    "string_type": "must be text",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "dict_type": "must hold keys with values",
    "tuple_type": "must be a list",
    "greater_than": "is too small",
    "greater_than_equal": "is too small",
    "less_than": "is too large",
    "less_than_equal": "is too large",
    "too_short": "needs at least one entry",
}


def read_yaml(path: Path) -> Any:
    """Return what a YAML or JSON file holds. Raises BadInput for a missing or broken file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            message(
                "{file}: cannot be read ({reason})", file=str(path), reason=problem.strerror or str(problem)
            )
        ) from problem
    except UnicodeDecodeError as problem:
        raise BadInput(message("{file}: is not a text file in UTF-8", file=str(path))) from problem
    try:
        return yaml.load(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        reason = getattr(problem, "problem", None) or str(problem)
        raise BadInput(
            message("{file}, line {line}: broken YAML ({reason})", file=str(path), line=line, reason=reason)
        ) from problem


def read_word(path: Path, kind: type[W]) -> W:
    """Return a file as a word of the contract. Raises BadInput that names file, line and key."""
    content = read_yaml(path)
    try:
        return kind.model_validate(content)
    except ValidationError as problem:
        raise BadInput(first_problem(problem, path, kind)) from problem


def first_problem(problem: ValidationError, path: Path, kind: type[BaseModel]) -> Message:
    """Return the first problem of a validation as one sentence."""
    errors = sorted(problem.errors(), key=lambda error: error["type"] != "extra_forbidden")
    error = errors[0]
    keys = [part for part in error["loc"] if not _is_branch(part)]
    place = ".".join(str(key) for key in keys) or "file"
    return message(
        "{file}, line {line}: {key}: {problem}",
        file=str(path),
        line=_line(path, keys),
        key=place,
        problem=_sentence(error, keys, kind),
    )


def _is_branch(part: object) -> bool:
    """Whether a part of a location names a branch of a union, not a key of the file."""
    text = str(part)
    return text in ("str", "int", "float", "bool") or text[:1].isupper() or "[" in text


def _sentence(error: Any, keys: list[Any], kind: type[BaseModel]) -> Message:
    sort = str(error["type"])
    if sort == "extra_forbidden":
        near = get_close_matches(str(keys[-1]), _keys(kind), n=1)
        if near:
            return message("unknown key; did you mean '{near}'?", near=near[0])
        return message("unknown key")
    if sort == "literal_error":
        return message(
            "'{value}' is not one of {allowed}", value=error["input"], allowed=error["ctx"]["expected"]
        )
    if sort == "value_error":
        return message("{problem}", problem=str(error["ctx"]["error"]))
    if sort in PLAIN:
        return message("{problem}, not '{value}'", problem=message(PLAIN[sort]), value=_short(error["input"]))
    return message("{problem}", problem=str(error["msg"]))


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _keys(kind: type[BaseModel]) -> list[str]:
    """Return all keys that a kind and its parts know."""
    found: set[str] = set()
    todo, seen = [kind], set()
    while todo:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        found |= set(one.model_fields)
        todo += [sub for sub in Word.__subclasses__() if sub.__name__ in str(one.model_fields)]
    return sorted(found)


def _line(path: Path, keys: list[Any]) -> int:
    """Return the line of a key, or of the nearest one above it that is there."""
    node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    line = node.start_mark.line if node else 0
    for key in keys:
        child = None
        if isinstance(node, yaml.MappingNode):
            for name, value in node.value:
                if name.value == str(key):
                    line, child = name.start_mark.line, value
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            child = node.value[key]
            line = child.start_mark.line
        if child is None:
            break
        node = child
    return line + 1
