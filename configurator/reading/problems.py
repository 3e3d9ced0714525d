"""What a failed validation says to people: the first problem in plain words, and how many more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from configurator.domain.message import Message, message
from configurator.reading.nodes import line_of

_MUST = {
    "string_type": message("must be text"),
    "int_type": message("must be a whole number"),
    "int_from_float": message("must be a whole number"),
    "int_parsing_size": message("is too large"),
    "float_type": message("must be a number"),
    "finite_number": message("must be a number"),
    "bool_type": message("must be true or false"),
    "dict_type": message("must hold keys with values"),
    "model_type": message("must hold keys with values"),
    "tuple_type": message("must be a list"),
    "list_type": message("must be a list"),
}
_BOUNDS = {
    "greater_than": ("gt", message("must be more than {bound}, not '{value}'")),
    "greater_than_equal": ("ge", message("must be at least {bound}, not '{value}'")),
    "less_than": ("lt", message("must be less than {bound}, not '{value}'")),
    "less_than_equal": ("le", message("must be at most {bound}, not '{value}'")),
}


def first_problem(
    problem: ValidationError, path: Path, kind: type[BaseModel], under: Sequence[object] = ()
) -> Message:
    """Return the first problem of a validation as one sentence; `under` is where `kind` stands in the file."""
    keys, sentence, others = likeliest_problem(problem, kind)
    said = message(
        "{file}, line {line}: {key}: {problem}",
        file=str(path),
        line=line_of(path, [*under, *keys]),
        key=".".join(str(key) for key in (*under, *keys)) or "file",
        problem=sentence,
    )
    return with_others(said, others)


def likeliest_problem(problem: ValidationError, kind: type[BaseModel]) -> tuple[list[object], Message, int]:
    """Return the keys that lead to the first problem, what is wrong there, and how many more there are."""
    errors = _likeliest(problem.errors(include_url=False), kind)
    # An unknown key comes first: a key that is missing is most often the one misspelt.
    errors.sort(key=lambda error: error["type"] != "extra_forbidden")
    keys = [part for part in errors[0]["loc"] if not _is_branch(part)]
    return keys, _sentence(errors[0], kind), len(errors) - 1


def with_others(said: Message, others: int) -> Message:
    """Add how many more problems there are."""
    return message("{problem} (and {count:n} more)", problem=said, count=others) if others else said


def _is_branch(part: object) -> bool:
    """Whether a part of a location names a branch of a union, not a key of the file."""
    text = str(part)
    return text in ("str", "int", "float", "bool") or text[:1].isupper() or "[" in text


def _likeliest(errors: Sequence[Any], kind: type[BaseModel]) -> list[Any]:
    """Keep of every union the branch that the input resembles most; the others only confuse."""
    branches: dict[tuple[object, ...], dict[object, list[Any]]] = {}
    for error in errors:
        loc = error["loc"]
        cut = next((at for at, part in enumerate(loc) if _is_branch(part)), len(loc))
        branches.setdefault(loc[:cut], {}).setdefault(loc[cut : cut + 1], []).append(error)
    chosen = [
        min(found.values(), key=lambda branch: _strangeness(branch, kind)) for found in branches.values()
    ]
    return [error for branch in chosen for error in branch]


def _strangeness(errors: list[Any], kind: type[BaseModel]) -> tuple[bool, int, int]:
    """How little the input looks like a branch: another form altogether, keys like none, errors."""
    form = any(_is_branch(error["loc"][-1]) for error in errors if error["loc"])
    strange = sum(error["type"] == "extra_forbidden" and not _near(error, kind) for error in errors)
    return form, strange, len(errors)


def _sentence(error: Any, kind: type[BaseModel]) -> Message:
    sort, value = str(error["type"]), _short(error["input"])
    if sort == "extra_forbidden":
        near = _near(error, kind)
        return (
            message("unknown key; did you mean '{near}'?", near=near[0]) if near else message("unknown key")
        )
    if sort == "missing":
        return message("is missing")
    if sort == "too_short":
        return message("needs at least one entry")
    if sort == "literal_error":
        return message("'{value}' is not one of {allowed}", value=value, allowed=error["ctx"]["expected"])
    if sort in _BOUNDS:
        bound, form = _BOUNDS[sort]
        return Message(form.template, {"bound": error["ctx"][bound], "value": value})
    if sort in _MUST:
        return message("{problem}, not '{value}'", problem=_MUST[sort], value=value)
    if sort == "value_error":
        return message("{problem}", problem=str(error["ctx"]["error"]))
    return message("'{value}' is no valid value", value=value)


def _near(error: Any, kind: type[BaseModel]) -> list[str]:
    """Return the known key that an unknown one resembles, if any."""
    return get_close_matches(str(error["loc"][-1]), _keys(kind, error["loc"][:-1]), n=1)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _keys(kind: type[BaseModel], loc: Sequence[object]) -> list[str]:
    """Return the keys that are known at a place of a file."""
    here = [kind]
    for part in loc:
        named = [word for word in here if word.__name__ == part]
        below = [word for one in here if part in one.model_fields for word in _words(one, str(part))]
        here = named or below or here
    return sorted({name for word in here for name in word.model_fields})


def _words(kind: type[BaseModel], field: str) -> Iterator[type[BaseModel]]:
    todo: list[Any] = [kind.model_fields[field].annotation]
    while todo:
        one = todo.pop()
        if isinstance(one, type) and issubclass(one, BaseModel):
            yield one
        todo += get_args(one)
