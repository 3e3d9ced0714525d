"""Money on the sheet: Decimal throughout, rounded half up to the cent line by line.

VAT is taken per rate over the printed line totals, so that a customer who adds up the sheet by
hand arrives at the printed sums.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from configurator.domain.project import QuoteLine

CENT = Decimal("0.01")


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


def to_cent(amount: Decimal) -> Decimal:
    """Round half up to the cent, as merchants do."""
    return amount.quantize(CENT, ROUND_HALF_UP)


def line_total(line: QuoteLine) -> Decimal | None:
    """Return quantity times price to the cent; None where the price is still a question."""
    return None if line.unit_price is None else to_cent(line.quantity * line.unit_price)


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
        Vat(rate, nets[rate], to_cent(nets[rate] * rate / 100)) for rate in sorted(nets, reverse=True)
    )
    return Totals(sum(nets.values(), Decimal(0)), taxes, missing, priced)
