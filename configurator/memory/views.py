"""What different instruments would read on a device: the allocator, the driver, a server's own log."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.ledger import Phase
from configurator.domain.ranges import Bytes, Range, spread
from configurator.memory.activations import activations_seen
from configurator.memory.books import Books, gib_range
from configurator.memory.devices import Device
from configurator.memory.pool import filled
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_UNCOUNTED = 0.04
"""Doubt about small buffers that the count leaves out: nine in ten peaks of the reference runs lie within."""
_TAKEN = Range(low=0.95, likely=1.01, high=1.08)
"""Memory that a server shows over the share that it was given: context and graphs outside of it."""
_BODY = Range(low=0.98, likely=1.0, high=1.03)


@dataclass(frozen=True, slots=True)
class Views:
    """Quantities of one device as logs name them, in bytes. `allocated` is torch's peak of live tensors,
    `reserved` adds fragmentation, `total` adds the driver's context or the pool that a server fills."""

    weights: Bytes
    kv_cache: Bytes
    recurrent_state: Bytes
    activations: Bytes
    workspace: Bytes
    context: Bytes
    allocated: Bytes
    reserved: Bytes
    total: Bytes
    decode: Bytes
    """What lives while tokens are generated, the momentary buffers of the prompt gone."""
    pool_kv: Bytes | None = None
    pool_tokens: Bytes | None = None
    reserved_by_framework: int | None = None


def views(s: Setting, books: Books, stage: Stage, device: Device) -> Views:
    """Return the views of a device's books before reserves are entered."""
    peak = books.peak()
    counted = books.total(peak)
    allocated = _widened(counted)
    context = gib_range(s.framework.context_gib)
    factor = s.framework.fragmentation if s.workload.trains else Range(low=1.0, likely=1.03, high=1.15)
    reserved = spread(allocated.likely, factor)
    reserved = Bytes(
        low=min(reserved.low, allocated.low), likely=reserved.likely, high=max(reserved.high, allocated.high)
    )
    run: Phase = "backward" if s.workload.trains else "prefill"
    pool = None if s.workload.trains else filled(s, books, stage, device)
    total = Bytes(
        low=reserved.low + context.low,
        likely=reserved.likely + context.likely,
        high=reserved.high + context.high,
    )
    if pool is not None:
        total = spread(pool.taken, _TAKEN)
    return Views(
        weights=books.of(peak, "weights"),
        kv_cache=books.of(run, "kv_cache"),
        recurrent_state=books.of(run, "recurrent_state"),
        activations=spread(activations_seen(s, stage), _BODY)
        if s.workload.trains
        else books.of(run, "workspace"),
        workspace=books.of(run, "workspace"),
        context=context,
        allocated=allocated,
        reserved=reserved,
        total=total,
        decode=allocated if s.workload.trains else _widened(books.total("decode")),
        pool_kv=pool.cache if pool else None,
        pool_tokens=pool.tokens if pool else None,
        reserved_by_framework=pool.taken if pool else None,
    )


def _widened(counted: Bytes) -> Bytes:
    """Return a sum with the doubt about what the count leaves out."""
    rest = round(_UNCOUNTED * counted.likely)
    return Bytes(low=max(0, counted.low - rest), likely=counted.likely, high=counted.high + rest)
