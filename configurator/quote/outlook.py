"""The verdict as sentences, and the few numbers a customer asks for next."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from configurator.domain.ledger import Estimate
from configurator.domain.message import Message, message
from configurator.domain.ranges import Range
from configurator.texts import Say

SPEEDS = {
    "decode_tokens_s": "tokens per second while answering",
    "tokens_s_per_request": "tokens per second for each request",
    "prefill_tokens_s": "tokens per second while reading",
    "time_to_first_token_s": "seconds to the first word of the answer",
    "train_tokens_s": "tokens per second in training",
    "images_s": "images per second",
    "hours_per_epoch": "hours for one pass over the data",
    "hours": "hours for the planned run",
    "wall_power_w": "watts at the socket under this load",
    "energy_kwh": "kilowatt-hours for the planned run",
}
LIMITS = {
    "max_context": "tokens of context at most",
    "max_batch": "sequences per step at most",
    "max_concurrency": "requests at once at most",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A number and what it counts."""

    value: str
    label: str


def verdict_sentences(estimate: Estimate) -> tuple[Message, ...]:
    """Return the verdict of the fullest device, and the notes."""
    device = max(estimate.devices, key=lambda one: one.total.high - one.usable)
    free = device.usable - device.total.likely
    values = {"likely": device.total.likely, "high": device.total.high, "usable": device.usable}
    match estimate.verdict:
        case "fits":
            verdict = message(
                "It fits: {likely:gib} of {usable:gib} are needed, {free:gib} stay free.", free=free, **values
            )
        case "tight":
            verdict = message(
                "It fits only just: {likely:gib} of {usable:gib} are needed, in the worst case {high:gib}.",
                **values,
            )
        case "spills":
            verdict = message(
                "It runs, but slowly: {likely:gib} are needed, only {usable:gib} are usable; "
                "the rest moves to the slower main memory.",
                **values,
            )
        case "exceeds":
            verdict = message(
                "It does not fit: {likely:gib} are needed, only {usable:gib} are usable; "
                "{lack:gib} are missing.",
                lack=-free,
                **values,
            )
    return (verdict, *estimate.notes)


def way_out(estimate: Estimate) -> tuple[Message, ...]:
    """Return the cheapest remedy where one is needed and known."""
    return tuple(message("Way out: {fix}", fix=remedy.why) for remedy in estimate.remedies[:1])


def limits_line(estimate: Estimate, say: Say) -> str:
    """Return the limits as one line; empty where none is known."""
    found = estimate.limits
    parts = []
    if found.max_context is not None:
        parts.append(message("context {n:n} tokens", n=found.max_context))
    if found.max_batch is not None:
        parts.append(message("batch {n:n}", n=found.max_batch))
    if found.max_concurrency is not None:
        parts.append(message("requests at once: {n:n}", n=found.max_concurrency))
    line = " · ".join(map(say, parts))
    return say(message("At most, one at a time: {limits}", limits=line)) if parts else ""


def speeds(estimate: Estimate, say: Say) -> tuple[Tile, ...]:
    """Return the known speeds as ranges."""
    return tuple(
        Tile(figures(estimate.speed[key], say), say(label))
        for key, label in SPEEDS.items()
        if key in estimate.speed
    )


def figures(found: Range, say: Say) -> str:
    """Return a range in two digits: no more than evidence carries."""
    low, high = (_two_digits(size) for size in (found.low, found.high))
    if low == high:
        return say(message("{n}", n=low))
    return say(message("{low}–{high}", low=low, high=high))


def _two_digits(size: float) -> float:
    return round(size, 1 - floor(log10(size))) if size > 0 else 0.0


def limits(estimate: Estimate, say: Say) -> tuple[Tile, ...]:
    """Return the known limits."""
    return tuple(
        Tile(say(message("{n:n}", n=value)), say(label))
        for key, label in LIMITS.items()
        if (value := getattr(estimate.limits, key)) is not None
    )
