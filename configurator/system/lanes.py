"""Electrical lanes: width, generation, origin and sharing of each card's slot, and whether the work cares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts
from configurator.system.placement import Seat
from configurator.system.problem import Problem, gravest
from configurator.system.rules import rule, source


@dataclass(frozen=True, slots=True)
class Link:
    """What the narrowest card gets. Rates in GB/s one way; `sure`: stated by sources."""

    lanes: int
    gen: float
    rate: float
    chipset: bool
    sure: bool


def rate(lanes: int, gen: float, chipset: bool) -> float:
    """Return GB/s one way of a link; a card behind the chipset gets half."""
    full = lanes * rule("lanes.gbs_per_gen4_lane") * float(2 ** (gen - 4))
    return full * (rule("lanes.chipset_share") if chipset else 1.0)


def narrowest(facts: Facts) -> Link | None:
    """Return the narrowest link among the cards, by the board's slots, else by the platform; None: not known."""
    if facts.placement and facts.placement.seats:
        links = [_of_seat(seat) for seat in facts.placement.seats]
        known = [link for link in links if link is not None]
        return min(known, key=lambda link: link.rate) if len(known) == len(links) else None
    return _of_platform(facts)


def _of_seat(seat: Seat) -> Link | None:
    if seat.lanes is None:
        return None
    gen, chipset = seat.gen or 4.0, seat.slot.wired_to == "chipset"
    sure = seat.slot.sure("lanes", "gen", "wired_to", "shares_with")
    return Link(seat.lanes, gen, rate(seat.lanes, gen, chipset), chipset, sure)


def _of_platform(facts: Facts) -> Link | None:
    """Divide the CPU's lanes among the cards as boards usually do: 16, 8 and 8, then 4 from the chipset."""
    platform, cards = facts.platform, len(facts.cards)
    if platform is None:
        return None
    if platform.gpu_lanes <= rule("lanes.desktop"):
        lanes, chipset = (platform.gpu_lanes // cards, False) if cards <= 2 else (4, True)
    else:
        lanes, chipset = (16 if platform.gpu_lanes >= 16 * cards else 8), False
    gen = min(platform.gen, *(card.pcie_gen or platform.gen for card in facts.cards))
    return Link(lanes, gen, rate(lanes, gen, chipset), chipset, False)


def check_lanes(facts: Facts) -> Iterator[Finding]:
    """Check the lanes of the narrowest card against what this work moves between the cards."""
    if not facts.cards:
        return
    link = narrowest(facts)
    if link is None:
        yield Finding(
            id="pcie.lanes",
            severity="info",
            message=message("No board named: lanes are not checked")
            if facts.board is None
            else message("The board's lanes are not known"),
            why=message("lanes are a property of CPU and board"),
            source=source("lanes.desktop"),
            fix=message("name the board or the CPU"),
        )
        return
    numbers = {"lanes": link.lanes, "gen": link.gen, "gbs": round(link.rate, 1), "cards": len(facts.cards)}
    yield gravest("pcie.lanes", [_judged(facts, link), *_drives(facts, link)], numbers)


def _judged(facts: Facts, link: Link) -> Problem:
    full = rule("lanes.talk") if facts.talks else rule("lanes.layer_split")
    wanted = rate(int(full), 4.0, chipset=False)
    severity: Severity = "ok" if link.rate >= 0.95 * wanted else "warn"
    text = message("{lanes} lanes for each card", lanes=link.lanes)
    if link.chipset:
        text = message("A card hangs on the chipset with {lanes} lanes", lanes=link.lanes)
    return Problem(
        severity,
        text,
        message(
            "{where}: {rate:1} GB/s one way; {meaning}",
            where=_where(facts),
            rate=link.rate,
            meaning=_meaning(facts),
        ),
        source("lanes.talk"),
        message("a Threadripper board gives every card 16 lanes of its own") if severity == "warn" else None,
    )


def _meaning(facts: Facts) -> Message:
    if facts.talks:
        return message("this plan moves data between the cards in every layer: 8 lanes or more")
    return message("this work moves little between the cards: 4 lanes are enough")


def _where(facts: Facts) -> Message:
    """Name the slots with their generation and width, or the platform."""
    if facts.placement and facts.placement.seats:
        slots = ", ".join(
            f"{seat.slot.name} PCIe {seat.gen or 0:.0f} x{seat.lanes}" for seat in facts.placement.seats
        )
        return message("{slots}", slots=slots)
    return message("{name}, as boards usually divide its lanes", name=facts.platform_name)


def _drives(facts: Facts, link: Link) -> Iterator[Problem]:
    """Look at slots that lose lanes because an M.2 socket is in use, and drives without a socket."""
    board, placement = facts.board, facts.placement
    if board is None or placement is None or not board.m2:
        return
    if facts.nvme_drives > len(board.m2):
        yield Problem(
            "warn",
            message(
                "{drives} NVMe drives for {sockets} M.2 sockets",
                drives=facts.nvme_drives,
                sockets=len(board.m2),
            ),
            message("the others need an adapter card in a slot of their own"),
            board.source,
            message("fewer, larger drives"),
        )
    beside = {seat.slot.name for seat in placement.seats}
    lost = [
        (seat.slot.name, sharing.used)
        for seat in placement.seats
        for sharing in seat.slot.shares_with
        if sharing.used in facts.sockets
        and sharing.lanes < (seat.slot.lanes_beside(beside - {seat.slot.name}) or 0)
    ]
    if lost:
        yield Problem(
            "info",
            message("The drive in {socket} takes lanes from {slot}", socket=lost[0][1], slot=lost[0][0]),
            message("slot and M.2 socket share the CPU's lanes; the card keeps {lanes}", lanes=link.lanes),
            board.source,
            message("the drive into a socket of the chipset"),
        )
