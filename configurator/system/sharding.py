"""What the plan copies and what it divides, and formats that cannot be divided."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.domain.units import GIB
from configurator.memory.weights import bytes_in, stage_sum, whole_model
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import engine, family

_DEFINITION = "definition of the parallelism"


def check_sharding(facts: Facts) -> Iterator[Finding]:
    """Say what the plan copies: data parallel replicates, it does not add memory."""
    plan, cards = facts.plan, len(facts.cards)
    if cards < 2:
        return
    numbers = {"cards": cards, "dp": plan.dp, "tp": plan.tp, "pp": plan.pp, "zero": plan.zero}
    yield gravest("plan.sharding", [*_undivided(facts), _layout(facts)], numbers)


def whole_weights(facts: Facts) -> float:
    """Return the bytes of all weights in their stored format; of a model for images in 16 bit."""
    if facts.model is None:
        return 2 * facts.parameters
    alone = facts.plan.model_copy(update={"tp": 1, "pp": 1})
    return stage_sum(facts.model, whole_model(facts.model), alone, bytes_in(facts.weights))


def undivided(facts: Facts) -> bool:
    """Whether full sharding is planned for weights that this framework cannot divide."""
    runs = engine(facts.framework.id) if facts.framework else None
    sharded = facts.workload.trains and facts.plan.zero == 3 and facts.plan.dp > 1
    return sharded and runs is not None and family(facts.weights) not in runs.shards and bool(runs.shards)


def _undivided(facts: Facts) -> Iterator[Problem]:
    """Look at weights that each card must hold whole although the plan shards them."""
    if not undivided(facts):
        return
    whole, room = whole_weights(facts), min(device.usable for device in facts.estimate.devices)
    yield Problem(
        "error" if whole > room else "warn",
        message("{format} weights are not divided: every card holds them whole", format=facts.weights),
        message(
            "{whole:gib} of weights on each card of {room:gib}; more cards change nothing",
            whole=whole,
            room=room,
        ),
        "huggingface/trl issue 3436; hiyouga/LlamaFactory issues 2939 and 4559",
        message(
            "nf4 with its storage type equal to the arithmetic, or one card of {need:gib}", need=1.3 * whole
        ),
    )


def _layout(facts: Facts) -> Problem:
    plan, cards = facts.plan, len(facts.cards)
    if plan.dp > 1 and plan.zero < 3:
        alone = facts.estimate.verdict == "exceeds"
        return Problem(
            "warn" if alone else "info",
            message("Every card holds the whole model"),
            message(
                "data parallel copies the model onto each of {cards} cards; their memory never adds up",
                cards=cards,
            ),
            _DEFINITION,
            message(
                "full sharding (ZeRO 3, FSDP) divides it; it needs lanes and brings 1.6 to 1.9 times, not 2"
            )
            if facts.workload.trains
            else message("tensor or layer split divides the model over the cards"),
        )
    idle = cards - plan.gpus
    if idle > 0:
        return Problem(
            "warn",
            message("{idle} card(s) have no work under this plan", idle=idle),
            message("the plan uses {used} of {cards} cards", used=plan.gpus, cards=cards),
            _DEFINITION,
            message("another layout, or fewer cards"),
        )
    small = min(device.capacity for device in facts.estimate.devices) < 16 * GIB
    if facts.workload.trains and plan.zero == 3 and small and facts.parameters >= 6e9:
        return Problem(
            "warn",
            message("Many small cards are not one large card"),
            message(
                "each card of less than 16 GB holds its share and besides driver, one gathered layer, activations and logits"
            ),
            "huggingface/trl issue 3436",
            message("fewer cards with 24 GB or more"),
        )
    return Problem(
        "ok",
        message("The model is divided over the cards"),
        message("tensor or layer split or full sharding puts a part on each of {cards} cards", cards=cards),
        _DEFINITION,
    )
