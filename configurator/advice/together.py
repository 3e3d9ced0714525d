"""Several workloads on one machine: what each takes from the others, and which of them decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.ledger import WORSENING, DeviceLedger, Estimate, Verdict
from configurator.domain.machine import Beside
from configurator.domain.message import message
from configurator.domain.project import Project, ProjectWorkload
from configurator.domain.ranges import Bytes, combined
from configurator.memory.engine import predict
from configurator.memory.host import without_system

_OF_THE_MACHINE = ("display", "other_apps", "reserve")
"""Entries that a machine has once, however many workloads run on it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One workload among those of a machine: its verdict and how full it makes the fullest device."""

    name: str
    verdict: Verdict | None
    """Absent: it cannot be answered."""
    fill: float
    """Likely need of the fullest device over what is usable there."""
    decides: bool = False


def alone(project: Project, workload: int, machine: int) -> Case:
    """Return one workload on one machine of the project, as if it had the machine for itself."""
    work, on = project.workloads[workload], project.machines[machine]
    return Case(workload=work.workload, machine=on.machine, also=on.also, plan=work.plan)


def with_others(project: Project, workload: int, machine: int, catalog: Catalog) -> Case:
    """Return one workload on one machine, and beside it what the project's other workloads need.

    Raises BadInput for another workload that runs at the same time and cannot be answered.
    """
    case = alone(project, workload, machine)
    others = [place for place in range(len(project.workloads)) if place != workload]
    if not others:
        return case
    found = tuple(one for place in others if (one := _beside(project, place, machine, catalog)) is not None)
    return case.model_copy(update={"also": case.also.model_copy(update={"beside": found})})


def parts(project: Project, machine: int, catalog: Catalog) -> tuple[Part, ...]:
    """Return every workload of a machine; among several the one that needs most of it decides."""
    found = [_part(project, place, machine, catalog) for place in range(len(project.workloads))]
    if len(found) > 1:
        most = max(range(len(found)), key=lambda place: _weight(found[place]))
        found[most] = Part(found[most].name, found[most].verdict, found[most].fill, decides=True)
    return tuple(found)


def workload_name(entry: ProjectWorkload) -> str:
    """Return the customer's own name of a workload; without one, its model."""
    return entry.name or entry.workload.model_name


def _part(project: Project, workload: int, machine: int, catalog: Catalog) -> Part:
    name = workload_name(project.workloads[workload])
    try:
        found = predict(with_others(project, workload, machine, catalog), catalog).estimate
    except BadInput:
        return Part(name, None, 0.0)
    return Part(name, found.verdict, fill(found))


def fill(found: Estimate) -> float:
    """Return how full the fullest device is: its likely need over what is usable."""
    return max(one.total.likely / one.usable for one in found.devices)


def _weight(part: Part) -> tuple[int, float]:
    return (WORSENING.index(part.verdict) if part.verdict else len(WORSENING), part.fill)


def _beside(project: Project, workload: int, machine: int, catalog: Catalog) -> Beside | None:
    entry = project.workloads[workload]
    name = workload_name(entry)
    try:
        found = predict(alone(project, workload, machine), catalog).estimate
    except BadInput as problem:
        if not project.together:
            return None
        raise BadInput(message("{name}: {problem}", name=name, problem=problem.text)) from problem
    if not project.together:
        return Beside(name=name, disk=found.host.disk)
    return Beside(
        name=name,
        devices=_own(found.devices),
        ram=without_system(found.host.ram),
        disk=found.host.disk,
    )


def _own(devices: Sequence[DeviceLedger]) -> tuple[Bytes, ...]:
    """Return what the workload itself needs of every device at its peak."""
    return tuple(
        combined(entry for entry in one.entries if entry.component not in _OF_THE_MACHINE) for one in devices
    )
