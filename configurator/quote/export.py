"""From a project to its sheet: every workload on every machine answered, then set as PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from configurator.advice.answer import Answer, answer
from configurator.advice.together import with_others
from configurator.catalog.catalog import VERSION, Catalog
from configurator.domain.case import Case
from configurator.domain.project import Project
from configurator.quote.pdf import render_pdf
from configurator.quote.sheet import sheet

Ask = Callable[[Case, Catalog], Answer]


def answers(project: Project, catalog: Catalog, ask: Ask = answer) -> Iterator[Answer]:
    """Yield what `ask` answers for every workload on every machine. Raises BadInput."""
    for machine in range(len(project.machines)):
        for workload in range(len(project.workloads)):
            yield ask(with_others(project, workload, machine, catalog), catalog)


def export_pdf(project: Project, catalog: Catalog, language: str, ask: Ask = answer) -> bytes:
    """Return the quote sheet of a project as PDF. Raises BadInput for what cannot be answered."""
    data = sheet(project, list(answers(project, catalog, ask)), VERSION, language)
    return render_pdf(data, project.date)
