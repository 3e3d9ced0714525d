"""Writing an answer: every token reads the weights that it meets and the cache, layer by layer."""

from __future__ import annotations

from configurator.domain.ranges import Range
from configurator.speed.constants import constants
from configurator.speed.exchange import exchange_seconds
from configurator.speed.subject import Subject
from configurator.speed.work import cache_per_sequence, file_format, read_per_step, touched, weight_bytes


def decode(s: Subject) -> Range:
    """Return the tokens a second of one answer."""
    spread = constants().host.spread if s.away else constants().decode.spread[s.kind]
    found = spread.scaled(1 / step_seconds(s))
    most = s.setting.plan.tp * s.slowest.bandwidth / read_per_token(s)
    return Range(low=min(found.low, most), likely=min(found.likely, most), high=min(found.high, most))


def read_per_token(s: Subject) -> float:
    """Return the bytes of weights and cache that one token of one answer reads."""
    return read_per_step(s.setting) * s.scale + cache_per_sequence(s.setting, s.depth)


def step_seconds(s: Subject) -> float:
    """Return the seconds of one token: reading at a share of the bandwidth, and starting the kernels.

    A layer split computes one card after the other: capacity, no speed, and a hop to each further card.
    """
    family, plan = s.family, s.setting.plan
    here = read_per_token(s) - (there := read_on_host(s))
    reading = here / (s.slowest.bandwidth * family.read * plan.tp) + there / s.host_rate
    # What the driver moved out of a full card comes over the bus for every token.
    spilled = s.spilled / (constants().host.bus_gbs * 1e9)
    hops = (plan.pp - 1) * constants().decode.hop_ms * 1e-3 + exchange_seconds(s, 1)
    return reading + spilled + s.launches * family.launch_us * 1e-6 + hops


def read_on_host(s: Subject) -> float:
    """Return the bytes of weights that a token reads in the host's memory: of experts those it meets."""
    if not s.host_weights:
        return 0.0
    held = weight_bytes(s.setting.model, file_format(s.setting))
    away = min(s.host_weights, held.always + held.routed)
    if (s.setting.workload.offload or "").startswith("experts"):
        return min(away, held.routed) * touched(s.setting.model, 1)
    return read_per_step(s.setting) * away / (held.always + held.routed)
