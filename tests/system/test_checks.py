"""System checks against figures worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from configurator.catalog.boards import Board, Slot
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.finding import Finding
from configurator.domain.ledger import DeviceLedger, Entry, Estimate, Host
from configurator.domain.message import message
from configurator.domain.plan import Plan
from configurator.domain.ranges import exact
from configurator.domain.units import GB, GIB
from configurator.system.checks import check
from configurator.system.facts import gather
from configurator.system.lanes import check_lanes
from configurator.system.slots import check_slots
from configurator.texts import say_in

TWO_4090 = {"gpus": [{"gpu": "geforce-rtx-4090", "count": 2}], "cpu": "ryzen-9-9950x", "ram_gb": 128}
SUPPLY = {"standard": "atx-3.1", "connectors_12v2x6": 2, "connectors_8pin": 4}


def case_of(machine: dict[str, Any], task: str = "lora", **more: Any) -> Case:
    return Case.model_validate(
        {"workload": {"task": task, "model": "m"} | more.pop("workload", {}), "machine": machine} | more
    )


def estimate_of(case: Case, *, capacity: int = 24, ram: int = 20, disk: int = 100, **plan: Any) -> Estimate:
    """Every card: 8 GiB of weights and 6 GiB of cache; 4 GiB of the capacity are not usable."""
    sizes = (("weights", 8), ("kv_cache", 6))
    entries = tuple(
        Entry(component=name, low=s * GIB, likely=s * GIB, high=s * GIB, why=message("x"), source="s")
        for name, s in sizes
    )
    devices = tuple(
        DeviceLedger(
            device=f"gpu{index}",
            name="card",
            capacity=capacity * GIB,
            usable=(capacity - 4) * GIB,
            verdict="fits",
            entries=entries,
            total=exact(14 * GIB),
        )
        for index in range(case.machine.gpu_count)
    )
    host = Host(ram=exact(ram * GIB), disk=exact(disk * GB))
    return Estimate(verdict="fits", plan=Plan(**plan), devices=devices, host=host, phases=())


def found(machine: dict[str, Any], more: dict[str, Any] | None = None, **estimate: Any) -> dict[str, Finding]:
    case = case_of(machine, **(more or {}))
    findings = check(case, estimate_of(case, **estimate), load_catalog()).findings
    assert len({finding.id for finding in findings}) == len(findings), "one entry for every check"
    return {finding.id: finding for finding in findings}


def test_two_4090_on_1000_watts_are_not_sold() -> None:
    # 2 x 450 + 230 + 100 = 1,230 W; / 0.80 = 1,537.5, at least 1,230 / 0.92 = 1,337 W.
    power = found(TWO_4090 | {"psu": {"watts": 1000, **SUPPLY}})["power.psu"]
    assert power.severity == "error"
    # Short peaks: 900 W x 1.57 + 330 W.
    assert power.numbers == {"sustained_w": 1230, "needed_w": 1538, "peak_w": 1743, "psu_w": 1000}
    why = say_in("en")(power.why)
    assert all(figure in why for figure in ("900 W", "230 W", "100 W", "1,230 W", "1,538 W"))
    assert power.change is not None
    proposed = load_catalog().psus.find(power.change["psu"])
    assert (proposed.watts, proposed.connectors_12v2x6) == (1600, 2)


def test_the_proposed_supply_ends_the_finding() -> None:
    change = found(TWO_4090 | {"psu": {"watts": 1000, **SUPPLY}})["power.psu"].change
    after = found(TWO_4090 | (change or {}))
    assert after["power.psu"].severity == after["power.connectors"].severity == "ok"


@pytest.mark.parametrize(
    ("watts", "standard", "severity"),
    [
        (1600, "atx-3.1", "ok"),
        (1350, "atx-3.1", "warn"),
        (1300, "atx-3.1", "error"),
        (1600, "atx-2.4", "error"),  # 1,230 x 1.47 = 1,808 W
        (1850, "atx-2.4", "warn"),  # the same 80 % of it: 2,260 W
        (2300, "atx-2.4", "ok"),
    ],
)
def test_the_standard_of_the_supply_decides_its_reserve(watts: int, standard: str, severity: str) -> None:
    psu = {"watts": watts, **SUPPLY, "standard": standard}
    assert found(TWO_4090 | {"psu": psu})["power.psu"].severity == severity


def test_a_power_limit_makes_a_smaller_supply_do() -> None:
    # 2 x 300 + 230 + 100 = 930 W; / 0.80 = 1,162.5 W.
    power = found(TWO_4090 | {"power_limit_w": 300, "psu": {"watts": 1200, **SUPPLY}})["power.psu"]
    assert (power.severity, power.numbers["needed_w"]) == ("ok", 1163)


def test_each_card_needs_its_own_connector() -> None:
    one = found(TWO_4090 | {"psu": {"watts": 1600, **SUPPLY, "connectors_12v2x6": 1}})["power.connectors"]
    assert (one.severity, one.numbers["needed_12v2x6"]) == ("error", 2)


def test_connectors_that_no_source_states_are_a_question_not_a_no() -> None:
    catalog = load_catalog()
    gap = next(psu for psu in catalog.psus.values() if psu.connectors_12v2x6 is None)
    assert found(TWO_4090 | {"psu": gap.id})["power.connectors"].severity == "info"
    assert found(TWO_4090)["power.connectors"].severity == "info"


def test_a_threadripper_pro_carries_two_pro_6000() -> None:
    # 2 x 600 + 350 + 100 = 1,650 W; / 0.80 = 2,062.5 W; 1,650 / 0.92 = 1,793 W at the wall of 2,944 W.
    every = found(
        {
            "gpus": [{"gpu": "rtx-pro-6000-blackwell", "count": 2}],
            "cpu": "ryzen-threadripper-pro-9975wx",
            "board": "asus-pro-ws-wrx90e-sage-se",
            "ram_gb": 256,
            "psu": {"watts": 2200, **SUPPLY},
            "drives": [{"capacity_tb": 4.0}],
            "case": {"gpu_length_mm": 400, "slots": 8, "form_factor": "e-atx"},
        },
        capacity=96,
        tp=2,
    )
    assert every["power.psu"].numbers["needed_w"] == 2063
    assert every["power.mains"].numbers["wall_w"] == 1793
    checks = ("psu", "connectors", "mains")
    ids = [f"power.{name}" for name in checks] + ["pcie.slots", "pcie.lanes", "case.fit", "ram.capacity"]
    assert {name: every[name].severity for name in ids} == dict.fromkeys(ids, "ok")
    assert every["pcie.lanes"].numbers["lanes"] == 16


@pytest.mark.parametrize(("have", "severity"), [(64, "warn"), (192, "ok"), (256, "ok"), (16, "error")])
def test_ram_is_held_against_need_and_cards(have: int, severity: str) -> None:
    # The workload needs 20 GiB, the cards have 2 x 96 = 192; the next size as sold is 256.
    cards = {"gpus": [{"gpu": "rtx-pro-6000-blackwell", "count": 2}]}
    ram = found(cards | {"ram_gb": have}, capacity=96)["ram.capacity"]
    assert ram.severity == severity
    assert ram.change == (None if severity == "ok" else {"ram_gb": 256})


@pytest.mark.parametrize(("disk", "severity"), [(800, "ok"), (900, "warn"), (1100, "error")])
def test_a_drive_keeps_some_room(disk: int, severity: str) -> None:
    # 1 TB with 15 % kept free carries 850 GB.
    machine = TWO_4090 | {"drives": [{"capacity_tb": 1.0}, {"capacity_tb": 8.0, "use": "backup"}]}
    every = found(machine, disk=disk)
    assert every["storage.capacity"].severity == severity
    assert every["storage.backup"].severity == "ok"


def test_what_is_missing_is_named_with_a_proposal() -> None:
    every = found({"gpus": [{"gpu": "geforce-rtx-4090"}]})
    for name in (
        "power.psu",
        "power.connectors",
        "ram.capacity",
        "storage.capacity",
        "case.fit",
        "pcie.lanes",
    ):
        assert every[name].severity == "info"
        assert every[name].fix is not None
    assert "assumed" in say_in("en")(every["power.psu"].why)


@pytest.mark.parametrize(("growth", "severity", "later"), [(1.5, "ok", 17), (3.0, "warn", 26)])
def test_growth_scales_only_what_grows(growth: float, severity: str, later: int) -> None:
    # 8 GiB of weights stay; 6 GiB of cache grow: 8 + 9 = 17 and 8 + 18 = 26 of 20 GiB.
    finding = found(TWO_4090, {"workload": {"growth": growth}})["memory.growth"]
    assert (finding.severity, finding.numbers["later"]) == (severity, later * GIB)


def test_data_parallel_never_adds_memory_up() -> None:
    assert found(TWO_4090, dp=2)["plan.sharding"].severity == "info"
    assert found(TWO_4090, dp=2, zero=3)["plan.sharding"].severity == "ok"


def test_a_mac_is_asked_for_its_budget_and_nothing_of_cards() -> None:
    every = found({"system": "mac-studio-m3-ultra-96"})
    assert "unified.budget" in every
    assert not any(name.startswith(("power", "pcie", "ram", "case")) for name in every)


def test_lanes_matter_only_where_cards_talk() -> None:
    slots = (Slot(name="1", lanes=16), Slot(name="2", lanes=4))
    for plan, severity in (({"tp": 2}, "warn"), ({"pp": 2}, "ok")):
        case = case_of(TWO_4090)
        facts = replace(gather(case, estimate_of(case, **plan), load_catalog()), board=board(slots))
        assert [finding.severity for finding in check_lanes(facts)] == [severity]


def board(slots: tuple[Slot, ...], **more: Any) -> Board:
    return Board(id="b", name="B", source="s", socket="AM5", slots=slots, **more)


@pytest.mark.parametrize(
    ("positions", "confidence", "severity"),
    [((1, 4), "stated", "ok"), ((1, 3), "stated", "error"), ((1, 3), "inferred", "warn")],
)
def test_a_card_of_three_slots_covers_its_neighbour(
    positions: tuple[int, int], confidence: str, severity: str
) -> None:
    slots = tuple(Slot(name=str(position), lanes=8, position=position) for position in positions)
    case = case_of(TWO_4090)
    facts = gather(case, estimate_of(case), load_catalog())
    facts = replace(facts, board=board(slots, confidence=confidence))
    assert [finding.severity for finding in check_slots(facts)] == [severity]


def test_a_card_longer_than_the_case_is_an_error() -> None:
    box = {"gpu_length_mm": 300, "slots": 8}
    assert found(TWO_4090 | {"case": box})["case.fit"].severity == "error"  # 304 mm


def test_monitors_and_cad_are_mentioned_when_asked() -> None:
    every = found(TWO_4090 | {"display_on_gpu": 0}, {"also": {"cad": True}})
    assert every["display.share"].device == "gpu0"
    assert every["cad.gpu"].severity == "info"


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(BadInput):
        found(TWO_4090 | {"psu": "no-such-supply"})
