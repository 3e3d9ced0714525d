"""What more cards really bring: a range by method and link, never a promise."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import Message, message
from configurator.system.facts import Facts
from configurator.system.p2p import peer_to_peer
from configurator.system.rules import spread_of, table


def check_scaling(facts: Facts) -> Iterator[Finding]:
    """Say how many times faster the cards of the plan are than one."""
    cards = facts.plan.gpus
    if len(facts.cards) < 2 or cards < 2:
        return
    method, name = _method(facts)
    row = table("scaling")[method]
    gain = spread_of(row)
    low, likely, high = (round(1 + (cards - 1) * one, 2) for one in (gain.low, gain.likely, gain.high))
    low = max(low, 0.3)
    slow = likely < 1 + (cards - 1) / 2
    yield Finding(
        id="plan.scaling",
        severity="info",
        message=message(
            "{cards} cards bring {low:1} to {high:1} times the speed of one", cards=cards, low=low, high=high
        ),
        numbers={"cards": cards, "low": low, "likely": likely, "high": high},
        why=message("{method}, likely {likely:1} times", method=name, likely=likely),
        source=str(row["source"]),
        fix=message("copies on each card, a layer split for many users, or one larger card")
        if slow
        else None,
    )


def _method(facts: Facts) -> tuple[str, Message]:
    """Return the row of the table and its name for this plan and these cards."""
    plan, workload = facts.plan, facts.workload
    link = "p2p" if peer_to_peer(facts) else "host"
    if plan.tp > 1:
        name = (
            message("tensor parallel over a direct link")
            if link == "p2p"
            else message("tensor parallel through the host's memory")
        )
        return f"tensor.{link}", name
    if plan.pp > 1:
        many = (workload.concurrency or 1) > 1
        name = (
            message("layers dealt out, many users fill the line")
            if many
            else message("layers dealt out, one user waits for each card in turn")
        )
        return ("layers.many" if many else "layers.single"), name
    if not workload.trains:
        return "replicas", message("copies that answer different users")
    if plan.zero == 3:
        name = (
            message("full sharding over a direct link")
            if link == "p2p"
            else message("full sharding through the host's memory")
        )
        return f"sharded.{link}", name
    if workload.task in ("full", "pretrain"):
        name = (
            message("copies that exchange all gradients over a direct link")
            if link == "p2p"
            else message("copies that exchange all gradients through the host's memory")
        )
        return f"full.{link}", name
    return "adapters", message("copies that exchange the small gradients of adapters")
