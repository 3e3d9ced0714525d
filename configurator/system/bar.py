"""Resizable BAR and what else the firmware must allow several cards."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.domain.units import GIB
from configurator.system.facts import Facts


def check_bar(facts: Facts) -> Iterator[Finding]:
    """Say what to set in the firmware before delivery of a machine with several cards."""
    if len(facts.cards) < 2:
        return
    window = sum(2 ** max(0, (round(card.vram_gb) - 1).bit_length()) for card in facts.cards)
    amd = facts.cpu is not None and facts.cpu.vendor == "amd" and facts.case.machine.os in (None, "linux")
    yield Finding(
        id="pcie.bar",
        severity="info",
        message=message("For the delivery: Resizable BAR and Above 4G decoding on"),
        numbers={"window_gib": window},
        why=message(
            "the cards ask for address windows of {window:gib} together; a window of 256 MB cripples the exchange between them{iommu}",
            window=window * GIB,
            iommu=message("; on AMD under Linux iommu=pt against hangs") if amd else "",
        ),
        source="rtx6kpro; club-3090 FAQ",
    )
