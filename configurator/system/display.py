"""What the monitors take from the card that they hang on."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts

_NAMES = {"windows": "Windows", "wsl2": "WSL 2", "linux": "Linux", "macos": "macOS"}
_SOURCE = "club-3090 hardware notes"


def check_display(facts: Facts) -> Iterator[Finding]:
    """Say what monitors and desktop take, by operating system, and what would free it."""
    index = facts.case.machine.display_on_gpu
    if index is None or index >= len(facts.estimate.devices) or not facts.cards:
        return
    device = facts.estimate.devices[index]
    taken = sum(entry.likely for entry in device.entries if entry.component in ("display", "other_apps"))
    short = device.total.high > device.usable >= device.total.high - taken
    own = facts.cpu is not None and bool(facts.cpu.igpu)
    os = facts.case.machine.os or "linux"
    yield Finding(
        id="display.share",
        severity="warn" if short else "info",
        device=device.device,
        message=message("Monitors and other programs take {taken:gib} of this card", taken=taken),
        numbers={"taken": taken, "usable": device.usable},
        why=message("the work would fit with certainty without them; desktop of {os}", os=_NAMES[os])
        if short
        else message("the desktop of {os} lives in the memory of the card that shows it", os=_NAMES[os]),
        source=_SOURCE,
        fix=message("monitors on the CPU's own graphics")
        if own
        else message("the CPU's own graphics or a small second card for the monitors frees it"),
        change={"display_on_gpu": None} if own else None,
    )
