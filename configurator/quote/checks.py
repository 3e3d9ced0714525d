"""Findings as a check list, gravest first; what was not checked; what all of it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from configurator.advice.answer import Answer
from configurator.domain.finding import Finding
from configurator.domain.machine import Machine
from configurator.domain.message import message
from configurator.quote.basis import device_names
from configurator.quote.words import CHECKED_PARTS, SEVERITIES
from configurator.texts import Say


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check: a word with its colour role, what was found, why it matters and the way out."""

    word: str
    tone: str
    text: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckGroup:
    """The checks of one machine; its name is empty where there is only one."""

    name: str
    rows: tuple[CheckRow, ...]


def checks(answers: Iterable[Answer], say: Say) -> tuple[CheckGroup, ...]:
    """Return the checks machine by machine, gravest first.

    Where several workloads meet on a machine, the gravest finding of each check decides.
    """
    machines: dict[Machine, dict[tuple[str, str | None], Finding]] = {}
    names: dict[Machine, str] = {}
    for answer in answers:
        machine = answer.case.machine
        names[machine] = device_names(answer)
        known = machines.setdefault(machine, {})
        for finding in answer.findings.findings:
            other = known.get((finding.id, finding.device))
            if other is None or _grave(finding) < _grave(other):
                known[finding.id, finding.device] = finding
    return tuple(
        CheckGroup(
            names[machine] if len(machines) > 1 else "",
            _rows(sorted(known.values(), key=_grave), say),
        )
        for machine, known in machines.items()
        if known
    )


def _grave(finding: Finding) -> int:
    """Rank, 0 the gravest."""
    return list(SEVERITIES).index(finding.severity)


def _rows(findings: Sequence[Finding], say: Say) -> tuple[CheckRow, ...]:
    """Return a row for each finding that asks for attention, and one for all that is met."""
    asking = dict.fromkeys(_row(finding, say) for finding in findings if finding.severity != "ok")
    met = dict.fromkeys(say(finding.message) for finding in findings if finding.severity == "ok")
    if not met:
        return tuple(asking)
    word, tone = SEVERITIES["ok"]
    return *asking, CheckRow(say(word), tone, " · ".join(met), ())


def _row(finding: Finding, say: Say) -> CheckRow:
    word, tone = SEVERITIES[finding.severity]
    notes = [finding.why] if finding.severity in ("warn", "error") else []
    if finding.fix:
        notes.append(message("Way out: {fix}", fix=finding.fix))
    return CheckRow(say(word), tone, say(finding.message), tuple(say(note) for note in notes))


def unchecked(findings: Iterable[Finding], say: Say) -> str:
    """Name what a customer expects to be checked and no check looked at."""
    seen = {finding.id for finding in findings}
    names = [say(name) for check, name in CHECKED_PARTS.items() if check not in seen]
    names += [say("noise in the room"), say("network"), say("licence terms of the models")]
    text = ", ".join(names)
    return text[0].upper() + text[1:] + "."


def sources(findings: Iterable[Finding], answers: Sequence[Answer], say: Say) -> str:
    """Return the sources of the ledger and of checks that are not simply met, each once."""
    entries = (entry for answer in answers for device in answer.estimate.devices for entry in device.entries)
    named = [entry.source for entry in entries] + [
        finding.source for finding in findings if finding.severity != "ok"
    ]
    return " · ".join(dict.fromkeys(say(source) for source in named if source))
