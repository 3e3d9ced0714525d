"""RAM, drives, unified memory, case and other work."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ADAPTERS, asked, told

FULL = {"task": "full", "model": "huggyllama/llama-7b", "framework": "deepspeed", "context": 2048, "batch": 1}
ONE = {"gpus": [{"gpu": "geforce-rtx-4090"}], "os": "linux"}


@pytest.mark.parametrize(("ram", "severity"), [(64, "error"), (128, "error"), (256, "ok")])
def test_offload_of_7b_needs_what_deepspeed_says(ram: int, severity: str) -> None:
    # 6.738 billion x 18 bytes x 1.5 = 169.4 GiB, and system and loaders on top.
    found = asked(ONE | {"ram_gb": ram}, FULL | {"offload": "params+optimizer"}, plan={"zero": 3})[
        "ram.capacity"
    ]
    assert found.severity == severity
    assert found.numbers["needed_gb"] == pytest.approx(183, abs=2)
    assert "169 GiB" in told(found)


def test_offload_of_the_optimizer_alone_counts_16_bytes() -> None:
    # 6.738 billion x 16 bytes x 1.5 = 150.6 GiB.
    found = asked(ONE | {"ram_gb": 128}, FULL | {"offload": "optimizer"}, plan={"zero": 2})["ram.capacity"]
    assert "151 GiB" in told(found) and found.severity == "error"


@pytest.mark.parametrize(
    ("cpu", "board", "ram", "severity", "modules", "speed"),
    [
        ("ryzen-9-9950x", None, 128, "ok", 2, 5600),
        ("ryzen-9-9950x", None, 192, "warn", 4, 3600),  # two modules a channel
        ("ryzen-9-9950x", None, 100, "warn", None, None),
        ("ryzen-9-9950x", None, 512, "error", None, None),  # 256 GB at most
        ("ryzen-threadripper-pro-9975wx", "asus-pro-ws-wrx90e-sage-se", 256, "ok", 8, None),
    ],
)
def test_modules_fill_the_channels(
    cpu: str, board: str | None, ram: int, severity: str, modules: int | None, speed: int | None
) -> None:
    machine = ONE | {"cpu": cpu, "ram_gb": ram} | ({"board": board} if board else {})
    found = asked(machine)["ram.population"]
    assert found.severity == severity
    assert found.numbers.get("modules") == modules
    assert speed is None or found.numbers["speed_mts"] == speed


def test_wsl_sees_half_of_the_ram() -> None:
    work = ADAPTERS | {"dataset": {"size_gb": 10}}
    need = asked(ONE | {"os": "wsl2", "ram_gb": 64}, work)["ram.capacity"].numbers["needed_gb"]
    machine = {"gpus": [{"gpu": "geforce-rtx-4060-ti-16-gb"}], "os": "wsl2", "ram_gb": 64}
    assert need < 32
    assert asked(machine, work)["ram.capacity"].severity == "ok"


@pytest.mark.parametrize(
    ("drive", "severity"),
    [
        # 6.738 billion x 14 bytes = 94.3 GB every 30 minutes: 4,528 GB a training day, 826 TB a year.
        ({"drive": "samsung-990-pro-2tb"}, "warn"),  # 1,200 TB: 1.5 years
        ({"capacity_tb": 8.0}, "ok"),  # 600 TB for each: 5.8 years
    ],
)
def test_checkpoints_wear_a_drive_out(drive: dict[str, Any], severity: str) -> None:
    found = asked(ONE | {"drives": [drive]}, FULL)["storage.endurance"]
    assert (found.severity, found.numbers["daily_gb"]) == (severity, 4528)
    expected = 1.5 if severity == "warn" else 5.8
    assert found.numbers["years"] == expected


def test_adapters_do_not_wear_a_drive_out() -> None:
    assert asked(ONE | {"drives": [{"capacity_tb": 2.0}]})["storage.endurance"].severity == "ok"


def test_many_small_files_do_not_belong_on_a_hard_disk() -> None:
    work = ADAPTERS | {"dataset": {"size_gb": 120, "samples": 1_000_000}}
    slow = asked(ONE | {"drives": [{"capacity_tb": 4.0, "interface": "hdd", "use": "data"}]}, work)
    assert slow["storage.throughput"].severity == "warn"
    # 16 GB at 6,000 MB/s.
    fast = asked(ONE | {"drives": [{"capacity_tb": 4.0, "use": "data"}]}, work)["storage.throughput"]
    assert (fast.severity, fast.numbers["load_s"]) == ("ok", 3)


def test_network_storage_is_a_backup_but_a_slow_data_drive() -> None:
    machine = ONE | {"drives": [{"capacity_tb": 8.0, "use": "network"}]}
    every = asked(machine, ADAPTERS | {"model": "meta-llama/Llama-3.3-70B-Instruct"})
    assert every["storage.backup"].severity == "ok"
    # 141 GB at 110 MB/s: 21 minutes.
    assert every["storage.throughput"].severity == "warn" and "21" in told(every["storage.throughput"])


def inference(model: str, weights: str, **more: Any) -> dict[str, Any]:
    return {"task": "inference", "model": model, "framework": "llama.cpp", "weights": weights, **more}


@pytest.mark.parametrize(
    ("system", "weights", "severity", "words"),
    [
        ("mac-studio-m3-ultra-96", "Q4_K_M", "ok", "75 %"),
        (
            "mac-studio-m3-ultra-96",
            "Q8_0",
            "warn",
            "iogpu.wired_limit_mb",
        ),  # 71 GiB + 1 of 72, 80 when raised
        ("mac-studio-m3-ultra-96", "bf16", "error", "swaps"),
        ("nvidia-dgx-spark", "bf16", "error", "freezes"),
    ],
)
def test_unified_memory_has_a_budget_and_a_way_to_fail(
    system: str, weights: str, severity: str, words: str
) -> None:
    work = inference("meta-llama/Llama-3.3-70B-Instruct", weights, context=16384)
    found = asked({"system": system}, work)["unified.budget"]
    assert found.severity == severity
    assert words in told(found)
    if severity == "warn":
        after = asked({"system": system} | (found.change or {}), work)["unified.budget"]
        assert after.severity == "ok"


def test_the_case_must_take_card_board_and_cable() -> None:
    machine = ONE | {"case": {"gpu_length_mm": 300, "slots": 8}}
    assert asked(machine)["case.fit"].severity == "error"  # 304 mm
    tight = asked(ONE | {"case": {"gpu_length_mm": 320, "slots": 8}})["case.fit"]
    assert tight.severity == "ok" and "cable" in told(tight)
    large = ONE | {"board": "asus-pro-ws-wrx90e-sage-se", "case": "fractal-design-torrent"}
    assert asked(large)["case.fit"].severity == "warn", "an EEB board in a case that does not name the form"


@pytest.mark.parametrize(
    ("name", "count", "severity"),
    [
        ("geforce-rtx-5090", 1, "ok"),
        ("geforce-rtx-5090", 2, "info"),
        ("geforce-rtx-5090", 3, "warn"),
        ("rtx-pro-4500-blackwell", 3, "ok"),  # blowers
        ("l40s", 1, "warn"),  # no fan of its own; no case named, so it may be a server
    ],
)
def test_open_cards_heat_each_other(name: str, count: int, severity: str) -> None:
    assert asked({"gpus": [{"gpu": name, "count": count}]})["cooling"].severity == severity


def test_cad_and_rendering_beside_the_work() -> None:
    machine = ONE | {"display_on_gpu": 0, "cpu": "ryzen-9-9950x"}
    every = asked(machine, also={"cad": True, "render": "blender"})
    assert every["cad.gpu"].numbers["taken"] == 12 * 2**30  # 4 for CAD, 8 for the scene
    assert every["display.share"].change == {"display_on_gpu": None}
    crowded = asked(machine, ADAPTERS | {"batch": 2, "context": 1024}, also={"render": "blender"})["cad.gpu"]
    alone = asked(machine, ADAPTERS | {"batch": 2, "context": 1024})["memory.per_gpu"]
    assert alone.severity != "error"
    assert crowded.severity in ("warn", "ok")


@pytest.mark.parametrize(
    ("cpu", "cooler", "case", "severity"),
    [
        ("ryzen-9-9950x", "noctua-nh-d15-g2", "fractal-design-define-7-xl", "ok"),  # 168 of 185 mm
        ("ryzen-threadripper-9970x", "noctua-nh-d15-g2", None, "error"),  # no sTR5
        ("ryzen-9-9950x", None, None, "info"),
    ],
)
def test_the_cooler_must_fit_socket_and_case(
    cpu: str, cooler: str | None, case: str | None, severity: str
) -> None:
    machine = ONE | {"cpu": cpu} | ({"cooler": cooler} if cooler else {}) | ({"case": case} if case else {})
    found = asked(machine)["cooling.cpu"]
    assert found.severity == severity
    if severity == "info":
        assert asked(machine | (found.change or {}))["cooling.cpu"].severity == "ok"


def test_models_that_make_films_want_more_ram() -> None:
    found = asked(ONE, ADAPTERS | {"options": {"frames": 81}})["ram.capacity"]
    assert found.numbers["comfortable_gb"] == 128


def test_a_detector_on_a_hard_disk_starves() -> None:
    work = {
        "task": "full",
        "model": "yolo11s",
        "framework": "ultralytics",
        "resolution": [640, 640],
        "batch": 8,
    }
    every = asked(ONE | {"drives": [{"capacity_tb": 4.0, "interface": "hdd", "use": "data"}]}, work)
    assert every["storage.throughput"].severity == "warn"
    every = asked(ONE | {"drives": [{"capacity_tb": 4.0, "use": "data"}]}, work)
    assert every["storage.throughput"].severity == every["storage.endurance"].severity == "ok"
