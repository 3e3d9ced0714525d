"""Every sentence of the program exists in German, with the same values."""

import gettext
import importlib.machinery
import importlib.util
import string
from pathlib import Path

import pytest

from configurator.domain.message import message
from configurator.domain.units import GIB
from configurator.texts import say_in

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "resources" / "locale"


def _collected():
    path = str(ROOT / "packaging" / "texts")
    loader = importlib.machinery.SourceFileLoader("texts_tool", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("texts_tool", loader))
    loader.exec_module(module)
    return sorted({entry.id for entry in module.collected() if entry.id} | module.declared())


def _names(template):
    return sorted(name for _, name, _, _ in string.Formatter().parse(template) if name)


@pytest.mark.parametrize("template", _collected())
def test_every_template_has_a_german_text_with_the_same_values(template):
    german = gettext.translation("configurator", LOCALE, languages=["de"])
    text = german.gettext(template)
    assert template in german._catalog, "no German text"
    assert _names(text) == _names(template)


def test_numbers_are_written_in_the_manner_of_the_language():
    text = message("{size:gib}", size=1.5 * GIB)
    assert say_in("de")(text) == "1,5 GiB"
    assert say_in("en")(text) == "1.5 GiB"
