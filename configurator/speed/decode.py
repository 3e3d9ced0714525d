"""Writing an answer: every token reads the weights that it meets and the cache, layer by layer."""

from __future__ import annotations

from configurator.domain.ranges import Range
from configurator.speed.constants import constants
from configurator.speed.subject import Subject
from configurator.speed.work import cache_per_sequence, read_per_step


def decode(s: Subject) -> Range:
    """Return the tokens a second of one answer."""
    found = constants().decode.spread[s.kind].scaled(1 / step_seconds(s))
    most = s.slowest.bandwidth / read_per_token(s)
    return Range(low=min(found.low, most), likely=min(found.likely, most), high=min(found.high, most))


def read_per_token(s: Subject) -> float:
    """Return the bytes of weights and cache that one token of one answer reads."""
    return read_per_step(s.setting) * s.scale + cache_per_sequence(s.setting, s.depth)


def step_seconds(s: Subject) -> float:
    """Return the seconds of one token: reading at a share of the bandwidth, and starting the kernels.

    A layer split computes one card after the other: capacity, no speed, and a hop to each further card.
    """
    family, plan = s.family, s.setting.plan
    reading = read_per_token(s) / (s.slowest.bandwidth * family.read)
    return reading + s.launches * family.launch_us * 1e-6 + (plan.pp - 1) * constants().decode.hop_ms * 1e-3
