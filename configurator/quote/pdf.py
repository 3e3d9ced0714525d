"""The sheet as PDF/A-2a + PDF/UA-1, and its pages as pictures for the preview."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, date, datetime, time
from functools import lru_cache
from typing import cast

import typst

from configurator.catalog.places import RESOURCES
from configurator.domain.errors import BadInput
from configurator.domain.message import message
from configurator.quote.sheet import SheetData

_STANDARDS: list[typst.PDFStandard] = ["a-2a", "ua-1"]


@lru_cache(maxsize=1)
def _compiler() -> typst.Compiler:
    """One compiler for the whole session: it keeps fonts and unchanged layout."""
    return typst.Compiler(
        RESOURCES / "typst" / "quote.typ",
        root=RESOURCES,
        font_paths=[RESOURCES / "fonts"],
        ignore_system_fonts=True,
    )


def _inputs(data: SheetData) -> dict[str, str]:
    return {"sheet": json.dumps(asdict(data), ensure_ascii=False, sort_keys=True)}


def _refused(problem: Exception) -> BadInput:
    return BadInput(
        message(
            "the sheet cannot be set: {reason}; "
            "look for unusual characters in the names and texts of the project",
            reason=str(problem),
        )
    )


def render_pdf(data: SheetData, when: date) -> bytes:
    """Return the sheet as PDF, dated `when`: the same data give the same bytes. Raises BadInput."""
    stamp = datetime.combine(when, time(12), UTC)
    try:
        made = _compiler().compile(
            format="pdf", sys_inputs=_inputs(data), pdf_standards=_STANDARDS, timestamp=int(stamp.timestamp())
        )
    except (typst.TypstError, RuntimeError) as problem:
        raise _refused(problem) from problem
    return cast(bytes, made)


def render_pages(data: SheetData, ppi: float = 144) -> list[bytes]:
    """Return one PNG per page. Raises BadInput."""
    try:
        made = _compiler().compile(format="png", ppi=ppi, sys_inputs=_inputs(data))
    except (typst.TypstError, RuntimeError) as problem:
        raise _refused(problem) from problem
    return made if isinstance(made, list) else [cast(bytes, made)]
