"""Situations of customers from public questions: what the configurator says about each of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from configurator.advice.answer import answer
from configurator.catalog.boards import Board
from configurator.catalog.catalog import Catalog, Parts, load_catalog
from configurator.domain.case import Case
from configurator.domain.workload import Workload
from configurator.texts import say_in

DATA = Path(__file__).parents[1] / "data"
SCENARIOS = yaml.safe_load((DATA / "scenarios.yaml").read_text(encoding="utf-8"))["scenarios"]
DECIDED = [one for one in SCENARIOS if "undecided" not in one]


def catalog_with(board: dict[str, Any] | None) -> Catalog:
    catalog = load_catalog((DATA / "scenario_models",))
    if board is None:
        return catalog
    part = Board.model_validate({"id": "the-board", "name": "The board", "source": "as told"} | board)
    return replace(catalog, boards=Parts("board", {part.id: part}))


@pytest.mark.parametrize("one", DECIDED, ids=lambda one: one["id"])
def test_the_configurator_says_what_the_source_found(one: dict[str, Any]) -> None:
    machine = one["case"]["machine"] | ({"board": "the-board"} if "board" in one else {})
    case = Case.model_validate({"format": "case/1"} | one["case"] | {"machine": machine})
    catalog = catalog_with(one.get("board"))
    said = answer(case, catalog)
    findings = {finding.id: finding for finding in said.findings.findings}
    if "verdict" in one:
        assert said.estimate.verdict in one["verdict"]
    for name, severities in one.get("findings", {}).items():
        assert findings[name].severity in severities, name
    for name, words in one.get("text", {}).items():
        finding, say = findings[name], say_in("en")
        told = " ".join(say(text) for text in (finding.message, finding.why, finding.fix) if text)
        assert words in told
    for name, least in one.get("at_least", {}).items():
        assert all(findings[name].numbers[key] >= value for key, value in least.items()), findings[
            name
        ].numbers
    for name, most in one.get("at_most", {}).items():
        assert all(findings[name].numbers[key] <= value for key, value in most.items()), findings[
            name
        ].numbers
    if "beside" in one:
        others = [
            case.model_copy(update={"workload": Workload.model_validate(work), "plan": None})
            for work in one["beside"]
        ]
        needs = [answer(other, catalog).estimate.devices[0].total.likely for other in others]
        assert sum(needs) + said.estimate.devices[0].total.likely > said.estimate.devices[0].usable
    if one.get("reserves"):
        device = said.estimate.devices[0]
        assert device.reserved_by_framework and device.total.likely < device.reserved_by_framework


def test_most_situations_are_decided_and_the_rest_say_why_not() -> None:
    names = [one["id"] for one in SCENARIOS]
    assert len(set(names)) == len(names)
    assert all(one["source"].startswith("https://") and one["situation"] for one in SCENARIOS)
    assert all(one["undecided"] for one in SCENARIOS if "case" not in one)
