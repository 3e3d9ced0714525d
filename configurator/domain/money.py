"""Amounts and percentages as Decimal: a float would already have lost the cent."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Annotated

from pydantic import BeforeValidator, Field


def _decimal(value: object) -> object:
    """Accept money as text or number; a YAML float is taken as it is written."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return value
    try:
        return Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"must be an amount such as 1899.90, not '{value}'") from None


Money = Annotated[Decimal, BeforeValidator(_decimal)]
"""An amount in the currency that stands beside it."""

Percent = Annotated[Money, Field(ge=0, le=100)]
"""0 to 100."""

Margin = Annotated[Money, Field(ge=0, lt=100)]
"""Share of the net selling price that stays with the workshop, in percent."""

Currency = Annotated[str, Field(pattern="^[A-Z]{3}$")]
"""ISO 4217: EUR, CHF, PLN."""


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Round half up to the smallest coin of a currency, as merchants do: to the cent, to the whole yen."""
    from babel.numbers import get_currency_precision

    return amount.quantize(Decimal(1).scaleb(-get_currency_precision(currency)), ROUND_HALF_UP)


def with_margin(purchase: Decimal, margin: Decimal, currency: str) -> Decimal:
    """Return the net price of which `margin` percent stay when `purchase` is paid."""
    return rounded(purchase * 100 / (100 - margin), currency)
