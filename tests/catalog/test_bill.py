"""Every item of a machine, and what the workshop asks for it."""

from pathlib import Path

import pytest

from configurator.catalog.bill import bill
from configurator.catalog.catalog import load_catalog
from configurator.domain.errors import BadInput
from configurator.domain.machine import Drive, Gpus, Machine, Part, PsuFacts
from configurator.texts import say_in


def test_all_that_is_named_is_an_item() -> None:
    machine = Machine(
        gpus=(Gpus(gpu="geforce-rtx-4090", count=2, owned=True),),
        cpu="core-i9-14900k",
        ram_gb=64,
        psu=PsuFacts(watts=1600),
        drives=(
            Drive(capacity_tb=2),
            Drive(capacity_tb=8, interface="sata"),
            Drive(capacity_tb=9, use="network"),
        ),
        case=Part(id="fractal-design-torrent", owned=True),
        nodes=2,
    )
    items = bill(machine, load_catalog())
    assert [(item.key, item.count, item.owned, say_in("en")(item.text)) for item in items] == [
        ("gpus.0", 4, True, "Graphics card GeForce RTX 4090, 24 GB"),
        ("cpu", 2, False, "Processor Intel Core i9-14900K"),
        ("ram", 2, False, "RAM, 64 GB"),
        ("psu", 2, False, "Power supply 1,600 W"),
        ("case", 2, True, "Case Fractal Design Torrent"),
        ("drives.0", 2, False, "NVMe drive, 2 TB"),
        ("drives.1", 2, False, "SATA drive, 8 TB"),
    ]


def test_items_carry_the_price_of_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(tmp_path))
    entry = "{part: mac-studio-m3-ultra-96, net: 4000, source: list, date: 2026-12-01}"
    (tmp_path / "own.yaml").write_text(f"prices:\n- {entry}\n", encoding="utf-8")
    (item,) = bill(Machine(system="mac-studio-m3-ultra-96"), load_catalog())
    assert item.part == "mac-studio-m3-ultra-96"
    assert item.price
    assert item.price.net == 4000


def test_an_unknown_part_is_named() -> None:
    with pytest.raises(BadInput, match="unknown"):
        bill(Machine(gpus=(Gpus(gpu="geforce-rtx-4090"),), cpu="core-i9-14900kk"), load_catalog())
