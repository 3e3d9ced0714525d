"""What every part of the catalogue has: a name, a source, and how sure its facts are."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from configurator.domain.base import DateText, Several, Word

Confidence = Literal["stated", "derived", "inferred", "low"]
"""Stated by the source; computed from stated figures; guessed; told by one unsure voice."""
FormFactor = Literal["mini-itx", "micro-atx", "atx", "e-atx", "ssi-ceb", "ssi-eeb"]
"""Of a board, and of what a case takes."""
ModuleType = Literal["UDIMM", "ECC UDIMM", "CUDIMM", "RDIMM"]
"""Of memory. ECC UDIMM as something that a CPU takes: it corrects errors if the board wires it."""
Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""Small letters and digits in words that hyphens join."""
# What no part of a workstation exceeds: a figure outside is a slip of the pen or of a unit.
Watts = Annotated[int, Field(ge=1, le=10_000)]
Millimetres = Annotated[float, Field(ge=5, le=1_000)]
Lanes = Annotated[int, Field(ge=0, le=16)]
Generation = Annotated[float, Field(ge=1, le=7)]
Number = Annotated[int, Field(ge=0, le=32)]
Speed = Annotated[int, Field(ge=800, le=12_000)]
Gigabytes = Annotated[int, Field(ge=1, le=100_000)]


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

    id: Id
    name: Annotated[str, Field(min_length=1)]
    aliases: Several[str] = ()
    source: Annotated[str, Field(min_length=1)]
    date: DateText | None = None
    """Day on which the source said so."""
    sources: Several[FieldSource] = ()
    """Sources of single fields where it is another one."""
    doubts: Several[str] = ()
    """Where sources contradict each other, and whom the entry follows."""
    notes: Several[str] = ()
    """What else a consultant should know."""
