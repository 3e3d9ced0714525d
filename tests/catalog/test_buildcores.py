"""Files of buildcores-open-db become entries of the workshop's own folder, without what they do not know."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from configurator.catalog.catalog import Catalog, load_catalog
from configurator.catalog.importers.buildcores import import_buildcores
from configurator.cli import app
from configurator.domain.errors import BadInput

PSU: dict[str, Any] = {
    "opendb_id": "11111111-0000-4000-8000-000000000000",
    "metadata": {
        "name": "Example Titan  1600W",
        "last_manually_spec_verified_at": "2026-02-27T09:00:00.000Z",
    },
    "connectors": {"pcie_12vhpwr": 0, "pcie_6_plus_2_pin": 9, "eps_8_pin": 2},
    "wattage": 1600,
    "efficiency_rating": "80+ Titanium",
    "length": 0,
}
CARD: dict[str, Any] = {
    "opendb_id": "22222222-0000-4000-8000-000000000000",
    "metadata": {"name": "Example GeForce RTX 5090 Quad Fan"},
    "chipset_manufacturer": "NVIDIA",
    "chipset": "GeForce RTX 5090",
    "memory": 32,
    "total_slot_width": 3.5,
    "length": 358,
    "tdp": 600,
    "cooling": "3 Fans",
    "power_connectors": {"pcie_8_pin": 0, "pcie_12V_2x6": 1},
    "video_outputs": {"hdmi_2_1": 2, "displayport_2_1": 3, "vga": None},
}
BOARD: dict[str, Any] = {
    "opendb_id": "33333333-0000-4000-8000-000000000000",
    "metadata": {"name": "Example X870E", "manufacturer": "Example"},
    "socket": "AM5",
    "form_factor": "EATX",
    "memory": {"max": 256, "ram_type": "DDR5", "slots": 4},
    "pcie_slots": [{"gen": "5.0", "quantity": 2, "lanes": 16}],
}
MEMORY: dict[str, Any] = {
    "opendb_id": "44444444-0000-4000-8000-000000000000",
    "metadata": {"name": "Example Registered DDR5-5600 128GB (4x32GB)"},
    "ram_type": "DDR5",
    "form_factor": "288-pin DIMM",
    "modules": {"quantity": 4, "capacity_gb": 32},
    "speed": 5600,
    "ecc": "Non-ECC",
    "registered": "Unbuffered",
}


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(tmp_path / "own"))
    return tmp_path / "own"


def imported(own: Path, *records: Any) -> Catalog:
    folder = own.parent / "open-db"
    folder.mkdir(exist_ok=True)
    for number, record in enumerate(records):
        (folder / f"{number}.json").write_text(json.dumps(record), encoding="utf-8")
    import_buildcores([folder], load_catalog(), own)
    return load_catalog()


def test_zero_is_not_known_and_a_verified_record_is_stated(own: Path) -> None:
    psu = imported(own, PSU).psus.find("Example Titan 1600W")
    assert (psu.watts, psu.connectors_8pin, psu.connectors_eps) == (1600, 9, 2)
    assert (psu.connectors_12v2x6, psu.length_mm) == (None, None)
    assert (psu.confidence, psu.date) == ("stated", "2026-02-27")
    assert psu.source.endswith("ODC-By 1.0, opendb_id 11111111-0000-4000-8000-000000000000")


def test_a_count_of_sockets_does_not_tell_native_ones(own: Path) -> None:
    record = PSU | {"connectors": {"pcie_12vhpwr": 2}}
    assert not imported(own, record).psus.find("Example Titan 1600W").sure("connectors_12v2x6")


def test_a_partners_card_has_its_own_size_and_the_memory_of_its_chip(own: Path) -> None:
    catalog = imported(own, CARD)
    card, chip = catalog.gpus.find("Example GeForce RTX 5090 Quad Fan"), catalog.gpus.find("RTX 5090")
    assert (card.slot_width, card.length_mm, card.tdp_w, card.cooling) == (3.5, 358, 600, "open")
    assert (card.connectors_12v2x6, card.display_outputs) == (1, 5)
    assert (card.capacity, card.bandwidth_gbs) == (chip.capacity, chip.bandwidth_gbs)
    assert any("capacity_mib" in origin.fields and chip.id in origin.source for origin in card.sources)
    assert chip.id == "geforce-rtx-5090"


def test_counted_slots_are_told_and_never_taken_for_a_table(own: Path) -> None:
    board = imported(own, BOARD).boards.find("Example X870E")
    assert (board.form_factor, board.dimm_slots, board.slots) == ("e-atx", 4, ())
    assert board.notes == ("slots as counted, order and sharing not stated: 2 x PCIe 5.0 x16",)


def test_the_kind_of_memory_follows_from_its_name_and_is_marked(own: Path) -> None:
    kit = imported(own, MEMORY).ram.find("Example Registered DDR5-5600 128GB (4x32GB)")
    assert (kit.module_type, kit.ecc) == ("RDIMM", True)
    assert not kit.sure("ecc")


@pytest.mark.parametrize(
    "record",
    [
        CARD | {"chipset": "GeForce GT 710"},
        CARD | {"memory": 48},
        BOARD | {"socket": "LGA 775"},
        MEMORY | {"form_factor": "262-pin SO-DIMM"},
        PSU | {"metadata": {"name": "NZXT C1200"}},
        PSU | {"wattage": 99_999},
        PSU | {"connectors": "many"},
        {"opendb_id": "5", "metadata": {"name": "A mouse"}, "dpi": 800},
        {"some": "other file"},
        [],
    ],
)
def test_what_does_not_belong_is_left_out_and_counted(own: Path, record: Any) -> None:
    (own.parent / "one.json").write_text(json.dumps(record), encoding="utf-8")
    done = import_buildcores([own.parent / "one.json"], load_catalog(), own)
    assert (done.written.total(), done.left_out.total()) == (0, 1)
    assert not own.exists()


def test_a_second_import_renews_and_keeps_the_rest(own: Path) -> None:
    imported(own, PSU, BOARD)
    catalog = imported(own, PSU | {"wattage": 1650})
    assert catalog.psus.find("Example Titan 1600W").watts == 1650
    assert catalog.boards.find("Example X870E")
    assert (
        (own / "buildcores.yaml")
        .read_text(encoding="utf-8")
        .startswith("# Contains information from buildcores")
    )


def test_from_the_command_line(own: Path) -> None:
    own.parent.joinpath("psu.json").write_text(json.dumps(PSU), encoding="utf-8")
    arguments = ["catalog", "import", "buildcores", str(own.parent / "psu.json"), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert json.loads(result.stdout) == {"folder": str(own), "written": {"psus": 1}, "left_out": {}}
    listed = CliRunner().invoke(app, ["catalog", "list", "psus"]).stdout
    assert "example-titan-1600w-11111111" in listed
    assert CliRunner().invoke(app, ["catalog", "check"]).exit_code == 0


def test_what_cannot_be_read_is_named(own: Path) -> None:
    broken = own.parent / "broken.json"
    broken.write_text("{", encoding="utf-8")
    for path in (broken, own.parent / "none"):
        with pytest.raises(BadInput) as caught:
            import_buildcores([path], load_catalog(), own)
        assert caught.value.text.values["file"] == str(path)
    assert CliRunner().invoke(app, ["catalog", "import", "elsewhere", str(broken)]).exit_code == 2
