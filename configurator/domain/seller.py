"""Who quotes: what a customer reads about the workshop."""

from __future__ import annotations

from configurator.domain.base import Several, Word


class Seller(Word):
    """The workshop as it stands on the sheet, line by line."""

    name: str = ""
    address: Several[str] = ()
    contact: Several[str] = ()
    """Telephone, e-mail, web."""
    vat_id: str = ""
    bank: Several[str] = ()
    """Name of the bank, IBAN, BIC."""
    terms: Several[str] = ()
    """Payment, delivery, retention of title: one sentence each."""
