"""Money of a quote: Decimal throughout, rounded half up to the smallest coin, line by line.

With net prices a line is quantity times unit price less its discount, and VAT is taken per rate of the
sum of the lines. With gross prices each unit price is rounded with its tax first, lines and total are
sums of those, and the tax inside is taken out per rate. Either way a customer who adds up the printed
lines arrives at the printed sums. A discount on the whole quote is taken per rate as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from configurator.domain.money import rounded, with_margin
from configurator.domain.project import Project, QuoteLine, Tax

_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Vat:
    """The tax of one rate: whose it is, percent, the net it is taken of, and its amount."""

    tax: Tax
    percent: Decimal
    net: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the lines that have a price. `lines` and `discount` are net or gross, as the lines are shown."""

    lines: Decimal
    discount: Decimal
    net: Decimal
    vat: tuple[Vat, ...]
    missing: int
    """Lines whose price is still a question."""
    priced: int

    @property
    def gross(self) -> Decimal:
        """Net and all taxes."""
        return self.net + sum((tax.amount for tax in self.vat), _NOTHING)


def unit_price(line: QuoteLine, project: Project) -> Decimal | None:
    """Return the price of one as the lines show it, net or gross; None where it is still a question."""
    price = net_price(line, project.currency)
    if price is None or project.prices == "net":
        return price
    _, percent = tax_of(line, project)
    return rounded(price * (100 + percent) / 100, project.currency)


def net_price(line: QuoteLine, currency: str) -> Decimal | None:
    """Return the net price of one: as written, else from purchase price and margin, else None."""
    if line.unit_price is not None or line.purchase_price is None or line.margin_percent is None:
        return line.unit_price
    return with_margin(line.purchase_price, line.margin_percent, currency)


def line_total(line: QuoteLine, project: Project) -> Decimal | None:
    """Return quantity times price less the line's discount; None where the price is still a question."""
    price = unit_price(line, project)
    if price is None:
        return None
    return rounded(line.quantity * price * (100 - line.discount_percent) / 100, project.currency)


def tax_of(line: QuoteLine, project: Project) -> tuple[Tax, Decimal]:
    """Return whose the tax of a line is, and the percent that the seller adds."""
    tax: Tax = "reverse_charge" if project.reverse_charge and line.tax == "vat" else line.tax
    return tax, line.vat_percent if tax == "vat" else _NOTHING


def totals(project: Project) -> Totals:
    """Add up the printed totals of all lines that are not optional, and tax them by rate, highest first."""
    sums: dict[tuple[Tax, Decimal], Decimal] = {}
    wanted = [line for line in project.lines if not line.optional]
    for line, amount in _priced(wanted, project):
        key = tax_of(line, project)
        sums[key] = sums.get(key, _NOTHING) + amount
    cuts = {
        key: rounded(amount * project.discount_percent / 100, project.currency)
        for key, amount in sums.items()
    }
    order = sorted(sums, key=lambda key: (key[1], key[0]), reverse=True)
    taxes = tuple(
        _vat(tax, percent, sums[tax, percent] - cuts[tax, percent], project) for tax, percent in order
    )
    priced = sum(1 for _ in _priced(wanted, project))
    return Totals(
        lines=sum(sums.values(), _NOTHING),
        discount=sum(cuts.values(), _NOTHING),
        net=sum((tax.net for tax in taxes), _NOTHING),
        vat=taxes,
        missing=len(wanted) - priced,
        priced=priced,
    )


def _priced(lines: Sequence[QuoteLine], project: Project) -> Iterator[tuple[QuoteLine, Decimal]]:
    for line in lines:
        amount = line_total(line, project)
        if amount is not None:
            yield line, amount


def _vat(tax: Tax, percent: Decimal, amount: Decimal, project: Project) -> Vat:
    """Return the tax of one rate, added to net sums or taken out of gross ones."""
    if project.prices == "net":
        return Vat(tax, percent, amount, rounded(amount * percent / 100, project.currency))
    inside = rounded(amount * percent / (100 + percent), project.currency)
    return Vat(tax, percent, amount - inside, inside)
