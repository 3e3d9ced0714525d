"""The document of one customer: workloads, machines, quote lines, revisions."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, Strict

from configurator.domain.base import DateText, Several, Word
from configurator.domain.machine import Also, Machine
from configurator.domain.money import Currency, Margin, Money, Percent
from configurator.domain.plan import Plan
from configurator.domain.seller import Seller
from configurator.domain.workload import Workload

Language = Literal["de", "en"]
PriceView = Literal["net", "gross"]
Group = Literal["parts", "assembly", "software", "burn_in", "service"]
Tax = Literal["vat", "reverse_charge", "exempt"]
Day = Annotated[date, Strict(False)]


class Customer(Word):
    """Who asks."""

    name: str = ""
    contact: str = ""
    address: Several[str] = ()
    email: str = ""
    vat_id: str = ""


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
    """A line of the quote. Without `unit_price`, and purchase price with margin, its price is a question."""

    text: str
    quantity: Annotated[Money, Field(gt=0)] = Decimal(1)
    unit_price: Money | None = None
    """Net price of one; below zero for a rebate as a line of its own."""
    discount_percent: Percent = Decimal(0)
    vat_percent: Percent = Decimal(19)
    tax: Tax = "vat"
    """Whether the seller owes the tax, the customer does, or nobody."""
    group: Group = "parts"
    optional: bool = False
    """Offered beside the rest: not part of any sum."""
    part: str | None = None
    """Id of the part in the catalogue."""
    item: str | None = None
    """The item of the quoted machine that this line follows: `gpus.0`, `cpu`, `ram`; absent: written by hand."""
    purchase_price: Money | None = None
    """What the workshop pays for one, net. Never leaves the workshop."""
    margin_percent: Margin | None = None
    """Makes the price from the purchase price where no `unit_price` stands. Never leaves the workshop."""
    price_source: str = ""
    """Where the price comes from. Never leaves the workshop."""
    price_date: DateText | None = None


class Revision(Word):
    """A state of the quote that was sent: its number, when it began, and the state before it."""

    number: int
    date: Day
    note: str = ""
    """What changed, in the consultant's words."""
    former: Project | None = None
    """The quote as it was before, without its own revisions."""


class Project(Word):
    """The file format `project/1`."""

    format: Literal["project/1"] = "project/1"
    number: str = ""
    date: Day
    valid_days: int = 14
    language: Language = "de"
    currency: Currency = "EUR"
    customer: Customer = Customer()
    seller: Seller | None = None
    """Who quoted, as printed; absent until a sheet is made with the workshop's own settings."""
    consultant: str = ""
    purpose: str = ""
    """What the machine is for, in the customer's words."""
    workloads: Annotated[Several[ProjectWorkload], Field(min_length=1)]
    together: bool = False
    """Whether the workloads run at the same time or one after the other."""
    machines: Annotated[Several[ProjectMachine], Field(min_length=1)]
    """The first is the one quoted; further ones are its alternatives."""
    lines: Several[QuoteLine] = ()
    discount_percent: Percent = Decimal(0)
    """Off every line that is not optional."""
    reverse_charge: bool = False
    """Whether the customer owes the tax of all lines."""
    prices: PriceView = "net"
    """Whether the lines show prices without or with tax."""
    revisions: Several[Revision] = ()
