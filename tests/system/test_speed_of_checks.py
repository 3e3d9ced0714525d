"""How long the checks of a case and the search for slots take; run with --benchmark-enable."""

from __future__ import annotations

from typing import Any

import pytest
from asking import SERVING, case_of

from configurator.catalog.catalog import load_catalog
from configurator.memory.engine import predict
from configurator.system.checks import check
from configurator.system.placement import place

MACHINES = {
    "one card": {"gpus": [{"gpu": "geforce-rtx-4090"}]},
    "four cards": {
        "gpus": [{"gpu": "rtx-pro-6000-blackwell-max-q", "count": 4}],
        "board": "asus-pro-ws-wrx90e-sage-se",
        "cpu": "ryzen-threadripper-pro-9975wx",
        "case": {"gpu_length_mm": 400, "slots": 8},
        "psu": {"watts": 1600},
        "drives": [{"capacity_tb": 4.0}],
    },
    "no place": {
        "gpus": [{"gpu": {"name": "Wide", "vram_gib": 32, "slot_width": 3.5}, "count": 4}],
        "board": "asus-pro-ws-wrx90e-sage-se",
        "cpu": "ryzen-threadripper-pro-9975wx",
    },
}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=list(MACHINES))
def test_all_checks_of_a_case(benchmark: Any, machine: dict[str, Any]) -> None:
    catalog, case = load_catalog(), case_of(machine, SERVING)
    predicted = predict(case, catalog)
    full = case.model_copy(update={"workload": predicted.workload, "plan": predicted.estimate.plan})
    assert benchmark(check, full, predicted.estimate, catalog).findings


def test_four_cards_on_seven_slots(benchmark: Any) -> None:
    catalog = load_catalog()
    board = catalog.boards.find("asus-pro-ws-wrx90e-sage-se")
    names = ("rtx-a4000", "rtx-4000-ada-generation", "rtx-pro-4000-blackwell", "l4")
    cards = [catalog.gpus.find(name) for name in names]
    assert len(benchmark(place, board, cards, None, frozenset(), 8).seats) == 4
