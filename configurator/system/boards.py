"""Parts of the catalogue that solve a lack of places: a board with its CPU, and a case."""

from __future__ import annotations

from configurator.catalog.boards import Board
from configurator.catalog.parts import CaseModel, Cpu
from configurator.system.facts import Facts
from configurator.system.placement import place, width


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


def case_for(facts: Facts) -> CaseModel | None:
    """Return the smallest case of the catalogue that takes length, width and number of the cards."""
    longest = max((card.length_mm or 0 for card in facts.cards), default=0)
    positions = sum(width(card) for card in facts.cards)
    if facts.placement and not facts.placement.left_out:
        positions = max([seat.last or 0 for seat in facts.placement.seats], default=positions)
    form = facts.board.form_factor if facts.board else None
    fitting = [
        case
        for case in facts.catalog.cases.values()
        if case.sure("gpu_length_mm")
        and (case.gpu_length_mm or 0) >= longest
        and (case.slots or 0) >= positions
        and (form is None or form in case.form_factors)
    ]
    return min(fitting, key=lambda case: (case.gpu_length_mm or 0, case.id), default=None)
