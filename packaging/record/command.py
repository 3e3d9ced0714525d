"""Records networks for images from their own code, for the files under catalogs/images.

Without data and without a GPU, see `live.py`; `moments.py` says what becomes of the traces. The libraries are those
of the extra `record` in pyproject.toml. Named networks are printed; without names, or with --write, entries are put
into the catalogue one by one. A pass that cannot be recorded is left out and named on stderr.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from record.operators import declare_operators
from record.write import FILES, Entry, merged

CATALOGUE = Path(__file__).resolve().parents[2] / "catalogs" / "images"


def main() -> int:
    """Record, print or write; return 2 for names that are not on the list."""
    reader = argparse.ArgumentParser(
        prog="packaging/record", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reader.add_argument("names", nargs="*", metavar="NAME", help="id of a network; default: all")
    reader.add_argument(
        "--write", action="store_true", help="put the entries of named networks into the files"
    )
    reader.add_argument("--list", action="store_true", help="print the ids and end")
    given = reader.parse_args()
    known = _known()
    if given.list:
        print("\n".join(known))
        return 0
    unknown = [name for name in given.names if name not in known]
    if unknown:
        print(f"not on the list (--list prints it): {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in given.names or known:
        entry = _recorded(known[name])
        if entry is None:
            continue
        if given.names and not given.write:
            print(entry.text, end="", flush=True)
        else:
            _write(entry)
    return 0


def _known() -> dict[str, Any]:
    """Return every network by id."""
    os.environ.setdefault("YOLO_VERBOSE", "False")
    warnings.filterwarnings("ignore")
    declare_operators()
    from record import classifiers, denoisers, detectors, segmenters

    logging.disable(logging.WARNING)
    groups = (classifiers, segmenters, detectors, denoisers)
    return {network.id: network for group in groups for network in group.networks()}


def _recorded(network: Any) -> Entry | None:
    passes = {}
    for name, record in network.recorded():
        start = time.monotonic()
        try:
            passes[name] = record()
            said = f"{time.monotonic() - start:.0f} s"
        except Exception as problem:  # one failure must not end a night's work
            said = f"left out: {type(problem).__name__}: {problem}".splitlines()[0]
        print(f"{network.id} {name}: {said}", file=sys.stderr, flush=True)
    return network.entry(passes) if passes else None


def _write(entry: Entry) -> None:
    file, head = FILES[entry.kind]
    path = CATALOGUE / file
    text = path.read_text(encoding="utf-8") if path.exists() else head
    path.write_text(merged(text, [entry]), encoding="utf-8")
