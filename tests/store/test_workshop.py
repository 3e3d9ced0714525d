"""The workshop's own settings survive, and no two quotes of any two laptops share a number."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.catalog.places import brand_folder, overlay_folder
from configurator.domain.errors import BadInput
from configurator.domain.seller import Seller
from configurator.domain.workshop import PriceList, Workshop
from configurator.reading.workshop import load_workshop, workshop_file
from configurator.store.workshop import next_number, save_workshop

TODAY = date(2026, 12, 1)


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An installation of its own, without a file yet."""
    monkeypatch.setenv("CONFIGURATOR_WORKSHOP", str(tmp_path / "settings" / "workshop.yaml"))
    return tmp_path


def test_without_a_file_all_is_at_its_default(own: Path) -> None:
    assert load_workshop() == Workshop()
    assert Workshop().margin_percent is None


def test_what_is_saved_comes_back(own: Path) -> None:
    workshop = Workshop(
        seller=Seller(name="Werkstatt Muster", address=("Musterweg 1",), vat_id="DE000000000"),
        margin_percent=Decimal("12.5"),
        price_lists=(PriceList(supplier="Großhandel", columns={"Netto EK": "purchase"}),),
    )
    save_workshop(workshop)
    assert load_workshop() == workshop
    assert [path.name for path in workshop_file().parent.iterdir()] == ["workshop.yaml"]


def test_a_wrong_setting_is_named_with_its_line(own: Path) -> None:
    workshop_file().parent.mkdir()
    workshop_file().write_text("format: workshop/1\nvat_percent: 119\n", encoding="utf-8")
    with pytest.raises(BadInput) as problem:
        load_workshop()
    assert {"line": 2, "key": "vat_percent"}.items() <= problem.value.text.values.items()


def test_the_settings_name_the_folders(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONFIGURATOR_CATALOG")
    save_workshop(Workshop(overlay_folder=str(own / "ours" / "parts")))
    assert overlay_folder() == own / "ours" / "parts"
    assert brand_folder() == own / "ours" / "brand"
    save_workshop(Workshop(brand_folder=str(own / "face")))
    assert brand_folder() == own / "face"


def test_numbers_go_on_and_start_where_the_workshop_says(own: Path) -> None:
    save_workshop(Workshop(number_prefix="N1", number_next=117))
    assert [next_number(TODAY), next_number(TODAY)] == ["2026-N1-0117", "2026-N1-0118"]
    assert next_number(date(2027, 1, 4)) == "2027-N1-0119"


def test_without_a_prefix_the_installation_makes_one_and_keeps_it(own: Path) -> None:
    first, second = next_number(TODAY), next_number(TODAY)
    assert first.endswith("-0001")
    assert second.endswith("-0002")
    assert first.split("-")[1] == second.split("-")[1] == load_workshop().number_prefix


def test_programs_side_by_side_never_take_the_same_number(own: Path) -> None:
    save_workshop(Workshop(number_prefix="N1"))
    with ThreadPoolExecutor(8) as several:
        numbers = list(several.map(lambda _: next_number(TODAY), range(40)))
    assert len(set(numbers)) == 40


def test_lost_settings_do_not_give_a_number_twice(own: Path) -> None:
    save_workshop(Workshop(number_prefix="N1"))
    next_number(TODAY)
    save_workshop(Workshop(number_prefix="N1"))
    assert next_number(TODAY) == "2026-N1-0002"


def test_a_purchase_price_makes_a_price_only_with_a_margin(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(own))
    entry = "{part: geforce-rtx-4090, purchase: 1500, supplier: Großhandel, source: list, date: 2026-12-01}"
    (own / "prices.yaml").write_text(f"prices:\n- {entry}\n", encoding="utf-8")
    assert load_catalog().prices["geforce-rtx-4090"].net is None
    save_workshop(Workshop(margin_percent=Decimal(20)))
    # 20 % of 1875 stay: 375.
    assert load_catalog().prices["geforce-rtx-4090"].net == Decimal("1875.00")
