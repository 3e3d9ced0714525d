"""Desktop processor or workstation: lanes, channels, ECC, and room for the next experiment."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.boards import board_for
from configurator.system.facts import Facts, decided
from configurator.system.population import channels, registered
from configurator.system.problem import Problem, gravest
from configurator.system.ram import comfortable_ram
from configurator.system.rules import rule, source


def check_platform(facts: Facts) -> Iterator[Finding]:
    """Hold lanes, channels and RAM of the platform against the cards and what may come."""
    if not facts.cards:
        return
    cards = len(facts.cards)
    desktop = rule("lanes.desktop")
    each = rule("lanes.talk") if facts.talks else rule("lanes.layer_split")
    wanted = round(cards * each)
    platform = facts.platform
    if platform is None:
        yield Finding(
            id="platform.cpu",
            severity="info",
            message=message("A desktop CPU is enough")
            if cards <= 2
            else message("A Threadripper board is the right size"),
            numbers={"cards": cards, "lanes_wanted": wanted},
            why=message(
                "{cards} card(s) want {wanted} lanes; desktop CPUs have {desktop} for cards, Threadripper 48, Threadripper PRO 128",
                cards=cards,
                wanted=wanted,
                desktop=round(desktop),
            ),
            source=source("lanes.desktop"),
            fix=message("name the board or the CPU"),
        )
        return
    most = _most_ram(facts)
    numbers = {
        "cards": cards,
        "lanes": platform.gpu_lanes,
        "lanes_wanted": wanted,
        "lanes_spare": platform.gpu_lanes - wanted,
        "cards_more": _more_cards(facts),
        "channels": channels(facts, platform),
        "ecc": int(registered(facts, platform)),
        **({"ram_max_gb": most} if most else {}),
    }
    yield gravest("platform.cpu", [*_mismatch(facts), *_lanes(facts, wanted), _room(facts, wanted)], numbers)


def _more_cards(facts: Facts) -> int:
    """Return how many more cards like the first would find a place."""
    if facts.board is None or not facts.board.slots or facts.placement is None:
        lanes = facts.platform.gpu_lanes if facts.platform else 0
        return max(0, lanes // 8 - len(facts.cards))
    seats = [slot for slot in facts.board.slots if slot.mechanical in (None, 16)]
    most = facts.board.double_width_cards or len(seats)
    return max(0, most - len(facts.cards))


def _most_ram(facts: Facts) -> int | None:
    known = [part.max_ram_gb for part in (facts.board, facts.cpu, facts.platform) if part and part.max_ram_gb]
    return min(known, default=None)


def _mismatch(facts: Facts) -> Iterator[Problem]:
    cpu, board, platform = facts.cpu, facts.board, facts.platform
    if cpu is None or board is None:
        return
    if _plain(cpu.socket) != _plain(board.socket):
        yield Problem(
            decided("error", (cpu, "socket"), (board, "socket")),
            message("{cpu} does not go onto {board}", cpu=cpu.name, board=board.name),
            message("the CPU has socket {one}, the board {other}", one=cpu.socket, other=board.socket),
            board.source,
            message("a CPU for the socket of the board"),
        )
    elif platform and board.channels and board.channels > platform.channels:
        yield Problem(
            "warn",
            message("The board is made for a larger CPU"),
            message(
                "it wires {board} memory channels, the CPU has {cpu}",
                board=board.channels,
                cpu=platform.channels,
            ),
            board.source,
            message("a Threadripper PRO, or a board for Threadripper"),
        )


def _plain(socket: str) -> str:
    return socket.replace(" ", "").lower()


def _lanes(facts: Facts, wanted: int) -> Iterator[Problem]:
    platform, cards = facts.platform, len(facts.cards)
    if platform is None:
        return
    desktop = platform.gpu_lanes <= rule("lanes.desktop")
    short = wanted > platform.gpu_lanes or (desktop and cards > 2)
    if short:
        found = board_for(facts)
        yield Problem(
            "warn",
            message("Too many cards for this platform"),
            message(
                "{cards} cards want {wanted} lanes; {platform} has {lanes}",
                cards=cards,
                wanted=wanted,
                platform=facts.platform_name,
                lanes=platform.gpu_lanes,
            ),
            source("lanes.desktop"),
            message("{board} with {cpu}", board=found[0].name, cpu=found[1].name)
            if found
            else message("a Threadripper board gives every card 16 lanes of its own"),
            {"board": found[0].id, "cpu": found[1].id} if found else None,
        )


def _room(facts: Facts, wanted: int) -> Problem:
    platform, more, cards = facts.platform, _more_cards(facts), len(facts.cards)
    lanes = platform.gpu_lanes if platform else 0
    most = _most_ram(facts)
    unused = lanes > rule("lanes.desktop") and cards == 1 and (facts.workload.growth or 1) <= 1
    small_ram = most is not None and comfortable_ram(facts) > most
    why = message(
        "{lanes} lanes for {cards} card(s), {more} more card(s) find a place, {channels} memory channels{ram}",
        lanes=lanes,
        cards=cards,
        more=more,
        channels=channels(facts, platform) if platform else 0,
        ram=message(", up to {most} GB of RAM", most=most) if most else "",
    )
    text = (
        message("The platform has room that one card does not use")
        if unused
        else message("The platform takes less RAM than is comfortable")
        if small_ram
        else message("The platform carries the cards, with room for {more} more", more=more)
        if more
        else message("The platform carries the cards and is then full")
    )
    fix = message("a desktop CPU, unless more cards or much RAM come later") if unused else None
    return Problem("info" if unused or small_ram else "ok", text, why, source("lanes.desktop"), fix)
