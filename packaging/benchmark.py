"""Prints how close the predictions come to measured runs, as Markdown tables.

Without files it reads the project's own copies. Run it as `packaging/benchmark`, which sets up what it needs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from configurator.domain.errors import BadInput
from configurator.evidence.benchmark import Figures, benchmark
from configurator.texts import say_in

ROOT = Path(__file__).resolve().parents[1]
EVIDENCE = ROOT / "catalogs" / "evidence"
REFERENCE = ROOT / "tests" / "data" / "reference"
COLUMNS = (
    "set",
    "group",
    "n",
    "answered",
    "median error",
    "p90",
    "range holds",
    "mean width / likely",
    "aim met",
)


def own_copies() -> list[Path]:
    """Return the project's files of measured runs: exact ones first."""
    return [*sorted(REFERENCE.glob("*.yaml")), *sorted(EVIDENCE.glob("*.yaml"))]


def table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table, its columns aligned."""
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in (columns, tuple("-" * width for width in widths), *rows):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def row(file: Path, figures: Figures) -> tuple[str, ...]:
    """Return the cells of one group of a file."""
    met = "-" if figures.aim is None else "no: " + ", ".join(figures.missed) if figures.missed else "yes"
    return (
        f"{file.parent.name}/{file.stem}",
        figures.group,
        str(figures.n),
        share(figures.answered),
        percent(figures.median),
        percent(figures.p90),
        share(figures.holds),
        "-" if figures.width is None else f"{figures.width:.2f}",
        met,
    )


def share(figure: float | None) -> str:
    """Return a share of 1 as people write it, never rounded up to all."""
    if figure is None:
        return "-"
    return "all" if figure == 1 else f"{min(99, round(100 * figure))} %"


def percent(figure: float | None) -> str:
    """Return an error in percent."""
    return "-" if figure is None else f"{figure:.1f} %"


def main() -> int:
    """Print the table of every file, or the comparison with other estimators."""
    reader = argparse.ArgumentParser(description="How close the predictions come to measured runs.")
    reader.add_argument(
        "files", nargs="*", type=Path, help="measured-runs/1; default: the project's own copies"
    )
    reader.add_argument(
        "--models", type=Path, action="append", default=[], help="folder of <org>--<name>.json"
    )
    reader.add_argument("--peers", action="store_true", help="compare with other estimators on the same rows")
    reader.add_argument("--short", action="store_true", help="only groups that have an aim")
    given = reader.parse_args()
    files, models = given.files or own_copies(), tuple(given.models)
    try:
        if given.peers:
            from peers.comparison import COLUMNS as PEER_COLUMNS
            from peers.comparison import compared

            print("\n".join(table(PEER_COLUMNS, list(compared(files, models)))))
            return 0
        found = [(file, one) for file in files for one in benchmark(file, models, say_in("en"))]
        shown = [row(file, one) for file, one in found if one.aim is not None or not given.short]
        print("\n".join(table(COLUMNS, shown)))
    except BadInput as problem:
        print(say_in("en")(problem.text), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
