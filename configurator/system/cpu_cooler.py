"""The processor's cooler: socket, height or radiator against the case, and its rated heat."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.catalog.parts import Cooler, Cpu
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts, decided
from configurator.system.problem import Problem, gravest


def check_cpu_cooler(facts: Facts) -> Iterator[Finding]:
    """Check the cooler that is named, or propose one for a processor that is."""
    cpu, cooler = facts.cpu, facts.cooler
    if cpu is None:
        return
    watts = {"cpu_w": facts.cpu_watts}
    if cooler is None:
        yield gravest("cooling.cpu", [_proposed(facts, cpu)], watts)
        return
    good = Problem(
        "ok",
        message("The cooler fits processor and case"),
        message("{cooler} on socket {socket}", cooler=cooler.name, socket=cpu.socket),
        cooler.source,
    )
    found = [good, *_socket(cooler, cpu), *_height(facts, cooler), *_heat(facts, cooler)]
    yield gravest("cooling.cpu", found, watts | ({"cooler_mm": cooler.height_mm} if cooler.height_mm else {}))


def _plain(socket: str) -> str:
    return socket.replace(" ", "").lower()


def _fits(facts: Facts, cooler: Cooler, cpu: Cpu) -> bool:
    room = facts.box.cooler_height_mm if facts.box else None
    low = cooler.kind == "liquid" or room is None or (cooler.height_mm or 999) <= room
    strong = cooler.rated_w is None or cooler.rated_w >= facts.cpu_watts
    return _plain(cpu.socket) in map(_plain, cooler.sockets) and low and strong


def _proposed(facts: Facts, cpu: Cpu) -> Problem:
    fitting = [cooler for cooler in facts.catalog.coolers.values() if _fits(facts, cooler, cpu)]
    best = min(fitting, key=lambda cooler: (cooler.rated_w is None, cooler.kind, cooler.id), default=None)
    return Problem(
        "info",
        message("No cooler named for the processor"),
        message("{watts:w} of heat on socket {socket}", watts=facts.cpu_watts, socket=cpu.socket),
        best.source if best else cpu.source,
        message("{cooler}", cooler=best.name) if best else message("a cooler made for this socket"),
        {"cooler": best.id} if best else None,
    )


def _socket(cooler: Cooler, cpu: Cpu) -> Iterator[Problem]:
    if _plain(cpu.socket) not in map(_plain, cooler.sockets):
        yield Problem(
            decided("error", (cooler, "sockets"), (cpu, "socket")),
            message("The cooler does not fit the processor's socket"),
            message("{socket} is not among {sockets}", socket=cpu.socket, sockets=", ".join(cooler.sockets)),
            cooler.source,
            message("a cooler made for this socket"),
        )


def _height(facts: Facts, cooler: Cooler) -> Iterator[Problem]:
    box = facts.box
    if box is None:
        return
    if (
        cooler.kind == "air"
        and cooler.height_mm
        and box.cooler_height_mm
        and cooler.height_mm > box.cooler_height_mm
    ):
        yield Problem(
            decided("error", (cooler, "height_mm"), (box, "cooler_height_mm")),
            message("The cooler is too high for the case"),
            message("{card:n} mm against {room:n} mm", card=cooler.height_mm, room=box.cooler_height_mm),
            cooler.source,
            message("a lower cooler, a radiator, or a wider case"),
        )
    if cooler.radiator_mm and box.radiators_mm and cooler.radiator_mm not in box.radiators_mm:
        yield Problem(
            decided("error", (cooler, "radiator_mm"), (box, "radiators_mm")),
            message("The case has no place for this radiator"),
            message(
                "{radiator} mm; the case takes {sizes}",
                radiator=cooler.radiator_mm,
                sizes=", ".join(map(str, box.radiators_mm)),
            ),
            box.source,
            message("a smaller radiator or another case"),
        )


def _heat(facts: Facts, cooler: Cooler) -> Iterator[Problem]:
    if cooler.rated_w and cooler.rated_w < facts.cpu_watts:
        yield Problem(
            "warn",
            message("The cooler is too weak for the processor"),
            message("{rated:w} rated against {watts:w}", rated=cooler.rated_w, watts=facts.cpu_watts),
            cooler.source,
            message("a larger cooler"),
        )
