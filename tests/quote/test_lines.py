"""Lines follow the machine, keep what the consultant wrote, and ask for what is missing."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from quoting import quote

from configurator.catalog.catalog import Catalog, load_catalog
from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Customer, Project, QuoteLine
from configurator.domain.seller import Seller
from configurator.domain.workshop import Workshop
from configurator.quote.lines import is_stale, with_lines, with_prices
from configurator.quote.open_questions import open_questions
from configurator.texts import say_in

TODAY = date(2026, 12, 1)
SERVICE = QuoteLine(text="Zusammenbau", unit_price=Decimal(390), group="assembly")
WORKSHOP = Workshop(seller=Seller(name="Werkstatt"), lines=(SERVICE,))


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Catalog:
    monkeypatch.setenv("CONFIGURATOR_CATALOG", str(tmp_path))
    rows = (
        "{part: geforce-rtx-4090, net: 1899, purchase: 1500, source: list, date: 2026-11-30}",
        "{part: geforce-rtx-5090, net: 2500, currency: USD, source: list, date: 2026-11-30}",
        "{part: core-i9-14900k, net: 480, source: list, date: 2026-10}",
    )
    (tmp_path / "prices.yaml").write_text(
        "prices:\n" + "".join(f"- {row}\n" for row in rows), encoding="utf-8"
    )
    return load_catalog()


def on(project: Project, **machine: Any) -> Project:
    place = project.machines[0].model_copy(update={"machine": Machine(**machine)})
    return project.model_copy(update={"machines": (place,)})


def test_a_new_quote_has_the_items_of_its_machine_and_the_services_of_the_house(catalog: Catalog) -> None:
    project = with_lines(
        on(quote(), gpus=(Gpus(gpu="geforce-rtx-4090", count=2),), ram_gb=64), catalog, WORKSHOP
    )
    assert [(line.text, line.quantity, line.unit_price) for line in project.lines] == [
        ("Grafikkarte GeForce RTX 4090, 24 GB", 2, 1899),
        ("Arbeitsspeicher, 64 GB", 1, None),
        ("Zusammenbau", 1, 390),
    ]
    assert project.lines[0].purchase_price == 1500


def test_another_card_takes_its_line_along_and_a_typed_price_stays(catalog: Catalog) -> None:
    first = with_lines(on(quote(), gpus=(Gpus(gpu="geforce-rtx-4090"),), ram_gb=64), catalog, WORKSHOP)
    typed = first.lines[1].model_copy(update={"unit_price": Decimal("289.00")})
    first = first.model_copy(update={"lines": (first.lines[0], typed, first.lines[2])})
    card = (Gpus(gpu="geforce-rtx-5090"),)
    second = with_lines(on(first, gpus=card, ram_gb=64, cpu="core-i9-14900k"), catalog, WORKSHOP)
    # The list has the 5090 in dollars only: in euros its price is a question.
    assert [(line.item, line.unit_price) for line in second.lines] == [
        ("gpus.0", None),
        ("cpu", 480),
        ("ram", Decimal("289.00")),
        (None, 390),
    ]
    more = with_lines(on(second, gpus=card, ram_gb=128), catalog, WORKSHOP)
    assert [line.text for line in more.lines][1] == "Arbeitsspeicher, 128 GB"
    assert more.lines[1].unit_price is None


def test_owned_parts_are_no_lines(catalog: Catalog) -> None:
    project = with_lines(on(quote(), gpus=(Gpus(gpu="geforce-rtx-4090", owned=True),)), catalog, Workshop())
    assert project.lines == ()


def test_new_prices_of_the_list_reach_the_lines(catalog: Catalog) -> None:
    project = quote(QuoteLine(text="Karte", part="geforce-rtx-4090", unit_price=Decimal(1700)), SERVICE)
    renewed = with_prices(project, catalog).lines
    assert [(line.unit_price, line.price_date) for line in renewed] == [(1899, "2026-11-30"), (390, None)]


@pytest.mark.parametrize(
    ("day", "stale"),
    [
        ("2026-11-01", False),
        ("2026-10-31", True),
        ("2026-11", False),
        ("2026-10", True),
        ("2025", True),
        (None, False),
    ],
)
def test_older_than_thirty_days_is_stale(day: str | None, stale: bool) -> None:
    assert is_stale(QuoteLine(text="x", price_date=day), TODAY, 30) is stale


def test_what_is_missing_is_asked() -> None:
    project = quote(
        QuoteLine(text="Karte"),
        QuoteLine(text="CPU", unit_price=Decimal(1), price_date="2026-10"),
        reverse_charge=True,
    )
    asked = [say_in("en")(one) for one in open_questions(project, Workshop(), TODAY)]
    assert asked == [
        "Who is the customer?",
        "Who quotes? The settings do not name the workshop yet.",
        "What does it cost: Karte?",
        "Does the price of 2026-10 still hold: CPU? It is older than 30 days.",
        "Which VAT id has the customer? Reverse charge needs it on the quote.",
        "Which VAT id has the workshop? Reverse charge needs it on the quote.",
    ]
    ready = quote(SERVICE, customer=Customer(name="Kunde"))
    assert open_questions(ready, WORKSHOP, TODAY) == ()
