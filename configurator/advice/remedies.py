"""The smallest changes that turn a "no" into a "yes", each tried on the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from configurator.advice import machine_options as machine
from configurator.advice import workload_options as workload
from configurator.advice.change import changed, merged
from configurator.advice.option import Cost, Option, Situation
from configurator.advice.steps import Steps
from configurator.domain.errors import BadInput
from configurator.domain.ledger import WORSENING, Estimate, Remedy
from configurator.domain.message import message
from configurator.domain.units import GB
from configurator.memory.engine import predict

_SHOWN = 8
_PAIRS = 3

OPTIONS = (
    machine.display,
    machine.sharding,
    workload.training,
    workload.formats,
    workload.load,
    machine.offload,
    machine.larger,
    machine.more,
)
"""All that is tried; among equal costs the order holds."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """An option, or two, and the estimate that it leads to."""

    options: tuple[Option, ...]
    change: dict[str, Any]
    estimate: Estimate

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(one.kind for one in self.options)


def remedies(s: Situation) -> Steps[tuple[Remedy, ...]]:
    """Return what makes the case fit, the cheapest first: single changes, else pairs.

    Pairs are sought where no single change without another machine suffices; where pairs do not
    either, the single changes that better the verdict.
    """
    if s.estimate.verdict == "fits":
        return ()
    options = sorted((one for offer in OPTIONS for one in offer(s)), key=lambda one: one.cost)
    singles = []
    for option in options:
        yield
        if (tried := _tried(s, option)) is not None:
            singles.append(tried)
    found = _one_a_kind(tried for tried in singles if tried.estimate.verdict == "fits")
    bought = [tried for tried in singles if tried.options[0].cost == Cost.MONEY]
    if all(tried in bought for tried in found):
        # Whoever owns the machine wants to know a way without another one.
        found = (yield from _pairs(s, [tried for tried in singles if tried not in bought])) + found
    if not found:
        found = yield from _pairs(s, singles)
    if not found:
        found = _one_a_kind(sorted(_bettering(s, singles), key=lambda tried: _rank(tried.estimate)))
    return tuple(_remedy(s, tried) for tried in found[:_SHOWN])


def _pairs(s: Situation, singles: list[_Tried]) -> Steps[list[_Tried]]:
    """Return the cheapest pairs that fit, no two of the same kinds."""
    both = [(one.options[0], other.options[0]) for one, other in combinations(singles, 2)]
    found: list[_Tried] = []
    for one, other in sorted(both, key=lambda pair: pair[0].cost + pair[1].cost):
        kinds = {one.kind, other.kind}
        if len(kinds) < 2 or any(kinds == tried.kinds for tried in found):
            continue
        tried = _tried(s, one, other)
        yield
        if tried is not None and tried.estimate.verdict == "fits":
            found.append(tried)
            if len(found) == _PAIRS:
                break
    return found


def _tried(s: Situation, *options: Option) -> _Tried | None:
    """Return what the options lead to; None: impossible, or it changes nothing."""
    change = options[0].change
    for other in options[1:]:
        both = merged(change, other.change)
        if both is None:
            return None
        change = both
    try:
        after = predict(changed(s.case, change), s.catalog).estimate
    except BadInput:
        return None
    ram = s.full.machine.ram_gb
    if ram and after.host.ram.likely > max(ram * GB, s.estimate.host.ram.likely):
        return None
    better = _rank(after) < _rank(s.estimate) or _saved(s, after) > 0
    return _Tried(options, change, after) if better else None


def _rank(estimate: Estimate) -> int:
    return WORSENING.index(estimate.verdict)


def _bettering(s: Situation, singles: list[_Tried]) -> list[_Tried]:
    return [tried for tried in singles if _rank(tried.estimate) < _rank(s.estimate)]


def _one_a_kind(tried: Iterable[_Tried]) -> list[_Tried]:
    """Keep the first of every kind: the mildest that suffices."""
    kept: dict[frozenset[str], _Tried] = {}
    for one in tried:
        kept.setdefault(one.kinds, one)
    return list(kept.values())


def _saved(s: Situation, after: Estimate) -> int:
    return s.device.total.likely - after.devices[min(s.deciding, len(after.devices) - 1)].total.likely


def _remedy(s: Situation, tried: _Tried) -> Remedy:
    first, *rest = tried.options
    action, price = first.action, first.price
    for other in rest:
        action = message("{one} + {other}", one=action, other=other.action)
        price = message("{one}; {other}", one=price, other=other.price)
    saves = max(0, _saved(s, tried.estimate))
    device = s.device.device.replace("gpu", "GPU ")
    usable = tried.estimate.devices[min(s.deciding, len(tried.estimate.devices) - 1)].usable
    if saves:
        why = message(
            "{action}: {saves:gib} less on {device}; {price}",
            action=action, saves=saves, device=device, price=price,
        )  # fmt: skip
    else:
        why = message(
            "{action}: {usable:gib} usable instead of {before:gib}; {price}",
            action=action, usable=usable, before=s.device.usable, price=price,
        )  # fmt: skip
    return Remedy(
        change=tried.change, saves=saves, verdict=tried.estimate.verdict, why=why, action=action, price=price
    )
