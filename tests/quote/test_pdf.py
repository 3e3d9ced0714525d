"""The sheet on paper: every example, both languages, readable, embedded, the same twice."""

import json
import subprocess
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

import pytest

from configurator.advice.answer import answer
from configurator.catalog.catalog import VERSION, load_catalog
from configurator.catalog.places import RESOURCES
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.project import Project, QuoteLine
from configurator.quote.pdf import render_pages, render_pdf
from configurator.quote.sheet import SheetData, sheet
from configurator.store.project import load_project

EXAMPLES = sorted((RESOURCES / "examples").glob("*.yaml"))


@lru_cache
def example(path: Path) -> Project:
    return load_project(path)


@lru_cache
def sheet_of(path: Path, language: str) -> SheetData:
    project = example(path)
    cases = [
        Case(workload=w.workload, machine=m.machine, also=m.also, plan=w.plan)
        for w in project.workloads
        for m in project.machines
    ]
    return sheet(project, [answer(case, load_catalog()) for case in cases], VERSION, language)


def words(pdf: bytes) -> str:
    """The text of a PDF as a reader copies it."""
    done = subprocess.run(["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True)
    return done.stdout.decode()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize(("language", "day"), [("de", "1. Dezember 2026"), ("en", "December 1, 2026")])
def test_every_example_prints_in_both_languages(path: Path, language: str, day: str) -> None:
    project, data = example(path), sheet_of(path, language)
    text = words(render_pdf(data, project.date))
    assert day in text
    assert project.customer.name in text
    assert project.workloads[0].name in text
    assert data.sections[0].figure.bars[0].total in text
    assert all(fact.label.split()[0] in text for fact in data.sections[0].basis)
    assert VERSION in text


def test_the_same_sheet_is_the_same_file() -> None:
    project, data = example(EXAMPLES[0]), sheet_of(EXAMPLES[0], "de")
    first = render_pdf(data, project.date)
    render_pdf(sheet_of(EXAMPLES[1], "en"), project.date)
    assert render_pdf(data, project.date) == first


def test_it_is_archivable_and_accessible_and_carries_its_own_font(tmp_path: Path) -> None:
    pdf = render_pdf(sheet_of(EXAMPLES[0], "de"), example(EXAMPLES[0]).date)
    assert b"pdfaid:part>2<" in pdf
    assert b"pdfuaid:part>1<" in pdf
    file = tmp_path / "sheet.pdf"
    file.write_bytes(pdf)
    listing = subprocess.run(
        ["pdffonts", file], capture_output=True, check=True, text=True
    ).stdout.splitlines()[2:]
    assert listing
    assert all("+Inter-" in row and row.split()[-5] == "yes" for row in listing)


def test_an_open_price_stands_as_a_question_and_without_prices_there_is_no_sum() -> None:
    path = EXAMPLES[0]
    project = example(path).model_copy(update={"lines": (QuoteLine(text="Grafikkarte"),)})
    data = sheet(project, [], VERSION, "en")
    assert data.prices is not None
    text = words(render_pdf(replace(sheet_of(path, "en"), prices=data.prices), project.date))
    assert data.labels["open"] in text
    assert data.prices.open in text
    assert data.labels["net"] + " " not in text
    assert "€" not in text


def test_a_long_quote_repeats_its_header_and_a_long_name_stays_on_the_page() -> None:
    name = "Adapter-" + "langerName" * 14
    lines = tuple(QuoteLine(text=f"Position {n}", unit_price="1.00") for n in range(70))
    project = example(EXAMPLES[0]).model_copy(update={"lines": (*lines, QuoteLine(text=name))})
    prices = sheet(project, [], VERSION, "en").prices
    text = words(render_pdf(replace(sheet_of(EXAMPLES[0], "en"), prices=prices), project.date))
    assert text.count(sheet_of(EXAMPLES[0], "en").labels["unit_price"]) >= 2
    assert text.replace("\u200b", "").replace("\n", "").replace(" ", "").count("langerName") == 14


def test_the_data_are_plain_and_carry_no_markup() -> None:
    data = replace(sheet_of(EXAMPLES[0], "en"), purpose='#panic("x") *bold* $x$')
    json.dumps(asdict(data))
    assert '#panic("x") *bold* $x$' in words(render_pdf(data, example(EXAMPLES[0]).date)).replace("”", '"')


def test_a_character_that_no_font_has_is_refused_with_the_way_out() -> None:
    data = replace(sheet_of(EXAMPLES[0], "en"), purpose="\U0001f9ff")
    with pytest.raises(BadInput, match="unusual characters"):
        render_pdf(data, example(EXAMPLES[0]).date)


def test_the_preview_shows_every_page() -> None:
    pages = render_pages(sheet_of(EXAMPLES[0], "de"), ppi=40)
    assert len(pages) >= 2
    assert all(page.startswith(b"\x89PNG") for page in pages)
