"""Adding, copying and removing workloads and machines of a project. No Qt.

Every function returns the project and what of it is on the desk afterwards.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from configurator.domain.message import message
from configurator.domain.project import Project, ProjectMachine, ProjectWorkload
from configurator.domain.workload import Workload
from configurator.gui.focus import Focus
from configurator.texts import Say

Kind = Literal["workload", "machine"]
Arranged = tuple[Project, Focus]

_LIST = {"workload": "workloads", "machine": "machines"}
_SERVING = Workload(task="serving", model="meta-llama/Llama-3.1-8B-Instruct", concurrency=10)
"""What is asked next most often: "and what if ten people use it afterwards?"."""


def added(project: Project, focus: Focus, kind: Kind, say: Say) -> Arranged:
    """Add a workload or a machine behind the one on the desk and lay it on the desk.

    A new machine begins as a copy of the one on the desk; a new workload serves the model that is on it.
    """
    if kind == "machine":
        return copied(project, focus, kind, say)
    model = project.workloads[focus.workload].workload.model
    entry = ProjectWorkload(workload=_SERVING.model_copy(update={"model": model}))
    return _inserted(project, focus, kind, entry)


def copied(project: Project, focus: Focus, kind: Kind, say: Say) -> Arranged:
    """Lay a copy of the workload or machine on the desk beside the original."""
    entry = getattr(project, _LIST[kind])[getattr(focus, kind)]
    if entry.name:
        entry = entry.model_copy(update={"name": say(message("{name} (copy)", name=entry.name))})
    return _inserted(project, focus, kind, entry)


def removed(project: Project, focus: Focus, kind: Kind) -> Arranged:
    """Take what is on the desk away; the last one stays."""
    entries, place = getattr(project, _LIST[kind]), getattr(focus, kind)
    if len(entries) == 1:
        return project, focus
    fewer = project.model_copy(update={_LIST[kind]: (*entries[:place], *entries[place + 1 :])})
    return fewer, focus.within(fewer)


def _inserted(
    project: Project, focus: Focus, kind: Kind, entry: ProjectWorkload | ProjectMachine
) -> Arranged:
    place = getattr(focus, kind) + 1
    before, behind = getattr(project, _LIST[kind])[:place], getattr(project, _LIST[kind])[place:]
    more = project.model_copy(update={_LIST[kind]: (*before, entry, *behind)})
    if kind == "workload":
        return more, replace(focus, workload=place)
    return more, replace(focus, machine=place)
