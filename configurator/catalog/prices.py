"""What the workshop pays or asks for a part: from its own folder alone, never shipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field

from configurator.domain.base import DateText, Word
from configurator.domain.project import Money


class Price(Word):
    """A dated price of one part."""

    part: str
    """Id of the part."""
    net: Annotated[Money, Field(gt=0)]
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
