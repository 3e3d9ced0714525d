"""Answers about the machine that change several fields at once. No Qt."""

from __future__ import annotations

from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.domain.plan import Plan
from configurator.domain.project import Project
from configurator.gui.edit import value_at, with_value, with_values
from configurator.gui.question import MACHINE


def device(project: Project) -> str | None:
    """Return the id or name of the card or system."""
    machine = project.machines[0].machine
    if machine.system:
        return machine.system
    gpu = machine.gpus[0].gpu
    return gpu if isinstance(gpu, str) else gpu.name


def with_device(project: Project, name: str, catalog: Catalog) -> Project:
    """Return the project on another card, in the same number, or on another system."""
    fresh = with_value(project, "workloads.0.plan", None)
    if name in catalog.systems:
        return with_values(
            fresh, MACHINE, {"gpus": None, "display_on_gpu": None, "power_limit_w": None, "system": name}
        )
    count = project.machines[0].machine.gpu_count
    return with_values(fresh, MACHINE, {"system": None, "gpus": [{"gpu": name, "count": count}]})


def with_count(project: Project, count: int | None, catalog: Catalog) -> Project:
    """Return the project with another number of cards; the layout is proposed anew."""
    gpus = value_at(project, MACHINE + ".gpus")
    kind = gpus[0].model_dump(exclude_defaults=True) | {"count": count or 1}
    display = value_at(project, MACHINE + ".display_on_gpu")
    if display is not None and display >= (count or 1):
        display = 0
    fresh = with_value(project, "workloads.0.plan", None)
    others = [one.model_dump(exclude_defaults=True) for one in gpus[1:]]
    return with_values(fresh, MACHINE, {"gpus": [kind, *others], "display_on_gpu": display})


def layout(project: Project) -> str | None:
    """Return how the work is laid over the cards; None: the program proposes it."""
    plan = project.workloads[0].plan
    if plan is None:
        return None
    if plan.zero == 3:
        return "zero3"
    return max(("dp", "tp", "pp"), key=lambda degree: int(getattr(plan, degree)))


def with_layout(project: Project, way: str | None, catalog: Catalog) -> Project:
    """Return the project with the work laid over all cards in one way."""
    count = project.machines[0].machine.gpu_count
    plans = {
        "dp": Plan(dp=count),
        "tp": Plan(tp=count),
        "pp": Plan(pp=count),
        "zero3": Plan(dp=count, zero=3),
    }
    data = plans[way].model_dump(exclude_defaults=True) if way else None
    return with_value(project, "workloads.0.plan", data)


def part(name: str) -> Any:
    """Return a reader for a part that may be named by its id or stated with more facts."""

    def read(project: Project) -> str | None:
        value = value_at(project, f"{MACHINE}.{name}")
        return value if value is None or isinstance(value, str) else getattr(value, "id", None)

    return read
