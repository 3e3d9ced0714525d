"""What the program says when the input, not the program, is wrong."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from configurator.domain.message import Message, message


class BadInput(Exception):  # noqa: N818 - a sentence for people, not a program error
    """Input that cannot be used: one message that names the place and the way out; exit status 2."""

    def __init__(self, text: Message) -> None:
        super().__init__(text)
        self.text = text


class NotYet(BadInput):
    """A valid question that the engine cannot answer, with the reason."""


def unknown_id(kind: str, wanted: str, known: Iterable[str]) -> BadInput:
    """Return the message for an unknown id, naming the nearest valid one where there is one."""
    near = get_close_matches(wanted.lower(), list(known), n=1, cutoff=0.4)
    if near:
        return BadInput(
            message(
                "unknown {kind} '{wanted}'; did you mean '{near}'?", kind=kind, wanted=wanted, near=near[0]
            )
        )
    return BadInput(
        message(
            "unknown {kind} '{wanted}'; 'configurator catalog list' shows what is known",
            kind=kind,
            wanted=wanted,
        )
    )


def ambiguous_id(kind: str, wanted: str, several: Iterable[str]) -> BadInput:
    """Return the message for a name that more than one entry has."""
    names = list(several)
    return BadInput(
        message(
            "{kind} '{wanted}' may be {names}; name one of them",
            kind=kind,
            wanted=wanted,
            names=", ".join(f"'{name}'" for name in names[:4]) + (", ..." if len(names) > 4 else ""),
        )
    )
