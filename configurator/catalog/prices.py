"""What the workshop pays or asks for a part: from its own folder alone, never shipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, Field

from configurator.domain.base import DateText, Word


def _decimal(value: object) -> object:
    """Accept an amount as text or number, to the cent as it is written."""
    return (
        Decimal(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else value
    )


class Price(Word):
    """A dated price of one part."""

    part: str
    """Id of the part."""
    net: Annotated[Decimal, BeforeValidator(_decimal), Field(gt=0)]
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] = "EUR"
    source: str
    date: DateText


def latest(prices: Iterable[Price]) -> Mapping[str, Price]:
    """Return the newest price by part; of two from the same day the one read last."""
    found: dict[str, Price] = {}
    for price in prices:
        if price.part not in found or price.date >= found[price.part].date:
            found[price.part] = price
    return found
