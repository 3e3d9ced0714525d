"""The quote sheet as plain data: every word and number as it will be printed, no layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from configurator import __version__
from configurator.advice.answer import Answer
from configurator.domain.message import Message, message
from configurator.domain.project import Project
from configurator.quote.basis import Fact, basis, device_names
from configurator.quote.checks import CheckGroup, checks, sources, unchecked
from configurator.quote.figure import Figure, figure
from configurator.quote.outlook import Tile, limits, speeds, verdict_sentences, way_out
from configurator.quote.prices import PriceTable, price_table
from configurator.quote.words import LABELS, TASKS, VERDICTS
from configurator.texts import Say, say_in


@dataclass(frozen=True, slots=True)
class Section:
    """One workload on one machine."""

    heading: str
    memory: str
    """Heading of the figure."""
    word: str
    tone: str
    sentences: tuple[str, ...]
    figure: Figure
    tiles: tuple[Tile, ...]
    basis: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class SheetData:
    """The sheet, from top to bottom."""

    language: str
    labels: dict[str, str]
    number: str
    dates: str
    customer: tuple[str, ...]
    title: str
    purpose: str
    sections: tuple[Section, ...]
    checks: tuple[CheckGroup, ...]
    prices: PriceTable | None
    unchecked: str
    sources: str
    footer: str


def sheet(project: Project, answers: Sequence[Answer], catalog_version: str, language: str) -> SheetData:
    """Return the sheet of a project in `language`, one section per answer."""
    say = say_in(language)
    findings = [finding for answer in answers for finding in answer.findings.findings]
    return SheetData(
        language=language,
        labels={name: say(label) for name, label in LABELS.items()},
        number=say(_number(project)),
        dates=say(
            message(
                "{day:date}, valid until {end:date}",
                day=project.date,
                end=project.date + timedelta(days=project.valid_days),
            )
        ),
        customer=_customer(project),
        title=_title(project, answers, say),
        purpose=project.purpose,
        sections=tuple(_section(project, answer, say) for answer in answers),
        checks=checks(answers, say),
        prices=price_table(project, language),
        unchecked=unchecked(findings, say),
        sources=sources(findings, answers, say),
        footer=say(
            message("Catalogue {catalog} · Program {program}", catalog=catalog_version, program=__version__)
        ),
    )


def _number(project: Project) -> Message | str:
    if not project.number:
        return message("Quote")
    if not project.revisions:
        return message("Quote {number}", number=project.number)
    latest = max(revision.number for revision in project.revisions)
    return message("Quote {number}, revision {revision}", number=project.number, revision=latest)


def _customer(project: Project) -> tuple[str, ...]:
    customer = project.customer
    return tuple(line for line in (customer.name, customer.contact, *customer.address) if line)


def _name(project: Project, answer: Answer, say: Say) -> str:
    """The customer's own name of the workload; without one, what it does with which model."""
    asked = answer.case.workload
    for entry in project.workloads:
        if entry.name and (entry.workload.task, entry.workload.model) == (asked.task, asked.model):
            return entry.name
    return say(message(TASKS[asked.task], model=asked.model_name))


def _title(project: Project, answers: Sequence[Answer], say: Say) -> str:
    names = dict.fromkeys(_name(project, answer, say) for answer in answers)
    return say(message("Workstation: {work}", work=", ".join(names)))


def _heading(project: Project, answer: Answer, say: Say) -> str:
    """What tells this section from its neighbours; a single one need not repeat the title."""
    if len(project.machines) > 1:
        return f"{_name(project, answer, say)} · {device_names(answer)}"
    return _name(project, answer, say) if len(project.workloads) > 1 else say("Does it fit?")


def _section(project: Project, answer: Answer, say: Say) -> Section:
    word, tone = VERDICTS[answer.estimate.verdict]
    asked = answer.case.workload
    unified = answer.case.machine.system is not None
    planned = any(entry.plan for entry in project.workloads if entry.workload.model == asked.model)
    return Section(
        heading=_heading(project, answer, say),
        memory=say("Memory for the graphics processor") if unified else say("Memory per graphics card"),
        word=say(word),
        tone=tone,
        sentences=tuple(map(say, (*verdict_sentences(answer.estimate), *way_out(answer.estimate)))),
        figure=figure(answer.estimate, answer.case.machine.display_on_gpu, say),
        tiles=(*speeds(answer.estimate, say), *limits(answer.estimate, say)),
        basis=basis(answer, planned, say),
    )
