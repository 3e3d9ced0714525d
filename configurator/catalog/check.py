"""What reading alone does not prove of the parts: every reference, every source, every name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from configurator.catalog.boards import Board, Slot, Socket
from configurator.catalog.catalog import Catalog
from configurator.catalog.kinds import KINDS
from configurator.catalog.loading import read_catalog_file, read_table
from configurator.catalog.names import exact_names
from configurator.catalog.part import CatalogPart, Sourced
from configurator.catalog.parts import Cpu
from configurator.catalog.places import CATALOGS
from configurator.domain.message import Message, message

_DATE = re.compile(r"20\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")


def problems(catalog: Catalog) -> Iterator[Message]:
    """Yield everything that is wrong with the parts and thresholds, one sentence each."""
    for kind in KINDS:
        shelf: Mapping[str, CatalogPart] = getattr(catalog, kind)
        for part in shelf.values():
            for problem in (*_origin(part), *_references(part, catalog)):
                yield message("{kind} {id}: {problem}", kind=kind, id=part.id, problem=problem)
        yield from _names(kind, shelf)
    yield from _ids()
    yield from _thresholds()


def _origin(part: CatalogPart) -> Iterator[Message]:
    """Every part says where from and when, and marks only fields that it has."""
    if part.date is None or not _DATE.fullmatch(part.date):
        yield message("its date is no year, month or day: '{date}'", date=str(part.date))
    for origin in part.sources:
        if not _DATE.fullmatch(origin.date):
            yield message("its date is no year, month or day: '{date}'", date=origin.date)
        yield from _absent(part, origin.fields)
    yield from _absent(part, part.inferred)
    for place in (*part.slots, *part.m2) if isinstance(part, Board) else ():
        yield from _absent(place, place.inferred)


def _absent(part: Sourced, fields: tuple[str, ...]) -> Iterator[Message]:
    for field in fields:
        if getattr(part, field, None) in (None, (), {}):
            yield message("'{field}' is marked, but the entry does not state it", field=field)


def _references(part: CatalogPart, catalog: Catalog) -> Iterator[Message]:
    """What a part names is there, and fits."""
    if isinstance(part, Cpu) and part.platform is not None:
        platform = catalog.platforms.get(part.platform)
        if platform is None:
            yield message("its platform '{platform}' is not in the catalogue", platform=part.platform)
        elif platform.socket != part.socket:
            yield message("its socket is not that of its platform '{platform}'", platform=part.platform)
    if isinstance(part, Board):
        if part.socket not in {platform.socket for platform in catalog.platforms.values()}:
            yield message("no platform has its socket '{socket}'", socket=part.socket)
        yield from _lanes(part, catalog)


def _lanes(board: Board, catalog: Catalog) -> Iterator[Message]:
    places: tuple[Socket, ...] = (*board.slots, *board.m2)
    names = Counter(place.name for place in places)
    yield from (message("two places are named '{name}'", name=name) for name, n in names.items() if n > 1)
    for place in places:
        for sharing in place.shares_with:
            if sharing.used not in names or sharing.used == place.name:
                yield message(
                    "'{name}' shares with '{used}', which it does not have",
                    name=place.name,
                    used=sharing.used,
                )
            elif sharing.lanes >= place.lanes:
                yield message("'{name}' loses nothing to '{used}'", name=place.name, used=sharing.used)
        for platform in place.lanes_by_platform if isinstance(place, Slot) else ():
            if platform not in catalog.platforms:
                yield message("its platform '{platform}' is not in the catalogue", platform=platform)
    positions = [slot.position for slot in board.slots if slot.position is not None]
    if positions != sorted(set(positions)):
        yield message("its slots do not stand topmost first, each at a place of its own")


def _names(kind: str, shelf: Mapping[str, CatalogPart]) -> Iterator[Message]:
    """A full name or an alias leads to one part."""
    owner: dict[str, str] = {}
    for part in shelf.values():
        for name in exact_names(part):
            other = owner.setdefault(name, part.id)
            if other != part.id:
                yield message(
                    "{kind}: '{name}' names both {one} and {other}",
                    kind=kind,
                    name=name,
                    one=other,
                    other=part.id,
                )


def _ids() -> Iterator[Message]:
    """An id stands once in all files together: `catalog show` finds it without its kind."""
    ids = Counter(
        str(row["id"]) for kind in KINDS for row in read_catalog_file(CATALOGS / f"{kind}.yaml")[kind]
    )
    yield from (
        message("the id '{id}' stands {count} times", id=id_, count=n) for id_, n in ids.items() if n > 1
    )


def _thresholds() -> Iterator[Message]:
    """Every threshold of the checks has a unit and a source."""
    for name, rule in read_table("rules")["rules"].items():
        for key in ("unit", "source"):
            if not rule.get(key):
                yield message(
                    "rules {id}: {problem}", id=name, problem=message("'{field}' is missing", field=key)
                )
