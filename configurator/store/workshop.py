"""Saving the workshop's settings, and the quote numbers that this installation gives out."""

from __future__ import annotations

import secrets
from datetime import date
from itertools import count
from pathlib import Path

from configurator.domain.workshop import Workshop
from configurator.reading.workshop import load_workshop, workshop_file
from configurator.store.files import make_folder, taken, write_word

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without I and O, which are read as digits over the telephone."""


def save_workshop(workshop: Workshop) -> None:
    """Write the settings in one step. Raises BadInput when the place cannot be written."""
    path = workshop_file()
    make_folder(path.parent)
    write_word(workshop, path)


def next_number(today: date) -> str:
    """Return a quote number that nobody else gives out, such as `2026-KTM-0012`; raises BadInput.

    The prefix tells installations apart. On this one every number is claimed by a file of its own,
    which only one of several programs can create, and which stays when the settings are lost.
    """
    workshop = load_workshop()
    prefix = workshop.number_prefix or "".join(secrets.choice(_LETTERS) for _ in range(3))
    for number in count(workshop.number_next):
        name = f"{today.year}-{prefix}-{number:04}"
        if _claimed(name):
            break
    save_workshop(workshop.model_copy(update={"number_prefix": prefix, "number_next": number + 1}))
    return name


def _claimed(name: str) -> bool:
    """Whether a number was still free and now is ours."""
    folder: Path = workshop_file().parent / "numbers"
    make_folder(folder)
    return not taken(folder / name)
