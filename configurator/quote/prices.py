"""The price table as printed: lines by group, sums, and how many prices are still open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from configurator.domain.message import message
from configurator.domain.project import QuoteLine
from configurator.quote.money import line_total, totals
from configurator.quote.words import GROUPS
from configurator.texts import money, say_in


@dataclass(frozen=True, slots=True)
class PriceRow:
    """A line; an empty price is a question."""

    quantity: str
    text: str
    unit_price: str
    total: str


@dataclass(frozen=True, slots=True)
class PriceGroup:
    """Lines of one kind under their heading."""

    name: str
    rows: tuple[PriceRow, ...]


@dataclass(frozen=True, slots=True)
class PriceTable:
    """The table. `sums` are label and amount, the last one the total; empty without any price."""

    groups: tuple[PriceGroup, ...]
    sums: tuple[tuple[str, str], ...]
    open: str


def price_table(lines: Sequence[QuoteLine], currency: str, language: str) -> PriceTable | None:
    """Return the table, or None where the project has no lines."""
    if not lines:
        return None
    say = say_in(language)
    groups = tuple(
        PriceGroup(say(name), tuple(_row(line, currency, language) for line in lines if line.group == group))
        for group, name in GROUPS.items()
        if any(line.group == group for line in lines)
    )
    return PriceTable(groups, _sums(lines, currency, language), _open(lines, language))


def _row(line: QuoteLine, currency: str, language: str) -> PriceRow:
    total = line_total(line)
    price = "" if line.unit_price is None else money(line.unit_price, currency, language)
    amount = "" if total is None else money(total, currency, language)
    return PriceRow(_number(line.quantity, language), line.text, price, amount)


def _sums(lines: Sequence[QuoteLine], currency: str, language: str) -> tuple[tuple[str, str], ...]:
    say = say_in(language)
    sums = totals(lines)
    if not sums.priced:
        return ()
    taxes = (
        (
            say(message("plus {percent} % VAT on {net}", percent=_number(tax.percent, language), net=net)),
            money(tax.amount, currency, language),
        )
        for tax in sums.vat
        for net in (money(tax.net, currency, language),)
    )
    label = say("Total incl. VAT") if not sums.missing else say("Total incl. VAT of the priced items")
    return (
        (say("Net"), money(sums.net, currency, language)),
        *taxes,
        (label, money(sums.gross, currency, language)),
    )


def _open(lines: Sequence[QuoteLine], language: str) -> str:
    missing = totals(lines).missing
    if not missing:
        return ""
    if missing == 1:
        return say_in(language)(message("plus 1 price still open"))
    return say_in(language)(message("plus {count} prices still open", count=missing))


def _number(value: Decimal, language: str) -> str:
    return say_in(language)(message("{n}", n=float(value)))
