"""Parts of the catalogue that solve a lack of places: a board with its CPU, and a case."""

from __future__ import annotations

from configurator.catalog.boards import Board
from configurator.catalog.parts import CaseModel, Cpu
from configurator.system.facts import Facts
from configurator.system.placement import Placement, place, width


def board_for(facts: Facts) -> tuple[Board, Cpu] | None:
    """Return the board with fewest lanes that seats all cards, by stated positions, and a CPU for it."""
    room = facts.box.slots if facts.box else None
    known = facts.catalog.platforms
    for board in sorted(facts.catalog.boards.values(), key=lambda board: len(board.slots)):
        slots = [slot for slot in board.slots if slot.mechanical in (None, 16)]
        if len(slots) < len(facts.cards) or not all(
            slot.position and slot.sure("position") for slot in slots
        ):
            continue
        cpus = [
            cpu
            for cpu in facts.catalog.cpus.values()
            if cpu.socket == board.socket
            and cpu.platform
            and cpu.platform in known
            and known[cpu.platform].channels >= (board.channels or 0)
            and known[cpu.platform].gpu_lanes >= 8 * len(facts.cards)
        ]
        cpu = min(cpus, key=lambda cpu: (cpu.cores or 999, cpu.id), default=None)
        if cpu and not place(board, facts.cards, cpu, frozenset(), room).left_out:
            return board, cpu
    return None


def without_case(facts: Facts) -> Placement:
    """Return the placement on the board with room at its lower end."""
    if facts.board is None:
        raise ValueError("no board is named")
    return place(facts.board, facts.cards, facts.cpu, facts.sockets, None)


def case_for(facts: Facts) -> CaseModel | None:
    """Return the smallest case of the catalogue that takes length, width and number of the cards."""
    longest = max((card.length_mm or 0 for card in facts.cards), default=0)
    positions = sum(width(card) for card in facts.cards)
    if facts.board and facts.board.slots:
        positions = max([seat.last or 0 for seat in without_case(facts).seats], default=positions)
    form = facts.board.form_factor if facts.board else None
    fitting = [
        case
        for case in facts.catalog.cases.values()
        if case.sure("gpu_length_mm")
        and (case.gpu_length_mm or 0) >= longest
        and (case.slots or 0) >= positions
    ]
    # Data banks often leave large board forms out, so a case that does not name the form comes last.
    return min(
        fitting,
        key=lambda case: (
            form is not None and form not in case.form_factors,
            case.gpu_length_mm or 0,
            case.id,
        ),
        default=None,
    )
