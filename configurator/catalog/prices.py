"""What the workshop pays or asks for a part: from its own folder alone, never shipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, model_validator

from configurator.domain.base import DateText, Word
from configurator.domain.money import Currency, Money, with_margin

Amount = Annotated[Money, Field(gt=0)]


class Price(Word):
    """A dated price of one part: what is asked for it, what is paid for it, or both."""

    part: str
    """Id of the part."""
    net: Amount | None = None
    """What a customer is asked; absent: made of the purchase price and the workshop's margin."""
    purchase: Amount | None = None
    """What the workshop pays. Never leaves the workshop."""
    currency: Currency = "EUR"
    supplier: str | None = None
    source: str
    date: DateText

    @model_validator(mode="after")
    def _something(self) -> Self:
        if self.net is None and self.purchase is None:
            raise ValueError("needs `net` (what is asked) or `purchase` (what is paid)")
        return self


def asked(price: Price, margin: Decimal | None) -> Price:
    """Return the price with what is asked, where a purchase price and a margin in percent make it."""
    if price.net is not None or price.purchase is None or margin is None:
        return price
    return price.model_copy(update={"net": with_margin(price.purchase, margin, price.currency)})


def latest(prices: Iterable[Price]) -> Mapping[str, Price]:
    """Return the newest price by part; of two from the same day the one read last."""
    found: dict[str, Price] = {}
    for price in prices:
        if price.part not in found or price.date >= found[price.part].date:
            found[price.part] = price
    return found
