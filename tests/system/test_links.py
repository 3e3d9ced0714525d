"""Lanes, links between cards, and what more cards bring."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ADAPTERS, SERVING, asked, told

DESKTOP = {"board": "asus-proart-x870e-creator-wifi", "cpu": "ryzen-9-9950x"}


def cards(name: str, count: int = 2, **more: Any) -> dict[str, Any]:
    return {"gpus": [{"gpu": name, "count": count}], "os": "linux", **more}


def test_two_pro_6000_on_a_desktop_board_have_their_lanes_ram_and_heat_said() -> None:
    every = asked(cards("rtx-pro-6000-blackwell", **DESKTOP, ram_gb=128), SERVING, plan={"tp": 2})
    # 8 lanes of Gen5: 8 x 1.95 x 2 = 31.2 GB/s.
    assert every["pcie.lanes"].numbers.items() >= {"lanes": 8, "gbs": 31.2}.items()
    assert every["ram.capacity"].severity == "warn"  # 192 GB of memory on the cards
    # (2 x 600 + 230 + 100) / 0.92 = 1,663 W, x 3.412.
    assert every["cooling"].numbers == {"heat_w": 1663, "btu_h": 5674}
    assert "1,663 W become heat" in told(every["cooling"])


def test_a_third_card_of_a_desktop_hangs_on_the_chipset() -> None:
    # Four lanes of Gen4 through the chipset: 4 x 1.95 / 2 = 3.9 GB/s.
    every = asked(cards("rtx-a4000", 3, **DESKTOP), SERVING, plan={"pp": 3})
    lanes = every["pcie.lanes"]
    assert (lanes.severity, lanes.numbers["gbs"]) == ("warn", 3.9)
    assert every["platform.cpu"].severity == "warn"


@pytest.mark.parametrize(
    ("name", "plan", "options", "severity", "words"),
    [
        ("geforce-rtx-4090", {"tp": 2}, {}, "info", "14 µs"),
        ("geforce-rtx-4090", {"dp": 2}, {}, "ok", "the link does not decide"),
        ("rtx-pro-6000-blackwell", {"tp": 2}, {}, "ok", "directly"),
        ("rtx-a6000", {"tp": 2}, {"nvlink": True}, "ok", "NVLink"),
        ("geforce-rtx-3090", {"tp": 2}, {}, "info", "an NVLink bridge"),
    ],
)
def test_how_the_cards_talk(
    name: str, plan: dict[str, int], options: dict[str, Any], severity: str, words: str
) -> None:
    p2p = asked(cards(name), SERVING | {"options": options}, plan=plan)["pcie.p2p"]
    assert p2p.severity == severity
    assert words in told(p2p)


@pytest.mark.parametrize(
    ("name", "workload", "plan", "low", "high"),
    [
        # Two cards: 1 + 0.80 to 1 + 0.99, and so on by the table.
        ("geforce-rtx-4090", ADAPTERS, {"dp": 2}, 1.8, 1.99),
        ("geforce-rtx-4090", ADAPTERS | {"task": "full"}, {"dp": 2}, 0.5, 1.75),
        ("rtx-6000-ada-generation", ADAPTERS | {"task": "full"}, {"dp": 2}, 1.75, 1.97),
        ("geforce-rtx-4090", SERVING, {"pp": 2}, 0.9, 1.05),
        ("geforce-rtx-4090", SERVING | {"concurrency": 16}, {"pp": 2}, 1.2, 1.9),
    ],
)
def test_more_cards_bring_a_range_by_method_and_link(
    name: str, workload: dict[str, Any], plan: dict[str, int], low: float, high: float
) -> None:
    numbers = asked(cards(name), workload, plan=plan)["plan.scaling"].numbers
    assert (numbers["low"], numbers["high"]) == (low, high)


def test_several_cards_want_their_firmware_set() -> None:
    # 96 GB ask for windows of 128 GiB each.
    assert asked(cards("rtx-pro-6000-blackwell"))["pcie.bar"].numbers == {"window_gib": 256}


@pytest.mark.parametrize(
    ("cpu", "board", "severity"),
    [
        ("ryzen-9-9950x", "asus-pro-ws-wrx90e-sage-se", "error"),
        ("ryzen-threadripper-9970x", "asus-pro-ws-wrx90e-sage-se", "warn"),  # 4 of 8 channels
        ("ryzen-threadripper-pro-9975wx", "asus-pro-ws-wrx90e-sage-se", "info"),  # more than one card uses
    ],
)
def test_the_processor_must_go_onto_the_board(cpu: str, board: str, severity: str) -> None:
    one = asked({"gpus": [{"gpu": "geforce-rtx-4090"}], "cpu": cpu, "board": board})
    assert one["platform.cpu"].severity == severity
