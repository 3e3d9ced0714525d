"""What of a project is on the desk: one workload on one machine. No Qt.

Questions speak about the first workload and the first machine. A project is shown to them with the
chosen ones moved to the front, and what they answer is put back in the project's own order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from configurator.domain.project import Project

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Focus:
    """Places of the workload and the machine on the desk."""

    workload: int = 0
    machine: int = 0

    def within(self, project: Project) -> Focus:
        """Return the focus, or the nearest one that the project has."""
        return Focus(
            min(self.workload, len(project.workloads) - 1), min(self.machine, len(project.machines) - 1)
        )


def seen(project: Project, focus: Focus) -> Project:
    """Return the project with the workload and the machine on the desk in front."""
    return project.model_copy(
        update={
            "workloads": _forward(project.workloads, focus.workload),
            "machines": _forward(project.machines, focus.machine),
        }
    )


def kept(project: Project, focus: Focus) -> Project:
    """Return a project that was `seen` in its own order again."""
    return project.model_copy(
        update={
            "workloads": _back(project.workloads, focus.workload),
            "machines": _back(project.machines, focus.machine),
        }
    )


def _forward(items: tuple[T, ...], place: int) -> tuple[T, ...]:
    return (items[place], *items[:place], *items[place + 1 :])


def _back(items: tuple[T, ...], place: int) -> tuple[T, ...]:
    first, rest = items[0], items[1:]
    return (*rest[:place], first, *rest[place:])
