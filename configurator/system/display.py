"""Monitors and CAD beside the AI work."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts


def check_display(facts: Facts) -> Iterator[Finding]:
    """Say what the monitors take from the card that they hang on."""
    index = facts.case.machine.display_on_gpu
    if index is None or index >= len(facts.estimate.devices):
        return
    device = facts.estimate.devices[index]
    taken = sum(entry.likely for entry in device.entries if entry.component in ("display", "other_apps"))
    yield Finding(
        id="display.share",
        severity="info",
        device=device.device,
        message=message("Monitors and other programs take {taken:gib} of this card", taken=taken),
        numbers={"taken": taken},
        why=message("the desktop lives in the memory of the card that shows it"),
        source="club-3090 hardware notes",
        fix=message("the CPU's own graphics or a small second card for the monitors frees it"),
    )


def check_cad(facts: Facts) -> Iterator[Finding]:
    """Say what CAD wants of its card."""
    if not facts.case.also.cad or not facts.cards:
        return
    professional = any(
        "PRO" in card.name or card.name.startswith(("RTX A", "Quadro")) for card in facts.cards
    )
    yield Finding(
        id="cad.gpu",
        severity="ok" if professional else "info",
        message=message("A professional card serves CAD with certified drivers")
        if professional
        else message("CAD vendors certify professional cards, not GeForce"),
        why=message("certified drivers exist for RTX PRO; normal assemblies take 4 to 16 GB"),
        source="general knowledge, not looked up",
        fix=None if professional else message("a small RTX PRO card for CAD and the monitors"),
    )
