"""How cards reach each other: NVLink, peer to peer over PCIe, or through the host's memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from configurator.catalog.parts import Gpu
from configurator.domain.finding import Finding, Severity
from configurator.domain.message import Message, message
from configurator.system.facts import Facts
from configurator.system.rules import rule, source, table

Link = Literal["nvlink", "p2p", "host", "unknown"]
_GEFORCE = re.compile(r"^(geforce|gtx|titan)\b", re.IGNORECASE)
_SOURCE = "club-3090 PCIE_P2P.md; rtx6kpro topology.md"


def link_of(facts: Facts) -> Link:
    """Return the best link that all cards have without patched drivers."""
    kinds = set(facts.cards)
    if (
        len(kinds) == 1
        and bridges(facts.cards[0]) >= len(facts.cards)
        and facts.workload.options.get("nvlink")
    ):
        return "nvlink"
    if any(not card.vendor for card in kinds):
        return "unknown"
    if any(_GEFORCE.match(card.name) or card.vendor != "nvidia" for card in kinds):
        return "host"
    return "p2p" if len(kinds) == 1 else "host"


def bridges(card: Gpu) -> int:
    """Return how many cards an NVLink bridge joins; 0: none."""
    return card.nvlink or 0


def peer_to_peer(facts: Facts) -> bool:
    """Whether the cards reach each other without the host's memory."""
    return link_of(facts) in ("nvlink", "p2p")


def check_p2p(facts: Facts) -> Iterator[Finding]:
    """Say how the cards talk, and what this work makes of it."""
    if len(facts.cards) < 2:
        return
    link, talks = link_of(facts), facts.talks
    severity: Severity = "ok" if link in ("nvlink", "p2p") or not talks else "info"
    texts: dict[Link, Message] = {
        "nvlink": message("The cards talk over NVLink"),
        "p2p": message("The cards reach each other directly (peer to peer)"),
        "host": message("The cards talk through the PC's memory"),
        "unknown": message("It is not known how the cards talk"),
    }
    fix = None
    if severity == "info":
        joined = bridges(facts.cards[0]) >= len(facts.cards)
        fix = (
            message("an NVLink bridge between the two cards")
            if joined
            else message("cards of the RTX PRO line, or a layout with little exchange")
        )
    yield Finding(
        id="pcie.p2p",
        severity=severity,
        message=texts[link],
        numbers=_numbers(facts, link),
        why=_why(facts, link),
        source=_SOURCE if talks else source("lanes.layer_split"),
        fix=fix,
    )


def _numbers(facts: Facts, link: Link) -> dict[str, float | int]:
    numbers: dict[str, float | int] = {"cards": len(facts.cards), "nvlink_cards": bridges(facts.cards[0])}
    return numbers | ({"latency_us": rule("p2p.latency_us")} if link == "host" else {})


def _why(facts: Facts, link: Link) -> Message:
    gain = table("p2p_gain")["tensor"]
    if not facts.talks:
        return message("this work moves little between the cards: the link does not decide")
    if link == "unknown":
        return message(
            "this plan moves data between the cards in every layer; the catalogue does not know these cards"
        )
    if link == "host":
        return message(
            "the driver offers no peer to peer on these cards: {latency} µs a message instead of less than 1; a direct link brings {low} to {high} % in prefill, 0 to {decode} % in decode",
            latency=rule("p2p.latency_us"),
            low=gain["prefill_low"],
            high=gain["prefill_high"],
            decode=gain["decode_high"],
        )
    return message("messages of every layer go from card to card without the processor")
