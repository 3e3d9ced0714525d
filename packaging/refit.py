"""Learns the ranges of the framework profiles from measured runs, and shows before and after.

Run it as `packaging/refit`, which sets up what it needs. Nothing is written without `--write`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmark import own_copies, table
from fitting import ENOUGH, Evidence, evidence, fitted, implied, quality
from profile_constants import Constant, constants, number, trying, write

from configurator.catalog.places import CATALOGS
from configurator.domain.errors import BadInput
from configurator.domain.ranges import Range
from configurator.texts import say_in

COLUMNS = ("constant", "profiles", "runs", "sources", "old", "new", "median error", "range holds")


def main() -> int:
    """Print every constant that runs say something about; write the new ranges when asked."""
    reader = argparse.ArgumentParser(
        description="Learn the ranges of the framework profiles from measured runs."
    )
    reader.add_argument(
        "files", nargs="*", type=Path, help="measured-runs/1; default: the project's own copies"
    )
    reader.add_argument("--write", action="store_true", help="change the numbers in catalogs/frameworks")
    reader.add_argument("--only", action="append", default=[], help="name of a constant, e.g. context_gib")
    given = reader.parse_args()
    try:
        rows = evidence(given.files or own_copies())
    except BadInput as problem:
        print(say_in("en")(problem.text), file=sys.stderr)
        return 2
    lines = []
    for constant in constants():
        if given.only and constant.name not in given.only:
            continue
        for line, value in learnt(constant, [row for row in rows if row.profile in constant.profiles]):
            lines.append(line)
            if given.write:
                write(CATALOGS / "frameworks", constant, value)
    print("\n".join(table(COLUMNS, lines)))
    print(
        f"\nError and share are those of the runs that say something about the constant. Fewer than {ENOUGH} runs,"
    )
    print("or a single source, move the old range only in part; a single run does not move it.")
    return 0


def learnt(constant: Constant, rows: list[Evidence]) -> Iterator[tuple[tuple[str, ...], Range]]:
    """Yield the line of a constant and its new range, if any run says something about it."""
    said = [(row, value) for row in rows if (value := implied(constant, row)) is not None]
    if not said:
        return
    sources = len({row.run.source for row, _ in said})
    new = fitted(constant.range, [value for _, value in said], sources)
    before = quality([row for row, _ in said])
    with trying(constant, new):
        after = quality([row for row, _ in said])
    profiles = sorted({row.profile for row, _ in said})
    yield (
        (
            constant.name,
            ", ".join(profiles),
            str(len(said)),
            str(sources),
            shown(constant.range),
            shown(new),
            f"{before[0]:.1f} -> {after[0]:.1f} %",
            f"{100 * before[1]:.0f} -> {100 * after[1]:.0f} %",
        ),
        new,
    )


def shown(one: Range) -> str:
    """Return low / likely / high."""
    return " / ".join(number(size) for size in (one.low, one.likely, one.high))


if __name__ == "__main__":
    sys.exit(main())
