"""What different instruments would read on a device: the allocator, the driver, a server's own log."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.ledger import Phase
from configurator.domain.ranges import Bytes, Range, exact, spread
from configurator.domain.units import GIB
from configurator.memory.activations import activations_seen
from configurator.memory.books import Books, gib_range
from configurator.memory.devices import Device
from configurator.memory.inference import sequence_cache
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_UNCOUNTED = 0.04
"""Doubt about small buffers that the count leaves out: nine in ten peaks of the reference runs lie within."""
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
    pool_kv: Bytes | None = None
    pool_tokens: Bytes | None = None
    reserved_by_framework: int | None = None


def views(s: Setting, books: Books, stage: Stage, device: Device) -> Views:
    """Return the views of a device's books before reserves are entered."""
    peak = books.peak()
    counted = books.total(peak)
    rest = round(_UNCOUNTED * counted.likely)
    allocated = Bytes(low=max(0, counted.low - rest), likely=counted.likely, high=counted.high + rest)
    context = gib_range(s.framework.context_gib)
    factor = s.framework.fragmentation if s.workload.trains else Range(low=1.0, likely=1.03, high=1.15)
    reserved = spread(allocated.likely, factor)
    reserved = Bytes(
        low=min(reserved.low, allocated.low), likely=reserved.likely, high=max(reserved.high, allocated.high)
    )
    run: Phase = "backward" if s.workload.trains else "prefill"
    pool, tokens, filled = _pool(s, books, stage, device) if not s.workload.trains else (None, None, None)
    total = Bytes(
        low=reserved.low + context.low,
        likely=reserved.likely + context.likely,
        high=reserved.high + context.high,
    )
    if filled is not None:
        total = spread(filled, Range(low=0.93, likely=1.0, high=1.06))
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
        pool_kv=pool,
        pool_tokens=tokens,
        reserved_by_framework=filled,
    )


def _pool(
    s: Setting, books: Books, stage: Stage, device: Device
) -> tuple[Bytes | None, Bytes | None, int | None]:
    """Return a server's KV pool in bytes and tokens, and all memory it takes on purpose."""
    pool = s.framework.pool
    if pool is None:
        return None, None, None
    share = s.number(pool.option, pool.default)
    filled = share * device.capacity
    weights = books.of("prefill", "weights")
    buffers = books.of("prefill", "workspace")
    used = weights.likely + (0 if pool.option == "mem_fraction_static" else buffers.likely + 0.3 * GIB)
    doubt = 0 if pool.option == "mem_fraction_static" else (buffers.high - buffers.low) / 2
    room = max(0.0, filled - used)
    kv = Bytes(low=round(max(0.0, room - doubt)), likely=round(room), high=round(room + doubt))
    cache, _ = sequence_cache(s, stage)
    per_token = cache / s.context
    tokens = (
        spread(1 / per_token, Range(low=kv.low, likely=kv.likely, high=kv.high)) if per_token else exact(0)
    )
    return kv, tokens, round(filled)
