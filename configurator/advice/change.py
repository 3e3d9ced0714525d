"""A change of a case: keys of the workload stand alone, `machine` and `plan` as in the case file."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.message import message


def changed(case: Case, change: dict[str, Any]) -> Case:
    """Return the case with a change put in. Keys of `machine` replace single fields, a `plan` the whole.

    Raises BadInput for what a case does not know.
    """
    data = case.model_dump(exclude_defaults=True)
    rest = dict(change)
    data["machine"] = data["machine"] | rest.pop("machine", {})
    data["plan"] = rest.pop("plan", data.get("plan"))
    data["workload"] = data["workload"] | rest
    try:
        return Case.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(key) for key in first["loc"])
        raise BadInput(message("{key}: {problem}", key=place, problem=first["msg"])) from problem


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """Return two changes as one; None where both want the same key."""
    inner = (one.get("machine", {}), other.get("machine", {}))
    outer = ({key for key in change if key != "machine"} for change in (one, other))
    if set.intersection(*outer) or inner[0].keys() & inner[1].keys():
        return None
    return one | other | ({"machine": inner[0] | inner[1]} if any(inner) else {})
