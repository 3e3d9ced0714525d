"""`catalog check` proves what it says it proves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from configurator.catalog.boards import M2, Board, Sharing, Slot
from configurator.catalog.catalog import Parts, load_catalog
from configurator.catalog.check import problems
from configurator.catalog.kinds import KINDS
from configurator.catalog.part import FieldSource
from configurator.catalog.parts import Psu
from configurator.texts import say_in

CATALOG = load_catalog()


def found(kind: str, id_: str, **changes: Any) -> list[str]:
    """What the check says when one entry is changed."""
    shelf = getattr(CATALOG, kind)
    changed = Parts(kind, {**shelf, id_: shelf[id_].model_copy(update=changes)})
    return [say_in("en")(one) for one in problems(replace(CATALOG, **{kind: changed}))]


def test_the_shipped_catalogue_has_no_problem() -> None:
    assert list(map(say_in("en"), problems(CATALOG))) == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"date": None}, "its date is no year"),
        ({"date": "May 2026"}, "its date is no year"),
        ({"inferred": ("no_such",)}, "'no_such' is marked"),
        ({"sources": (FieldSource(fields=("wats",), source="x", date="2026"),)}, "'wats' is marked"),
        ({"aliases": ("NZXT C1200",)}, "names both"),
    ],
)
def test_a_part_without_origin_or_name_of_its_own(changes: dict[str, Any], words: str) -> None:
    (problem,) = found("psus", "corsair-rm1000e-1000w", **changes)
    assert words in problem
    assert "corsair-rm1000e-1000w" in problem


@pytest.mark.parametrize(
    ("kind", "id_", "changes", "words"),
    [
        ("cpus", "ryzen-9-9950x", {"platform": "ryzen-99"}, "platform 'ryzen-99' is not in"),
        ("cpus", "ryzen-9-9950x", {"socket": "AM4"}, "not that of its platform"),
        ("boards", "msi-meg-x870e-godlike", {"socket": "AM6"}, "no platform has its socket"),
    ],
)
def test_a_reference_that_leads_nowhere(kind: str, id_: str, changes: dict[str, Any], words: str) -> None:
    (problem,) = found(kind, id_, **changes)
    assert words in problem


@pytest.mark.parametrize(
    ("slots", "words"),
    [
        ([{"shares_with": (Sharing(used="M2_9", lanes=4),)}, {}], "which it does not have"),
        ([{"shares_with": (Sharing(used="M2_1", lanes=16),)}, {}], "loses nothing"),
        ([{"name": "two"}, {}], "two places are named 'two'"),
        ([{"position": 4}, {"position": 2}], "topmost first"),
        ([{"lanes_by_platform": {"ryzen-99": 8}}, {}], "platform 'ryzen-99' is not in"),
    ],
)
def test_a_table_of_slots_that_cannot_be(slots: list[dict[str, Any]], words: str) -> None:
    made = tuple(
        Slot(**{"name": name, "lanes": 16} | facts) for name, facts in zip(("one", "two"), slots, strict=True)
    )
    (problem,) = found("boards", "msi-meg-x870e-godlike", slots=made, m2=(M2(name="M2_1", lanes=4),))
    assert words in problem


@pytest.mark.parametrize(
    "facts", [{"watts": 120_000}, {"connectors_8pin": -1}, {"id": "Our PSU"}, {"length_mm": 16.0e3}]
)
def test_a_figure_outside_all_bounds_is_refused_at_once(facts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Psu(**{"id": "ours", "name": "Ours", "source": "type plate", "watts": 1200} | facts)


def test_each_kind_is_a_shelf_of_the_catalogue() -> None:
    assert all(getattr(CATALOG, kind) for kind in KINDS)
    assert isinstance(next(iter(CATALOG.boards.values())), Board)
