"""The document of one customer: workloads, machines, quote lines, revisions."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, Strict

from configurator.domain.base import Several, Word
from configurator.domain.machine import Also, Machine
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload

Language = Literal["de", "en"]
Day = Annotated[date, Strict(False)]


def _decimal(value: object) -> object:
    """Accept money as text or whole number; a YAML float would already have lost the cent."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    try:
        return Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"must be an amount such as 1899.90, not '{value}'") from None


Money = Annotated[Decimal, BeforeValidator(_decimal)]


class Customer(Word):
    """Who asks."""

    name: str = ""
    contact: str = ""
    address: Several[str] = ()
    email: str = ""


class ProjectWorkload(Word):
    """A workload of the project under its own name, with its plan where one was chosen."""

    name: str = ""
    workload: Workload
    plan: Plan | None = None


class ProjectMachine(Word):
    """A machine of the project under its own name, with the other work done on it."""

    name: str = ""
    machine: Machine
    also: Also = Also()


class QuoteLine(Word):
    """A line of the quote. `unit_price` absent: a question, never zero."""

    text: str
    quantity: Annotated[Money, Field(gt=0)] = Decimal(1)
    unit_price: Money | None = None
    """Net price of one."""
    vat_percent: Money = Decimal(19)
    group: Literal["parts", "assembly", "software", "service"] = "parts"
    part: str | None = None
    """Id of the part in the catalogue."""


class Revision(Word):
    """A former state of the quote and what changed since."""

    number: int
    date: Day
    note: str = ""


class Project(Word):
    """The file format `project/1`."""

    format: Literal["project/1"] = "project/1"
    number: str = ""
    date: Day
    valid_days: int = 14
    language: Language = "de"
    currency: str = "EUR"
    customer: Customer = Customer()
    purpose: str = ""
    """What the machine is for, in the customer's words."""
    workloads: Annotated[Several[ProjectWorkload], Field(min_length=1)]
    together: bool = False
    """Whether the workloads run at the same time or one after the other."""
    machines: Annotated[Several[ProjectMachine], Field(min_length=1)]
    lines: Several[QuoteLine] = ()
    revisions: Several[Revision] = ()
