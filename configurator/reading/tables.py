"""Spreadsheets as people keep them: one sheet a kind, names in the first row, one entry in each further row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from configurator.domain.errors import BadInput
from configurator.domain.message import message


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row by the names of its columns; `number` as the spreadsheet counts it."""

    sheet: str
    number: int
    facts: dict[str, Any]


def read_tables(path: Path) -> Iterator[TableRow]:
    """Yield the rows of an XLSX file; empty cells are left out. Raises BadInput."""
    # Few calls read a spreadsheet, and the library takes longer to import than the catalogue to load.
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise BadInput(
            message("{file}: cannot be read ({reason})", file=str(path), reason=reason)
        ) from problem
    except (InvalidFileException, BadZipFile, KeyError, ValueError) as problem:
        raise BadInput(message("{file}: is no XLSX file", file=str(path))) from problem
    try:
        for sheet in book.worksheets:
            rows = enumerate(sheet.iter_rows(values_only=True), start=1)
            heads = [str(cell).strip() if cell is not None else "" for cell in next(rows, (0, ()))[1]]
            for number, cells in rows:
                facts = {
                    head: _value(cell)
                    for head, cell in zip(heads, cells, strict=False)
                    if head and cell not in (None, "")
                }
                if facts:
                    yield TableRow(sheet.title.strip(), number, facts)
    finally:
        book.close()


def _value(cell: object) -> object:
    """Return a cell as YAML would read it: whole numbers whole, dates as text."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat()
    return cell.strip() if isinstance(cell, str) else cell
