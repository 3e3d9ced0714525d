"""What every part of the catalogue has: a name, a source, and how sure its facts are."""

from __future__ import annotations

from typing import Literal

from configurator.domain.base import DateText, Several, Word

Confidence = Literal["stated", "derived", "inferred", "low"]
"""Stated by the source; computed from stated figures; guessed; told by one unsure voice."""
FormFactor = Literal["mini-itx", "micro-atx", "atx", "e-atx", "ssi-ceb", "ssi-eeb"]
"""Of a board, and of what a case takes."""
ModuleType = Literal["UDIMM", "ECC UDIMM", "CUDIMM", "RDIMM"]
"""Of memory. ECC UDIMM as something that a CPU takes: it corrects errors if the board wires it."""


class Sourced(Word):
    """Facts that are not all equally sure."""

    confidence: Confidence = "stated"
    inferred: Several[str] = ()
    """Fields that no source states: a check may warn because of them, never refuse."""

    def sure(self, *fields: str) -> bool:
        """Whether a source states these fields, so that a check may refuse because of them."""
        return self.confidence == "stated" and not set(fields) & set(self.inferred)


class FieldSource(Word):
    """Where single fields come from, if not from the source of the whole part."""

    fields: Several[str]
    source: str
    date: DateText


class CatalogPart(Sourced):
    """A part with its names and sources."""

    id: str
    name: str
    aliases: Several[str] = ()
    source: str
    date: DateText | None = None
    """Day on which the source said so."""
    sources: Several[FieldSource] = ()
    """Sources of single fields where it is another one."""
    doubts: Several[str] = ()
    """Where sources contradict each other, and whom the entry follows."""
    notes: Several[str] = ()
    """What else a consultant should know."""
