"""Reading and changing one field of a project by its path. No Qt."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from configurator.advice.change import changed
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.domain.project import Project


def value_at(project: Project, path: str) -> Any:
    """Return the value at a path such as `workloads.0.workload.context`; None where there is none."""
    value: Any = project
    for key in path.split("."):
        if isinstance(value, tuple):
            value = value[int(key)] if int(key) < len(value) else None
        else:
            value = getattr(value, key, None)
    return value


def with_value(project: Project, path: str, value: Any) -> Project:
    """Return the project with another value; None takes the answer back. Raises BadInput."""
    return checked(_put(project.model_dump(exclude_defaults=True), path.split("."), value), path)


def with_values(project: Project, prefix: str, values: dict[str, Any]) -> Project:
    """Return the project with several values below one path, changed together. Raises BadInput."""
    data: Any = project.model_dump(exclude_defaults=True)
    for name, value in values.items():
        data = _put(data, [*prefix.split("."), name], value)
    return checked(data, prefix)


def with_change(project: Project, change: dict[str, Any]) -> Project:
    """Return the project with a change of the case in its first workload and machine. Raises BadInput."""
    work, place = project.workloads[0], project.machines[0]
    case = changed(
        Case(workload=work.workload, machine=place.machine, also=place.also, plan=work.plan), change
    )
    works = (work.model_copy(update={"workload": case.workload, "plan": case.plan}), *project.workloads[1:])
    machines = (place.model_copy(update={"machine": case.machine}), *project.machines[1:])
    return project.model_copy(update={"workloads": works, "machines": machines})


def checked(data: Any, place: str) -> Project:
    """Return the data as a project. Raises BadInput that names the place."""
    try:
        return Project.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        name = str(first["loc"][-1]) if first["loc"] else place
        raise BadInput(message("{key}: {problem}", key=name, problem=first["msg"])) from problem


def _put(node: Any, keys: list[str], value: Any) -> Any:
    """Return the node with `value` at `keys`; what becomes empty by taking an answer back goes."""
    key, rest = keys[0], keys[1:]
    if key.isdigit():
        items, place = list(node or ()), int(key)
        old = items[place] if place < len(items) else None
        new = _put(old, rest, value) if rest else value
        kept = [] if value is None and not new else [new]
        return [*items[:place], *kept, *items[place + 1 :]]
    fields = dict(node) if isinstance(node, dict) else {}
    fields[key] = _put(fields.get(key), rest, value) if rest else value
    if value is None and not fields[key]:
        del fields[key]
    return fields
