"""CAD and rendering beside the AI work: certified drivers, the scene in one card, a second card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest

_PROFESSIONAL = re.compile(
    r"^(nvidia )?(rtx (pro|a\d|\d+ (sff )?ada)|quadro|radeon (ai )?pro|arc pro)", re.IGNORECASE
)
_GENERAL = "general knowledge, not looked up"


def check_cad(facts: Facts) -> Iterator[Finding]:
    """Say what CAD and rendering want of their card, and whether they and the AI work fit together."""
    also = facts.case.also
    if not (also.cad or also.render) or not facts.cards:
        return
    found = [
        *(_certified(facts) if also.cad else ()),
        *(_scene(facts) if also.render else ()),
        *_together(facts),
    ]
    taken = max(
        sum(entry.likely for entry in device.entries if entry.component == "other_apps")
        for device in facts.estimate.devices
    )
    yield gravest("cad.gpu", found, {"taken": taken, "cards": len(facts.cards)})


def _certified(facts: Facts) -> Iterator[Problem]:
    professional = any(_PROFESSIONAL.match(card.name) for card in facts.cards)
    yield Problem(
        "ok" if professional else "info",
        message("A professional card serves CAD with certified drivers")
        if professional
        else message("CAD vendors certify professional cards, not GeForce"),
        message("certified drivers exist for RTX PRO; normal assemblies take 4 to 16 GB"),
        _GENERAL,
        None if professional else message("a small RTX PRO card for CAD and the monitors"),
    )


def _scene(facts: Facts) -> Iterator[Problem]:
    largest = max(device.capacity for device in facts.estimate.devices)
    yield Problem(
        "ok" if len(facts.cards) == 1 else "info",
        message("The scene must lie in one card"),
        message("renderers do not add up memory over cards: at most {largest:gib}", largest=largest),
        _GENERAL,
    )


def _together(facts: Facts) -> Iterator[Problem]:
    """Look at cards where the other program tips the AI work over."""
    for device in facts.estimate.devices:
        taken = sum(entry.likely for entry in device.entries if entry.component == "other_apps")
        if taken and device.total.high > device.usable >= device.total.high - taken:
            yield Problem(
                "warn",
                message("AI work and the other program do not fit one card together"),
                message(
                    "{taken:gib} for the other program; together up to {high:gib} of {usable:gib}",
                    taken=taken,
                    high=device.total.high,
                    usable=device.usable,
                ),
                "benrugg/AI-Render issue 109",
                message("a second card for CAD, rendering and monitors"),
            )
