"""The steps of an enquiry and how far each of them is. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.advice.answer import Answer
from configurator.domain.message import Message, message
from configurator.domain.project import Project
from configurator.gui import questions
from configurator.gui.question import Question


@dataclass(frozen=True, slots=True)
class Step:
    """A page of the form. `checks` are the beginnings of the findings that belong to it."""

    id: str
    name: str
    title: str
    questions: tuple[Question, ...]
    checks: tuple[str, ...] = ()

    def asked(self, project: Project) -> tuple[Question, ...]:
        """Return the questions that this project has to answer here."""
        priced = questions.price_questions(project) if self.id == "quote" else ()
        return tuple(one for one in (*self.questions, *priced) if one.shown(project))


STEPS = (
    Step("use", "Use", "What is it for?", questions.USE),
    Step("model", "Model", "Model and framework", questions.MODEL, ("software.",)),
    Step("load", "Load", "Precision and load", questions.LOAD),
    Step("data", "Data", "Data", questions.DATA),
    Step("gpus", "Graphics cards", "Graphics cards", questions.GPUS, ("memory.", "plan.", "unified.")),
    Step("other", "CAD, rendering", "Other work on the machine", questions.OTHER, ("cad.", "display.")),
    Step(
        "machine",
        "Machine",
        "The machine around the cards",
        questions.MACHINE,
        ("power.", "pcie.", "case.", "cooling", "ram.", "storage.", "platform."),
    ),
    Step("quote", "Quote", "The quote", questions.QUOTE),
)


def step_named(name: str | None) -> Step:
    """Return a step by id; the first one where the name is unknown or absent."""
    return next((step for step in STEPS if step.id == name), STEPS[0])


@dataclass(frozen=True, slots=True)
class State:
    """How far a step is: a word, and its role among the colours."""

    text: Message | str
    tone: str


def state_of(step: Step, project: Project, answer: Answer | None) -> State:
    """Return what is wrong in a step, else what is assumed, else what is open."""
    errors = _errors(step, answer)
    if errors:
        return State(message("{n} error", n=1) if errors == 1 else message("{n} errors", n=errors), "fail")
    asked = step.asked(project)
    if answer is not None and (count := sum(is_assumed(one, project, answer) for one in asked)):
        return State(message("{n} assumed", n=count), "muted")
    unanswered = [one for one in asked if one.optional and one.answer_in(project) in (None, "")]
    if unanswered:
        return State(
            "open" if len(unanswered) == len(asked) else message("{n} open", n=len(unanswered)), "muted"
        )
    return State("complete", "ok")


def _errors(step: Step, answer: Answer | None) -> int:
    if answer is None or not step.checks:
        return 0
    grave = (finding for finding in answer.findings.findings if finding.severity == "error")
    return sum(finding.id.startswith(step.checks) for finding in grave)


def is_assumed(question: Question, project: Project, answer: Answer) -> bool:
    """Whether the program had to assume this answer."""
    if question.answer_in(project) is not None:
        return False
    if question.path == "workloads.0.plan":
        return len(answer.estimate.devices) > 1
    return question.field is not None and question.field.split(".")[0] in answer.assumed
