"""From the project on the desk to its answer: what is asked and what is assumed. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from configurator.advice.answer import Answer
from configurator.catalog.catalog import Catalog
from configurator.domain.case import Case
from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Project, ProjectMachine, ProjectWorkload
from configurator.domain.workload import Workload
from configurator.gui.machine_answers import layout
from configurator.gui.question import Question

Ask = Callable[[Case, Catalog], Answer]


def new_project(today: date) -> Project:
    """Return the quick start "adapters on own documents"; everything else is assumed."""
    workload = Workload(task="qlora", model="meta-llama/Llama-3.1-8B")
    machine = Machine(gpus=(Gpus(gpu="geforce-rtx-5090"),))
    return Project(
        date=today,
        workloads=(ProjectWorkload(workload=workload),),
        machines=(ProjectMachine(machine=machine),),
    )


def assumed_value(question: Question, project: Project, answer: Answer) -> Any:
    """Return what the program assumed for a question that has no answer."""
    full = answer.case
    if question.path == "workloads.0.plan":
        work = project.workloads[0].model_copy(update={"plan": answer.estimate.plan})
        return layout(project.model_copy(update={"workloads": (work,)}))
    value: Any = full.workload
    for key in (question.field or "").split("."):
        value = getattr(value, key, None)
    return value
