"""The drawing of a finding as lines: which card sits in which slot, from the top of the case down."""

from __future__ import annotations

from collections.abc import Iterable

from configurator.domain.finding import Place
from configurator.domain.message import message
from configurator.texts import Say

_STARTS, _COVERS, _LEFT_OUT = "■", "│", "✕"


def lines(drawing: Iterable[Place], say: Say) -> list[tuple[str, str, str, str]]:
    """Return position, slot, link and card of each line; a card covers the lines below its slot."""
    return [(_position(place), place.slot or "", _link(place), _card(place, say)) for place in drawing]


def _position(place: Place) -> str:
    return "" if place.position is None else str(place.position)


def _link(place: Place) -> str:
    if place.lanes is None:
        return ""
    return f"PCIe {place.gen:.0f} x{place.lanes}" if place.gen else f"x{place.lanes}"


def _card(place: Place, say: Say) -> str:
    if place.card is None:
        return ""
    if place.left_out:
        return say(message("{mark} {card}: no place", mark=_LEFT_OUT, card=place.card))
    return f"{_STARTS} {place.card}" if place.starts else _COVERS
