"""What still has to be asked before a quote can be sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from configurator.domain.message import Message, message
from configurator.domain.project import Project
from configurator.domain.workshop import Workshop
from configurator.quote.lines import is_stale
from configurator.quote.money import net_price, tax_of


def open_questions(project: Project, workshop: Workshop, today: date) -> tuple[Message, ...]:
    """Return what is missing or doubtful, one sentence each; empty: it can be sent."""
    return tuple(_asked(project, workshop, today))


def _asked(project: Project, workshop: Workshop, today: date) -> Iterator[Message]:
    if not project.customer.name:
        yield message("Who is the customer?")
    if not (project.seller or workshop.seller).name:
        yield message("Who quotes? The settings do not name the workshop yet.")
    if not project.lines:
        yield message("What does it cost? The quote has no lines yet.")
    for line in project.lines:
        if net_price(line, project.currency) is None:
            yield message("What does it cost: {text}?", text=line.text)
        elif is_stale(line, today, workshop.stale_days):
            yield message(
                "Does the price of {day} still hold: {text}? It is older than {n} days.",
                day=line.price_date, text=line.text, n=workshop.stale_days,
            )  # fmt: skip
    owed = any(tax_of(line, project)[0] == "reverse_charge" for line in project.lines)
    if owed and not project.customer.vat_id:
        yield message("Which VAT id has the customer? Reverse charge needs it on the quote.")
    if owed and not (project.seller or workshop.seller).vat_id:
        yield message("Which VAT id has the workshop? Reverse charge needs it on the quote.")
