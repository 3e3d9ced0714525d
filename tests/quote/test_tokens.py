"""One table of colours: complete, and legible in light and dark."""

import json
from typing import get_args

import pytest

from configurator.catalog.places import RESOURCES
from configurator.domain.ledger import Component

TOKENS = json.loads((RESOURCES / "tokens.json").read_text())


def luminance(colour: str) -> float:
    """Relative luminance after WCAG 2.1."""
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_colour_is_legible_on_both_grounds(theme: str) -> None:
    roles = TOKENS[theme]
    for role in ("ink", "muted", "accent", "ok", "warn", "fail"):
        assert contrast(roles[role], roles["surface"]) >= 4.5, role
        assert contrast(roles[role], roles["ground"]) >= 4.5, role


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_component_has_its_own_colour(theme: str) -> None:
    series = TOKENS["series"][theme]
    assert set(series) == set(get_args(Component))
    assert len(set(series.values())) == len(series)
