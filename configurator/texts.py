"""Sentences in German and English. The only place where a message becomes a sentence.

The templates are English; `resources/locale/de/LC_MESSAGES/configurator.po` holds the German.
How a value is written stands behind the colon of its name, see `configurator.domain.message`.
"""

from __future__ import annotations

import gettext
import string
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_currency, format_decimal

from configurator.catalog.places import RESOURCES
from configurator.domain.message import Message
from configurator.domain.units import GB, GIB, MIB

Say = Callable[[Message | str], str]


@lru_cache(4096)
def _number(value: float, pattern: str, locale: Locale) -> str:
    """Write a number; the window writes the same few hundred after every change."""
    return str(format_decimal(value, format=pattern, locale=locale))


class _Writer(string.Formatter):
    """Puts values into a template in the manner of one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._locale = Locale.parse(language)

    def number(self, value: float, pattern: str = "#,##0.##") -> str:
        return _number(value, pattern, self._locale)

    def format_field(self, value: Any, format_spec: str) -> str:
        match format_spec:
            case "gib":
                return self.number(value / GIB, "#,##0.0" if value < 100 * GIB else "#,##0") + " GiB"
            case "mib":
                return self.number(value / MIB, "#,##0") + " MiB"
            case "gb":
                return self.number(value / GB, "#,##0.#") + " GB"
            case "n":
                return self.number(value, "#,##0")
            case "1":
                return self.number(value, "#,##0.0")
            case "2":
                return self.number(value, "0.00")
            case "w":
                return self.number(value, "#,##0") + " W"
            case "%":
                return self.number(100 * value, "0") + " %"
            case "date":
                return str(format_date(value, "long", locale=self._locale))
        if isinstance(value, Message):
            return say_in(self._language)(value)
        if isinstance(value, bool) or value is None:
            return str(value)
        if isinstance(value, int | float) and not format_spec:
            return self.number(value)
        if isinstance(value, Decimal) and not format_spec:
            return str(format_decimal(value, locale=self._locale, decimal_quantization=False))
        if isinstance(value, date):
            return str(format_date(value, "long", locale=self._locale))
        return str(super().format_field(value, format_spec))


@lru_cache
def say_in(language: str) -> Say:
    """Return the function that says a message or a fixed text in `language` (`de` or `en`)."""
    translations = gettext.translation(
        "configurator", RESOURCES / "locale", languages=[language], fallback=True
    )
    writer = _Writer(language)

    def say(text: Message | str) -> str:
        if isinstance(text, str):
            return translations.gettext(text) if text else ""
        return writer.vformat(translations.gettext(text.template), (), text.values)

    return say


def money(amount: Any, currency: str, language: str) -> str:
    """Write an amount of money (Decimal) in the manner of `language`, with every decimal that it has."""
    return str(format_currency(amount, currency, locale=language, decimal_quantization=False))
