"""The customer adds up the sheet by hand and arrives at the printed sums."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quoting import line, quote

from configurator.domain.money import rounded, with_margin
from configurator.quote.money import line_total, totals, unit_price
from configurator.quote.prices import price_table

AMOUNTS = st.decimals(Decimal("-500"), Decimal("9999999"), places=2)


def printed(amount: str) -> Decimal:
    """The amount that a reader of the English sheet sees."""
    return Decimal(amount.replace("€", "").replace(",", ""))


def test_half_a_cent_goes_up_also_where_a_float_would_go_down() -> None:
    assert rounded(Decimal("1.005"), "EUR") == Decimal("1.01")
    assert rounded(Decimal("1234.5"), "JPY") == 1235
    assert line_total(line("0.335", "3"), quote()) == Decimal("1.01")


def test_sums_of_a_mixed_sheet_by_hand() -> None:
    # 2 x 1899.00 = 3798.00; 1.5 h x 110.33 = 165.495 -> 165.50; 3 x 12.99 at 7 % = 38.97
    sums = totals(quote(line("1899.00", "2"), line("110.33", "1.5"), line("12.99", "3", vat="7")))
    assert sums.net == Decimal("4002.47")
    # 19 % of 3963.50 = 753.065 -> 753.07; 7 % of 38.97 = 2.7279 -> 2.73
    assert [(tax.percent, tax.amount) for tax in sums.vat] == [(19, Decimal("753.07")), (7, Decimal("2.73"))]
    assert sums.gross == Decimal("4758.27")
    assert sums.missing == 0


def test_discounts_of_lines_and_of_the_whole_by_hand() -> None:
    # 2 x 99.99 less 15 % = 169.983 -> 169.98; 10.00 at 7 %; 3 % of each: 5.0994 -> 5.10 and 0.30
    sums = totals(
        quote(
            line("99.99", "2", discount_percent=Decimal(15)),
            line("10", vat="7"),
            discount_percent=Decimal(3),
        )
    )
    assert (sums.lines, sums.discount, sums.net) == (Decimal("179.98"), Decimal("5.40"), Decimal("174.58"))
    # 19 % of 164.88 = 31.3272; 7 % of 9.70 = 0.679
    assert [tax.amount for tax in sums.vat] == [Decimal("31.33"), Decimal("0.68")]


def test_gross_prices_are_the_sums_of_what_is_printed() -> None:
    project = quote(line("8.40", "3"), prices="gross")
    # 8.40 x 1.19 = 9.996 -> 10.00 each; 30.00 together; inside 30 x 19 / 119 = 4.7899
    assert unit_price(project.lines[0], project) == Decimal("10.00")
    sums = totals(project)
    assert (sums.gross, sums.vat[0].amount, sums.net) == (Decimal("30.00"), Decimal("4.79"), Decimal("25.21"))


def test_who_owes_the_tax() -> None:
    sums = totals(quote(line("100"), line("50", tax="exempt"), reverse_charge=True))
    assert [(tax.tax, tax.amount) for tax in sums.vat] == [("reverse_charge", 0), ("exempt", 0)]
    assert sums.gross == 150
    table = price_table(quote(line("100"), reverse_charge=True), "en")
    assert table is not None
    assert [one.label for one in table.sums] == ["Net", "VAT on €100.00: owed by the customer", "Total"]
    assert table.notes[0] == "Reverse charge: the customer owes the VAT."


def test_an_optional_line_has_a_price_and_no_part_in_the_sum() -> None:
    project = quote(line("100.00"), line("999.00", optional=True), line(None, optional=True))
    assert (totals(project).net, totals(project).missing) == (100, 0)
    table = price_table(project, "en")
    assert table is not None
    assert [(row.total, row.note) for row in table.groups[0].rows][1:] == [
        ("€999.00", "optional, not in the total"),
        ("", "optional, not in the total"),
    ]


def test_purchase_price_and_margin_make_a_price() -> None:
    # Of 125.00 stay 25.00, which is 20 %.
    assert with_margin(Decimal(100), Decimal(20), "EUR") == Decimal("125.00")
    assert line_total(line(None, purchase_price="100", margin_percent="20"), quote()) == Decimal("125.00")
    assert line_total(line(None, purchase_price="100"), quote()) is None
    assert line_total(line("90", purchase_price="100", margin_percent="20"), quote()) == Decimal("90")


def test_tax_is_taken_of_the_sum_not_line_by_line() -> None:
    # Three lines of 0.03: 19 % each would round to 0.01 three times; of 0.09 it is 0.0171 -> 0.02.
    assert totals(quote(*[line("0.03")] * 3)).vat[0].amount == Decimal("0.02")


def test_a_missing_price_is_a_question_and_never_zero() -> None:
    sums = totals(quote(line(None), line("100.00")))
    assert (sums.net, sums.missing, sums.priced) == (Decimal("100.00"), 1, 1)
    table = price_table(quote(line(None), line("0.00")), "en")
    assert table is not None
    assert [row.total for row in table.groups[0].rows] == ["", "€0.00"]
    assert table.open == price_table(quote(line(None)), "en").open  # type: ignore[union-attr]


def test_without_any_price_there_is_no_total() -> None:
    table = price_table(quote(line(None), line(None)), "en")
    assert table is not None
    assert table.sums == ()
    assert "2" in table.open
    assert price_table(quote(), "en") is None


@pytest.mark.parametrize(
    ("language", "currency", "shown"),
    [
        ("de", "EUR", "1.899,00\xa0€"),
        ("en", "EUR", "€1,899.00"),
        ("de", "CHF", "1.899,00\xa0CHF"),
        ("de", "PLN", "1.899,00\xa0PLN"),
        ("en", "JPY", "¥1,899"),
    ],
)
def test_money_is_written_as_the_language_writes_it(language: str, currency: str, shown: str) -> None:
    table = price_table(quote(line("1899.00"), currency=currency), language)
    assert table is not None
    assert table.groups[0].rows[0].total == shown


def test_a_tenth_of_a_cent_stands_where_it_is_multiplied() -> None:
    table = price_table(quote(line("0.335", "3")), "en")
    assert table is not None
    row = table.groups[0].rows[0]
    assert (row.unit_price, row.total) == ("€0.335", "€1.01")


@given(
    st.lists(
        st.tuples(AMOUNTS, st.integers(1, 40), st.sampled_from(["0", "7", "19"])), min_size=1, max_size=9
    ),
    st.integers(0, 30),
    st.sampled_from(["net", "gross"]),
)
def test_printed_lines_add_up_to_the_printed_sums(rows: Any, discount: int, view: Any) -> None:
    lines = [line(str(price), str(count), vat) for price, count, vat in rows]
    table = price_table(quote(*lines, discount_percent=Decimal(discount), prices=view), "en")
    assert table is not None
    shown = sum(printed(row.total) for group in table.groups for row in group.rows)
    sums = {one.label: printed(one.amount) for one in table.sums}
    off = next((amount for label, amount in sums.items() if label.startswith("less")), Decimal(0))
    taxes = sum(amount for label, amount in sums.items() if "VAT on" in label)
    assert sums.get("Sum of the items", shown) == shown
    assert shown + off == sums["Total incl. VAT" if view == "gross" else "Net"]
    assert sums["Net"] + taxes == sums["Total incl. VAT"]
