"""Findings as a check list, gravest first; what was not checked; what all of it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from configurator.advice.answer import Answer
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.quote.words import CHECKED_PARTS, SEVERITIES
from configurator.texts import Say


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check: a word with its colour role, what was found, why it matters and the way out."""

    word: str
    tone: str
    text: str
    notes: tuple[str, ...]


def checks(findings: Iterable[Finding], say: Say) -> tuple[CheckRow, ...]:
    """Return every finding once, gravest first; a finding that is not met carries reason and fix."""
    grave = list(SEVERITIES)
    rows = [_row(finding, say) for finding in sorted(findings, key=lambda one: grave.index(one.severity))]
    return tuple(dict.fromkeys(rows))


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
    """Return the sources of ledger and checks, each once."""
    entries = (entry for answer in answers for device in answer.estimate.devices for entry in device.entries)
    named = [entry.source for entry in entries] + [finding.source for finding in findings]
    return " · ".join(dict.fromkeys(say(source) for source in named if source))
