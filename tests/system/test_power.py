"""Power: peaks, rails, adapters, circuits, limits."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ADAPTERS, asked, case_of, told

from configurator.domain.machine import Machine
from configurator.system.limit import speed_at
from configurator.system.rules import table

TWO_5090 = {"gpus": [{"gpu": "geforce-rtx-5090", "count": 2}], "cpu": "ryzen-9-9950x"}
US = {"mains": {"volts": 120, "amps": 15}}


def after(machine: dict[str, Any], change: dict[str, Any] | None) -> dict[str, Any]:
    """The machine with a change applied as the window applies it."""
    kept = {key: value for key, value in (machine | (change or {})).items() if value is not None}
    Machine.model_validate(kept)
    return kept


def test_two_5090_on_1200_watts_and_120_volts_are_two_errors_and_their_fixes() -> None:
    machine = TWO_5090 | US | {"psu": {"watts": 1200}}
    every = asked(machine)
    # 2 x 575 + 230 + 100 = 1,480 W; / 0.90 = 1,644 W at the wall against 80 % of 1,800 W.
    assert every["power.mains"].numbers.items() >= {"wall_w": 1644, "continuous_w": 1440}.items()
    errors = {name for name, finding in every.items() if finding.severity == "error"}
    assert errors == {"power.psu", "power.mains"}
    for _ in range(3):
        for name in ("power.mains", "power.psu", "power.connectors"):
            machine = after(machine, asked(machine)[name].change)
    assert not {name for name, finding in asked(machine).items() if finding.severity == "error"}


@pytest.mark.parametrize(
    ("volts", "amps", "count", "severity"),
    [
        (230, 16, 1, "ok"),  # (575 + 330) / 0.92 = 984 W
        (230, 16, 3, "info"),  # 2,234 W carry on, 2,300 W would want a socket of its own
        (230, 16, 4, "info"),
        (230, 10, 4, "error"),  # 2,859 W on 2,300 W
        (230, 16, 5, "warn"),  # 3,484 W: more than 80 % of 3,680 W
        (120, 20, 1, "ok"),
        (120, 20, 3, "error"),  # 2,283 W on 2,400 W: the code allows 1,920 W
    ],
)
def test_the_circuit_carries_so_much(volts: int, amps: int, count: int, severity: str) -> None:
    machine = TWO_5090 | {"gpus": [{"gpu": "geforce-rtx-5090", "count": count}]}
    mains = asked(machine | {"mains": {"volts": volts, "amps": amps}})["power.mains"]
    assert mains.severity == ("ok" if (volts, count) == (230, 3) else severity)


def test_the_inlet_and_the_ups_are_said() -> None:
    mains = asked(TWO_5090 | {"mains": {"volts": 120, "amps": 20}})["power.mains"]
    # 1,644 W / 120 V = 13.7 A; x 1.25 = 2,056 W.
    assert (mains.numbers["amps"], mains.numbers["ups_w"]) == (13.7, 2056)
    assert "C19" in told(mains)


def test_peaks_decide_on_a_supply_of_the_old_standard() -> None:
    card = {"name": "RTX 3080", "vram_gib": 10, "tdp_w": 320, "connectors_8pin": 2}
    old = {"watts": 850, "standard": "atx-2.4", "connectors_8pin": 4}
    # 320 + 150 + 100 = 570 W, x 1.47 = 838 W at least, / 0.80 = 1,048 W with reserve; 570 + 0.57 x 320 = 752 W peaks.
    psu = asked({"gpus": [{"gpu": card}], "psu": old})["power.psu"]
    assert (psu.severity, psu.numbers["needed_w"], psu.numbers["peak_w"]) == ("warn", 1048, 752)
    new = {"watts": 850, "standard": "atx-3.1", "connectors_8pin": 4}
    assert asked({"gpus": [{"gpu": card}], "psu": new})["power.psu"].severity == "ok"


@pytest.mark.parametrize(
    ("rails", "severity"),
    [
        (
            ["12V1: 20A", "12V2: 20A", "12V3: 25A", "12V4: 20A"],
            "ok",
        ),  # two cables of (350 - 75) / 2 = 138 W a card
        (["12V1: 18A", "12V2: 10A"], "error"),  # 216 and 120 W: the third cable finds 78 W
        (["12V1: 60A"], "ok"),
        ([], "ok"),
    ],
)
def test_rails_bite_before_the_watts(rails: list[str], severity: str) -> None:
    card = {"name": "Card", "vram_gib": 24, "tdp_w": 350, "connectors_8pin": 2, "connectors_12v2x6": 0}
    psu = {"watts": 1400, "connectors_12v2x6": 0, "connectors_8pin": 6, "rails": rails}
    found = asked({"gpus": [{"gpu": card, "count": 2}], "psu": psu})["power.connectors"]
    assert found.severity == severity


def test_small_cards_may_hang_on_adapters_large_ones_may_not() -> None:
    psu = {"watts": 1600, "connectors_12v2x6": 0, "connectors_8pin": 8}
    for watts, severity in ((300, "warn"), (575, "error")):
        card = {"name": "Card", "vram_gib": 24, "tdp_w": watts, "connectors_12v2x6": 1, "connectors_8pin": 0}
        assert asked({"gpus": [{"gpu": card}], "psu": psu})["power.connectors"].severity == severity


def test_a_power_limit_costs_what_lies_between_the_measured_points() -> None:
    # Half way between 80 % (0.96) and 68 % (0.92) in training.
    assert speed_at(0.74, table("power_limit")["training"]).likely == pytest.approx(0.94)
    limit = asked({"gpus": [{"gpu": "geforce-rtx-4090"}], "power_limit_w": 360})["power.limit"]
    assert (limit.severity, limit.numbers["likely"]) == ("ok", 0.96)
    deep = asked({"gpus": [{"gpu": "geforce-rtx-4090"}], "power_limit_w": 225})["power.limit"]
    assert (deep.severity, deep.change) == ("info", {"power_limit_w": 360})
    alone = asked(
        {"gpus": [{"gpu": "geforce-rtx-4090"}], "power_limit_w": 225},
        ADAPTERS | {"task": "inference", "framework": "llama.cpp"},
    )["power.limit"]
    assert alone.numbers["likely"] == 0.95, "one user waits for memory, not for arithmetic"


@pytest.mark.parametrize("machine", [
    TWO_5090 | US | {"psu": {"watts": 1200, "connectors_12v2x6": 1}, "ram_gb": 32},
    {"gpus": [{"gpu": "rtx-6000-ada-generation", "count": 2}], "psu": {"watts": 600}, "ram_gb": 16, "drives": [{"capacity_tb": 0.01}]},
    {"gpus": [{"gpu": "geforce-rtx-4090"}], "display_on_gpu": 0, "cpu": "ryzen-9-9950x", "power_limit_w": 100},
])  # fmt: skip
def test_what_one_click_applies_is_a_machine_and_no_worse(machine: dict[str, Any]) -> None:
    order = ("ok", "info", "warn", "error")
    for name, finding in asked(machine).items():
        if finding.change is not None:
            mended = after(machine, finding.change)
            case_of(mended)
            new = asked(mended).get(name)
            assert new is None or order.index(new.severity) <= order.index(finding.severity), name


@pytest.mark.parametrize(
    ("ups", "severity"), [("apc-smt1500", "error"), ("apc-smt2200i", "warn"), ("apc-smt3000i", "ok")]
)
def test_a_ups_carries_the_load_and_a_quarter_more(ups: str, severity: str) -> None:
    # 1,480 / 0.92 = 1,609 W at the wall, x 1.25 = 2,011 W; the three carry 980, 1,980 and 2,700 W.
    found = asked(TWO_5090 | {"ups": ups})["power.ups"]
    assert (found.severity, found.numbers["needed_w"]) == (severity, 2011)


def test_large_supplies_deliver_less_at_120_volts() -> None:
    # 1,480 / 0.92 = 1,609 W at least; without a figure of its maker a supply of 2,000 W counts as 1,600 W.
    machine = TWO_5090 | {"psu": {"watts": 2000, "connectors_12v2x6": 2}}
    assert asked(machine)["power.psu"].severity == "ok"
    low = asked(machine | {"mains": {"volts": 120, "amps": 20}})["power.psu"]
    assert low.severity == "warn" and "only 1,600 W at 120 V" in told(low)
