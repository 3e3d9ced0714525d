"""The load phase: what stands in memory before the first step."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.architecture import MixtureOfExperts
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.domain.units import GIB
from configurator.memory import sources
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.sharding import whole_weights
from configurator.system.support import family

_SHARDED = "philschmid/deep-learning-pytorch-huggingface issue 60; huggingface/trl issue 3436"


def check_load_phase(facts: Facts) -> Iterator[Finding]:
    """Check the peak of loading on the fullest device, and weights that stand whole for a moment."""
    device = facts.limiting
    loads = [
        phase.total.likely
        for phase in facts.estimate.phases
        if phase.phase == "load" and phase.device == device.device
    ]
    if not loads:
        return
    load = max(loads)
    numbers = {"load": load, "usable": device.usable, "peak": device.total.likely}
    good = Problem(
        "ok",
        message("Loading needs no more memory than the work itself"),
        message("{load:gib} after loading, {peak:gib} at the peak", load=load, peak=device.total.likely),
        sources.LEDGER,
    )
    full = Problem(
        "error",
        message("The weights do not even load"),
        message("{load:gib} of weights and driver against {usable:gib}", load=load, usable=device.usable),
        sources.LEDGER,
        message("fewer bits per weight, a smaller model, or a card with more memory"),
    )
    spills = facts.estimate.verdict == "spills"
    found = [good, *([full] if load > device.usable and not spills else [])]
    yield gravest("memory.load_phase", [*found, *_whole(facts), *_experts(facts)], numbers, device.device)


def host_load(facts: Facts) -> float:
    """Return the bytes of RAM that loading takes where weights are sharded: the whole 16-bit file once."""
    sharded = facts.workload.trains and facts.plan.zero == 3 and facts.plan.dp > 1
    return 2 * facts.parameters if sharded else 0.0


def _whole(facts: Facts) -> Iterator[Problem]:
    """Look at sharded training: without RAM-efficient loading every card first holds everything."""
    room = min(device.usable for device in facts.estimate.devices)
    whole = whole_weights(facts)
    if not host_load(facts) or whole <= room:
        return
    yield Problem(
        "warn",
        message("The weights fit only after they are divided: loading can run out of memory"),
        message(
            "{whole:gib} whole against {room:gib} on a card; one process must read {ram:gib} into RAM and hand out the parts",
            whole=whole,
            room=room,
            ram=host_load(facts),
        ),
        _SHARDED,
        message("RAM-efficient loading (cpu_ram_efficient_loading, sync_module_states)"),
    )


def _experts(facts: Facts) -> Iterator[Problem]:
    """Look at 4-bit training of expert models: some loaders hold merged experts in 16 bit for a moment."""
    model = facts.model
    if model is None or not facts.workload.trains or not family(facts.weights).startswith("bnb"):
        return
    sizes = [
        layer.channel.experts
        * (3 if layer.channel.gated else 2)
        * layer.channel.intermediate
        * model.hidden
        * 2
        for layer in model.layers
        if isinstance(layer.channel, MixtureOfExperts)
    ]
    if not sizes:
        return
    all_experts = sum(sizes)
    room = min(device.usable for device in facts.estimate.devices)
    if all_experts > room:
        yield Problem(
            "warn",
            message("Not every loader brings this expert model onto the card in 4 bit"),
            message(
                "all experts together are {size:gib} in 16 bit against {room:gib}; loaders that merge or keep them in 16 bit run out of memory",
                size=all_experts,
                room=room,
            ),
            "unslothai/unsloth issue 2504",
            message(
                "a card with {gib:n} GiB or more, or a test with the exact version",
                gib=max(32, room / GIB * 1.3),
            ),
        )
