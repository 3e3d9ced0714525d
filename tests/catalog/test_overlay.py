"""A workshop adds a part, corrects a fact, names a price - without touching the program."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from configurator.catalog.catalog import Catalog, load_catalog
from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import RESOURCES
from configurator.cli import app
from configurator.domain.errors import BadInput
from configurator.texts import say_in

OWN = """psus:
- id: workshop-special-1800w
  name: Workshop Special 1800 W
  aliases: [our big one]
  source: type plate
  date: 2026-11-30
  watts: 1800
  standard: atx-3.1
  connectors_12v2x6: 4
  connectors_8pin: 6
"""
SOURCED = "  source: type plate\n  date: 2026-11-30\n"


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(tmp_path))
    return tmp_path


def catalog_with(folder: Path, text: str, name: str = "own.yaml") -> Catalog:
    (folder / name).write_text(text, encoding="utf-8")
    return load_catalog()


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(BadInput) as caught:
        catalog_with(folder, text)
    return say_in("en")(caught.value.text).removeprefix(str(folder / "own.yaml"))


def test_a_new_part_is_found_by_its_names(folder: Path) -> None:
    psus = catalog_with(folder, OWN).psus
    assert psus.find("our big one").connectors_12v2x6 == 4
    assert psus.find("corsair-rm1000e-1000w").watts == 1000


def test_a_correction_changes_one_fact_and_says_who_said_so(folder: Path) -> None:
    before = load_catalog().psus.find("corsair-rm1000e-1000w")
    assert not before.sure("connectors_12v2x6")
    text = f"psus:\n- id: corsair-rm1000e-1000w\n{SOURCED}  connectors_12v2x6: 2\n"
    after = catalog_with(folder, text).psus.find("corsair-rm1000e-1000w")
    assert (after.connectors_12v2x6, after.watts, after.source) == (2, before.watts, before.source)
    assert after.sure("connectors_12v2x6")
    added = after.sources[len(before.sources) :]
    assert [(origin.fields, origin.source) for origin in added] == [(("connectors_12v2x6",), "type plate")]


def test_a_later_file_has_the_last_word(folder: Path) -> None:
    catalog_with(folder, OWN, "10-first.yaml")
    last = f"psus:\n- id: workshop-special-1800w\n{SOURCED}  watts: 1900\n"
    special = catalog_with(folder, last, "20-second.yaml").psus.find("workshop-special-1800w")
    assert (special.watts, special.connectors_12v2x6) == (1900, 4)


def test_the_newest_price_counts(folder: Path) -> None:
    rows = [("1899", "2026-09-01"), ("1799.90", "2026-11-02"), ("1999", "2026-10-01")]
    text = "prices:\n" + "".join(
        f"- {{part: geforce-rtx-4090, net: {net}, source: price list, date: {day}}}\n" for net, day in rows
    )
    price = catalog_with(folder, text).prices["geforce-rtx-4090"]
    assert (price.net, price.currency, price.date) == (Decimal("1799.9"), "EUR", "2026-11-02")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            OWN.replace("watts: 1800", "watt: 1800"),
            ", line 7: psus.0.watt: unknown key; did you mean 'watts'?",
        ),
        (OWN.replace("1800\n", "many\n"), ", line 7: psus.0.watts: must be a whole number, not 'many'"),
        (OWN.replace("  date: 2026-11-30\n", ""), ", line 2: psus.0.date: is missing"),
        (OWN.replace("  watts: 1800\n", ""), ", line 2: psus.0.watts: is missing"),
        (OWN.replace("psus:", "psu:"), ", line 1: 'psu' is no kind of part; kinds are psus"),
        ("psus:\n- just text\n", ", line 2: psus.0: must hold keys with values"),
        (OWN + "  watts: 5\n", ", line 11: watts stands here a second time; keep one of the two"),
        ("- 1\n", ": holds no kinds of parts such as 'gpus:' or 'prices:'"),
        (
            f"prices:\n- part: geforce-rtx-409\n  net: 5\n{SOURCED}",
            ", line 2: prices.0.part: unknown part 'geforce-rtx-409'; did you mean 'geforce-rtx-4090'?",
        ),
        (
            f"prices:\n- part: geforce-rtx-4090\n  net: 0\n{SOURCED}",
            ", line 3: prices.0.net: must be more than 0, not '0'",
        ),
        (
            f"prices:\n- part: geforce-rtx-4090\n  net: 1.899,00\n{SOURCED}",
            ", line 3: prices.0.net: must be an amount such as 1899.90, not '1.899,00'",
        ),
        (
            f"boards:\n- id: asrock-trx50-ws\n{SOURCED}  slots:\n  - {{name: '1', lanes: 16, gen: five}}\n",
            ", line 6: boards.0.slots.0.gen: must be a number, not 'five'",
        ),
    ],
)
def test_what_cannot_be_used_is_named_by_file_line_and_key(folder: Path, text: str, words: str) -> None:
    assert refusal(folder, text).startswith(words)


def test_the_schema_for_editors_takes_what_the_program_takes(tmp_path: Path) -> None:
    schema = json.loads((RESOURCES / "schema" / "catalog.json").read_text(encoding="utf-8"))
    price = {"part": "geforce-rtx-4090", "net": 5, "source": "list", "date": "2026-11"}
    (tmp_path / "own.yaml").write_text(OWN, encoding="utf-8")
    jsonschema.validate(read_catalog_file(tmp_path / "own.yaml") | {"prices": [price]}, schema)
    facts = {"id": "a", "source": "s", "date": "2026", "connectors_12v2x6": 2}
    jsonschema.validate({"psus": [facts]}, schema)
    for wrong in ({"watt": 5}, {"watts": "many"}, {"watts": 0}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"psus": [facts | wrong]}, schema)


def test_a_price_is_shown_with_its_part(folder: Path) -> None:
    (folder / "own.yaml").write_text(
        "prices:\n- {part: geforce-rtx-4090, net: 1799.90, source: list, date: 2026-11-02}\n",
        encoding="utf-8",
    )
    shown = json.loads(CliRunner().invoke(app, ["catalog", "show", "4090"]).stdout)
    assert shown["price"] == {"net": "1799.9", "currency": "EUR", "source": "list", "date": "2026-11-02"}


def test_without_a_folder_nothing_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(folder / "none"))
    assert load_catalog().psus


def workbook(path: Path, **sheets: list[list[Any]]) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def test_a_spreadsheet_does_the_same(folder: Path) -> None:
    from datetime import datetime

    day = datetime(2026, 11, 30)
    workbook(
        folder / "LIST.XLSX",
        cases=[
            ["id", "name", "source", "date", "gpu_length_mm", "radiators_mm", "form_factors"],
            ["our-box", "Our Box", "measured", day, 400.0, "280; 360", "atx; e-atx"],
            [None, None, None, None, None, None, None],
        ],
        prices=[["part", "net", "source", "date"], ["our-box", 149.5, "own", day]],
    )
    catalog = load_catalog()
    box = catalog.cases.find("our box")
    assert (box.gpu_length_mm, box.radiators_mm, box.form_factors) == (400, (280, 360), ("atx", "e-atx"))
    assert catalog.prices["our-box"].net == Decimal("149.5")


@pytest.mark.parametrize(
    ("sheet", "rows", "words"),
    [
        (
            "psus",
            [["id", "name", "source", "date", "watts"], ["a", "A", "s", "2026", "x"]],
            ", sheet psus, row 2: watts: must be a whole number, not 'x'",
        ),
        ("psu", [["id"], ["a"]], ", sheet psu: 'psu' is no kind of part; kinds are psus"),
        (
            "boards",
            [["id", "slots"], ["a", "x16"]],
            ", sheet boards, row 2: slots: has parts of its own: write this entry in a YAML file",
        ),
    ],
)
def test_a_cell_that_cannot_be_used_is_named_by_sheet_and_row(
    folder: Path, sheet: str, rows: list[list[Any]], words: str
) -> None:
    path = folder / "list.xlsx"
    workbook(path, **{sheet: rows})
    with pytest.raises(BadInput) as caught:
        load_catalog()
    assert say_in("en")(caught.value.text).removeprefix(str(path)) == words


def test_a_file_that_only_claims_to_be_a_spreadsheet(folder: Path) -> None:
    pytest.importorskip("openpyxl")
    (folder / "list.xlsx").write_text("no zip")
    with pytest.raises(BadInput, match="is no XLSX file"):
        load_catalog()
