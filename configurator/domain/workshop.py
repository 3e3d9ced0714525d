"""The workshop's own settings: what every new quote begins with. They never leave the workshop."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from configurator.domain.base import Count, Several, Word
from configurator.domain.machine import Mains
from configurator.domain.money import Currency, Margin, Percent
from configurator.domain.project import Language, PriceView, QuoteLine
from configurator.domain.seller import Seller


class PriceList(Word):
    """How a supplier writes its price list, so that next month's is read without questions."""

    supplier: str
    file: str | None = None
    """Where it was last found."""
    columns: dict[str, str] = Field(default_factory=dict)
    """Field of a price by the heading of its column: `{"Netto EK": "purchase"}`."""
    currency: Currency | None = None
    """Where no column names it; absent: the workshop's."""


class Workshop(Word):
    """The file format `workshop/1`. Folders and files are paths of this installation."""

    format: Literal["workshop/1"] = "workshop/1"
    seller: Seller = Seller()
    consultant: str = ""
    brand_folder: str | None = None
    """Template, colours, fonts and logo of the sheet; absent: `brand` beside the own catalogue."""
    logo: str | None = None
    """PNG, JPG or SVG; absent: `logo.*` in the brand folder, if there is one."""
    overlay_folder: str | None = None
    """Own parts and prices; absent: `catalog` in the user's data folder."""
    lines: Several[QuoteLine] = ()
    """Services that every new quote begins with: assembly, software, burn-in."""
    price_lists: Several[PriceList] = ()
    language: Language = "de"
    currency: Currency = "EUR"
    prices: PriceView = "net"
    vat_percent: Percent = Decimal(19)
    margin_percent: Margin | None = None
    """Absent: a purchase price alone makes no price."""
    valid_days: Count = 14
    stale_days: Count = 30
    """Age from which a price is marked as old."""
    mains: Mains = Mains()
    number_prefix: Annotated[str, Field(pattern=r"^[\w-]*$")] = ""
    """Tells the quote numbers of this installation from those of all others; absent: made at first use."""
    number_next: Count = 1
