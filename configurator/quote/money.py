"""Money on the sheet: Decimal throughout, rounded half up to the cent line by line.

VAT is taken per rate over the printed line totals, so that a customer who adds up the sheet by
hand arrives at the printed sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from configurator.domain.money import rounded
from configurator.domain.project import QuoteLine


@dataclass(frozen=True, slots=True)
class Vat:
    """The tax of one rate: percent, the net it is taken of, and its amount."""

    percent: Decimal
    net: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the lines that have a price; `missing` counts those that have none."""

    net: Decimal
    vat: tuple[Vat, ...]
    missing: int
    priced: int

    @property
    def gross(self) -> Decimal:
        """Net and all taxes."""
        return self.net + sum((tax.amount for tax in self.vat), Decimal(0))


def line_total(line: QuoteLine) -> Decimal | None:
    """Return quantity times price to the cent; None where the price is still a question."""
    return None if line.unit_price is None else rounded(line.quantity * line.unit_price, "EUR")


def totals(lines: Iterable[QuoteLine]) -> Totals:
    """Add up the printed line totals and tax them by rate, highest rate first."""
    nets: dict[Decimal, Decimal] = {}
    missing = priced = 0
    for line in lines:
        amount = line_total(line)
        if amount is None:
            missing += 1
            continue
        priced += 1
        nets[line.vat_percent] = nets.get(line.vat_percent, Decimal(0)) + amount
    taxes = tuple(
        Vat(rate, nets[rate], rounded(nets[rate] * rate / 100, "EUR")) for rate in sorted(nets, reverse=True)
    )
    return Totals(sum(nets.values(), Decimal(0)), taxes, missing, priced)
