"""Changes of the machine: other shares of the cards, RAM for what waits, monitors, larger or more cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from configurator.advice.option import Cost, Option, Situation
from configurator.catalog.loading import read_table
from configurator.catalog.parts import Gpu
from configurator.domain.architecture import MixtureOfExperts
from configurator.domain.errors import BadInput
from configurator.domain.ledger import DeviceLedger
from configurator.domain.message import message
from configurator.domain.units import GIB
from configurator.memory.plans import heads_of

_MOST_CARDS = 4
"""Cards beyond which a workstation becomes a server."""
_SHARES = (0.75, 0.85, 0.9)
"""Shares of unified memory that people give to the GPU."""
_LEFT_TO_SYSTEM = 8 * GIB


def sharding(s: Situation) -> Iterator[Option]:
    """Offer to divide the work over the cards that are there."""
    if s.cards < 2:
        return
    for plan in _plans(s, s.cards):
        action = message("work divided over the {cards} cards", cards=s.cards)
        yield Option(
            "plan", Cost.SPEED, {"plan": plan}, action, message("the cards wait for each other more often")
        )
    yield from _split(s)


def _plans(s: Situation, cards: int) -> Iterator[dict[str, Any]]:
    """Return the plans that put less on each of so many cards."""
    if s.workload.trains:
        for zero in s.steps("sharding"):
            yield {"dp": cards, "zero": zero}
        return
    heads = _heads(s)
    if s.framework.workspace == "server" and heads and heads % cards == 0:
        yield {"tp": cards}
    yield {"pp": cards}


def _heads(s: Situation) -> int:
    try:
        return heads_of(s.catalog.architecture(s.workload.model))
    except BadInput:
        return 0


def _split(s: Situation) -> Iterator[Option]:
    """Offer uneven shares of the layers, as large as what programs leave free on each card."""
    devices = s.estimate.devices
    if s.workload.trains or s.estimate.plan.pp != len(devices):
        return
    shares = [round(_free(one) / GIB, 1) for one in devices]
    if len(set(shares)) > 1 and min(shares) > 0:
        action = message("layers dealt out by the memory of the cards")
        change = {"plan": {"pp": len(devices), "split": shares}}
        yield Option("plan", Cost.NOTHING, change, action, message("costs nothing"))


def _free(device: DeviceLedger) -> int:
    taken = (one.likely for one in device.entries if one.component in ("context", "display", "other_apps"))
    return device.usable - sum(taken)


def offload(s: Situation) -> Iterator[Option]:
    """Offer to let optimizer, experts or layers wait in RAM."""
    slow = message("much slower, and the RAM has to hold it")
    if s.workload.trains:
        for what in s.steps("offload"):
            everything = message("parameters and optimizer in RAM")
            action = everything if "params" in what else message("optimizer in RAM")
            yield Option("offload", Cost.PATIENCE, {"offload": what}, action, slow)
    elif s.framework.workspace == "llama.cpp" and (s.workload.offload or "none") == "none":
        layers = s.catalog.architecture(s.workload.model).layers
        if any(isinstance(layer.channel, MixtureOfExperts) for layer in layers):
            action = message("experts in RAM")
            yield Option("offload", Cost.PATIENCE, {"offload": "experts->CPU"}, action, slow)
        for part in (3, 2, 1):
            count = len(layers) * part // 4
            action = message(
                "{count} of {all} layers on the card, the others in RAM", count=count, all=len(layers)
            )
            yield Option("offload", Cost.PATIENCE, {"offload": f"gpu-layers:{count}"}, action, slow)


def display(s: Situation) -> Iterator[Option]:
    """Offer to hang the monitors elsewhere, and a larger share of unified memory."""
    machine = s.full.machine
    if machine.system:
        system = s.catalog.systems.find(machine.system)
        for share in _SHARES:
            if (
                share > (machine.gpu_share or system.gpu_share)
                and system.memory * (1 - share) >= _LEFT_TO_SYSTEM
            ):
                action = message("{share:%} of the memory for the GPU", share=share)
                price = message("less is left to the system and other programs")
                yield Option("share", Cost.NOTHING, {"machine": {"gpu_share": share}}, action, price)
    elif machine.display_on_gpu is not None and _other_graphics(s):
        action = message("monitors on the processor's own graphics")
        yield Option(
            "display", Cost.NOTHING, {"machine": {"display_on_gpu": None}}, action, message("costs nothing")
        )


def _other_graphics(s: Situation) -> bool:
    """Whether the processor draws; one that is not named yet can be chosen so."""
    name = s.full.machine.cpu
    return name is None or bool(s.catalog.cpus.find(name if isinstance(name, str) else name.id).igpu)


def larger(s: Situation) -> Iterator[Option]:
    """Offer the larger cards or systems of the same maker, one for each size."""
    price = message("the difference in price")
    machine = s.full.machine
    if machine.system:
        own = s.catalog.systems.find(machine.system)
        others = sorted(s.catalog.systems.values(), key=lambda one: one.memory)
        for system in others:
            if system.vendor == own.vendor and system.memory > own.memory:
                change: dict[str, Any] = {"machine": {"system": system.id}}
                yield Option("larger", Cost.MONEY, change, message("{text}", text=system.name), price)
        return
    place = _kind_of(s)
    kind = machine.gpus[place]
    own_card = s.catalog.gpus.get(kind.gpu) if isinstance(kind.gpu, str) else None
    if own_card is None:
        return
    for card in _larger_cards(own_card, s.catalog.gpus.values()):
        kinds = [one.model_dump(exclude_defaults=True) for one in machine.gpus]
        kinds[place] = {"gpu": card.id} | ({"count": kind.count} if kind.count > 1 else {})
        one = message("{text}", text=card.name)
        action = one if kind.count == 1 else message("{count} x {name}", count=kind.count, name=card.name)
        yield Option("larger", Cost.MONEY, {"machine": {"gpus": kinds}}, action, price)


def _kind_of(s: Situation) -> int:
    """Return the place of the kind of card that decides."""
    counted = -1
    for place, kind in enumerate(s.full.machine.gpus):
        counted += kind.count
        if s.deciding <= counted:
            return place
    return 0


def _larger_cards(own: Gpu, shelf: Any) -> Iterator[Gpu]:
    """Return cards sold new for workstations, one a size: of the same line, else the most frugal."""
    sold = read_table("remedies")["sold"]
    fitting = [
        card for card in shelf
        if card.vendor == own.vendor and card.vram_gb > own.vram_gb and card.architecture in sold
        and card.slot_width is not None and card.cooling != "passive"
    ]  # fmt: skip
    line = own.name.split()[0]
    fitting.sort(key=lambda card: (card.vram_gb, card.name.split()[0] != line, card.tdp_w or 0))
    sizes: set[float] = set()
    for card in fitting:
        if card.vram_gb not in sizes:
            sizes.add(card.vram_gb)
            yield card


def more(s: Situation) -> Iterator[Option]:
    """Offer more cards of the same kind, with the work divided over them."""
    machine = s.full.machine
    if len(machine.gpus) != 1:
        return
    kind = machine.gpus[0]
    for count in range(kind.count + 1, _MOST_CARDS + 1):
        added = count - kind.count
        own = kind.model_dump(exclude_defaults=True)
        kinds = [own, own | {"count": added, "owned": False}] if kind.owned else [own | {"count": count}]
        one = message("one more card of the same kind, the work divided")
        several = message("{count} more cards of the same kind, the work divided", count=added)
        action = one if added == 1 else several
        price = message("price, lanes, power; never {count} times as fast", count=count)
        for plan in _plans(s, count):
            change = {"machine": {"gpus": kinds}, "plan": plan}
            yield Option("more", Cost.MONEY, change, action, price)
