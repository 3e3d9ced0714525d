"""The price table as printed: lines by group, sums, and how many prices are still open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from configurator.domain.message import Message, message
from configurator.domain.project import Project, QuoteLine
from configurator.quote.money import Totals, Vat, line_total, totals, unit_price
from configurator.quote.words import GROUPS
from configurator.texts import money, say_in


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A line; an empty price is a question. `note` says what is special: a discount, not in the total."""

    quantity: str
    text: str
    note: str
    unit_price: str
    total: str
    optional: bool


@dataclass(frozen=True, slots=True)
class PriceGroup:
    """Lines of one kind under their heading."""

    name: str
    rows: tuple[PriceRow, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum below the lines; `strong` for the one that is paid."""

    label: str
    amount: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The table. `sums` are empty without any price; `notes` say how tax and cents were treated."""

    groups: tuple[PriceGroup, ...]
    sums: tuple[Sum, ...]
    open: str
    notes: tuple[str, ...]


def price_table(project: Project, language: str) -> PriceTable | None:
    """Return the table of a project, or None where it has no lines."""
    if not project.lines:
        return None
    return _Writer(project, language).table()


class _Writer:
    """Writes the amounts of one project in one language."""

    def __init__(self, project: Project, language: str) -> None:
        self._project, self._language, self._say = project, language, say_in(language)
        self._totals: Totals = totals(project)

    def table(self) -> PriceTable:
        lines = self._project.lines
        groups = tuple(
            PriceGroup(self._say(name), tuple(self._row(line) for line in lines if line.group == group))
            for group, name in GROUPS.items()
            if any(line.group == group for line in lines)
        )
        sums = tuple(self._sums()) if self._totals.priced else ()
        return PriceTable(groups, sums, self._open(), tuple(map(self._say, self._notes())))

    def _row(self, line: QuoteLine) -> PriceRow:
        price, total = unit_price(line, self._project), line_total(line, self._project)
        return PriceRow(
            self._say(message("{n}", n=line.quantity)),
            line.text,
            " · ".join(map(self._say, self._special(line))),
            "" if price is None else self._money(price),
            "" if total is None else self._money(total),
            line.optional,
        )

    def _special(self, line: QuoteLine) -> Iterator[Message]:
        if line.optional:
            yield message("optional, not in the total")
        if line.discount_percent:
            yield message("less {percent} %", percent=line.discount_percent)
        if line.tax == "exempt":
            yield message("exempt from VAT")

    def _sums(self) -> Iterator[Sum]:
        found, say = self._totals, self._say
        if found.discount:
            yield Sum(say("Sum of the items"), self._money(found.lines))
            yield Sum(
                say(message("less {percent} %", percent=self._project.discount_percent)),
                self._money(-found.discount),
            )
        paid = Sum(self._total_label(), self._money(found.gross), strong=True)
        taxes = [Sum(say(self._tax(tax)), self._money(tax.amount)) for tax in found.vat]
        net = Sum(say("Net"), self._money(found.net))
        yield from (paid, net, *taxes) if self._project.prices == "gross" else (net, *taxes, paid)

    def _total_label(self) -> str:
        """Name the sum that is paid: with VAT where the seller adds any, of what has a price."""
        say, taxed = self._say, any(tax.tax == "vat" for tax in self._totals.vat)
        if self._totals.missing:
            return say("Total incl. VAT of the priced items") if taxed else say("Total of the priced items")
        return say("Total incl. VAT") if taxed else say("Total")

    def _tax(self, tax: Vat) -> Message:
        net = self._money(tax.net)
        match tax.tax:
            case "reverse_charge":
                return message("VAT on {net}: owed by the customer", net=net)
            case "exempt":
                return message("exempt from VAT: {net}", net=net)
        if self._project.prices == "gross":
            return message("of it {percent} % VAT on {net}", percent=tax.percent, net=net)
        return message("plus {percent} % VAT on {net}", percent=tax.percent, net=net)

    def _open(self) -> str:
        missing = self._totals.missing
        if missing == 1:
            return self._say("plus 1 price still open")
        return self._say(message("plus {count} prices still open", count=missing)) if missing else ""

    def _notes(self) -> Iterator[Message]:
        """Say how tax and cents were treated."""
        if any(tax.tax == "reverse_charge" for tax in self._totals.vat):
            yield message("Reverse charge: the customer owes the VAT.")
            if self._project.customer.vat_id:
                yield message("VAT id of the customer: {id}", id=self._project.customer.vat_id)
        if self._project.prices == "gross":
            yield message("Prices include VAT; each is rounded half up, and the VAT taken out of the total.")
        else:
            yield message("Prices without VAT; each line is rounded half up, and VAT taken of their sum.")

    def _money(self, amount: Decimal) -> str:
        return money(amount, self._project.currency, self._language)
