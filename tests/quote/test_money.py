"""The customer adds up the sheet by hand and arrives at the printed sums."""

from decimal import Decimal

from configurator.domain.money import rounded
from configurator.domain.project import QuoteLine
from configurator.quote.money import line_total, totals
from configurator.quote.prices import price_table


def line(price: str | None, quantity: str = "1", vat: str = "19") -> QuoteLine:
    return QuoteLine(text="Position", quantity=Decimal(quantity), unit_price=price, vat_percent=Decimal(vat))


def test_half_a_cent_goes_up_also_where_a_float_would_go_down() -> None:
    assert rounded(Decimal("1.005"), "EUR") == Decimal("1.01")
    assert rounded(Decimal("1234.5"), "JPY") == 1235
    assert line_total(line("0.335", "3")) == Decimal("1.01")


def test_sums_of_a_mixed_sheet_by_hand() -> None:
    # 2 x 1899.00 = 3798.00; 1.5 h x 110.33 = 165.495 -> 165.50; 3 x 12.99 at 7 % = 38.97
    sums = totals([line("1899.00", "2"), line("110.33", "1.5"), line("12.99", "3", vat="7")])
    assert sums.net == Decimal("4002.47")
    # 19 % of 3963.50 = 753.065 -> 753.07; 7 % of 38.97 = 2.7279 -> 2.73
    assert [(tax.percent, tax.amount) for tax in sums.vat] == [(19, Decimal("753.07")), (7, Decimal("2.73"))]
    assert sums.gross == Decimal("4758.27")
    assert sums.missing == 0


def test_tax_is_taken_of_the_sum_not_line_by_line() -> None:
    # Three lines of 0.03: 19 % each would round to 0.01 three times; of 0.09 it is 0.0171 -> 0.02.
    assert totals([line("0.03")] * 3).vat[0].amount == Decimal("0.02")


def test_a_missing_price_is_a_question_and_never_zero() -> None:
    sums = totals([line(None), line("100.00")])
    assert (sums.net, sums.missing, sums.priced) == (Decimal("100.00"), 1, 1)
    table = price_table([line(None), line("0.00")], "EUR", "en")
    assert table is not None
    assert [row.total for row in table.groups[0].rows] == ["", "€0.00"]
    assert table.open == price_table([line(None)], "EUR", "en").open  # type: ignore[union-attr]


def test_without_any_price_there_is_no_total() -> None:
    table = price_table([line(None), line(None)], "EUR", "en")
    assert table is not None
    assert table.sums == ()
    assert "2" in table.open
    assert price_table([], "EUR", "en") is None


def test_money_is_written_as_the_language_writes_it() -> None:
    german, english = (price_table([line("1899.00")], "EUR", language) for language in ("de", "en"))
    assert german is not None
    assert english is not None
    assert german.groups[0].rows[0].total == "1.899,00\xa0€"
    assert english.groups[0].rows[0].total == "€1,899.00"
