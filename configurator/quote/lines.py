"""The lines of a quote follow its machine; what the consultant wrote stays."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from decimal import Decimal

from configurator.catalog.bill import Item, bill
from configurator.catalog.catalog import Catalog
from configurator.catalog.prices import Price
from configurator.domain.project import Project, QuoteLine
from configurator.domain.workshop import Workshop
from configurator.texts import Say, say_in


def with_lines(project: Project, catalog: Catalog, workshop: Workshop) -> Project:
    """Return the project with a line for every item of its machine that the customer does not own.

    A line that follows an item keeps price, discount and text as long as the item stays the same part;
    lines without an item stay as they are. A quote without lines begins with the workshop's services.
    Raises BadInput for unknown parts.
    """
    say = say_in(project.language)
    items = [item for item in bill(project.machines[0].machine, catalog) if not item.owned]
    known = {line.item: line for line in project.lines if line.item}
    followed = tuple(_line(item, known.get(item.key), project, workshop, say) for item in items)
    by_hand = tuple(line for line in project.lines if not line.item)
    return project.model_copy(update={"lines": followed + (by_hand if project.lines else workshop.lines)})


def _line(item: Item, known: QuoteLine | None, project: Project, workshop: Workshop, say: Say) -> QuoteLine:
    text, quantity = say(item.text), Decimal(item.count)
    if known is not None and (known.part, item.part or known.text) == (item.part, item.part or text):
        return known.model_copy(update={"quantity": quantity})
    line = QuoteLine(
        text=text, quantity=quantity, part=item.part, item=item.key, vat_percent=workshop.vat_percent
    )
    return priced(line, item.price, project.currency)


def priced(line: QuoteLine, price: Price | None, currency: str) -> QuoteLine:
    """Return the line with a price of the workshop's list; one in another currency stays a question."""
    if price is None or price.currency != currency:
        return line
    return line.model_copy(
        update={
            "unit_price": price.net,
            "purchase_price": price.purchase,
            "price_source": price.source,
            "price_date": price.date,
        }
    )


def with_prices(project: Project, catalog: Catalog) -> Project:
    """Return the project with the newest prices of the workshop's lists for all parts that have one."""
    lines = (
        priced(line, catalog.prices.get(line.part) if line.part else None, project.currency)
        for line in project.lines
    )
    return project.model_copy(update={"lines": tuple(lines)})


def is_stale(line: QuoteLine, today: date, days: int) -> bool:
    """Whether the price of a line is older than so many days."""
    return line.price_date is not None and (today - _last_day(line.price_date)).days > days


def _last_day(text: str) -> date:
    """Return the day of a date as precise as it is given: of a month or a year its last."""
    year, month, day = ([int(part) for part in text.split("-")] + [12, 31][len(text.split("-")) - 1 :])[:3]
    return date(year, month, min(day, monthrange(year, month)[1]))
