"""From a project to its sheet: every workload on every machine answered, then set as PDF."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.advice.answer import Answer, answer
from configurator.catalog.catalog import VERSION, Catalog
from configurator.domain.case import Case
from configurator.domain.project import Project
from configurator.quote.pdf import render_pdf
from configurator.quote.sheet import SheetData, sheet


def answers(project: Project, catalog: Catalog) -> Iterator[Answer]:
    """Yield the answer of every workload on every machine. Raises BadInput."""
    for place in project.machines:
        for entry in project.workloads:
            case = Case(workload=entry.workload, machine=place.machine, also=place.also, plan=entry.plan)
            yield answer(case, catalog)


def project_sheet(project: Project, catalog: Catalog, language: str) -> SheetData:
    """Return a project's sheet as data. Raises BadInput for what cannot be answered."""
    return sheet(project, list(answers(project, catalog)), VERSION, language)


def export_pdf(project: Project, catalog: Catalog, language: str) -> bytes:
    """Return the quote sheet of a project as PDF. Raises BadInput."""
    return render_pdf(project_sheet(project, catalog, language), project.date)
