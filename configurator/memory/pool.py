"""The KV pool that servers fill on purpose: what is left of their share of the memory, and its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from configurator.catalog.framework import Pool
from configurator.domain.ranges import Bytes, Range, combined, spread
from configurator.memory.books import Books, gib_range
from configurator.memory.cache import stage_cache
from configurator.memory.devices import Device
from configurator.memory.formats import cache_bytes
from configurator.memory.momentary import server_defaults
from configurator.memory.sequences import RECURRENT, drafted
from configurator.memory.setting import Setting
from configurator.memory.versions import before
from configurator.memory.weights import Stage

_SPARE_STATES = 2
"""States of linear attention per request in vLLM's pool: the running one and the prefix cache's."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A pool in bytes and tokens (negative bytes: it does not even start), and all memory that is taken."""

    cache: Bytes
    tokens: Bytes
    taken: int


def filled(s: Setting, books: Books, stage: Stage, device: Device) -> Filled | None:
    """Return the pool of a server on a device; None where the framework fills none."""
    pool = s.framework.pool
    if pool is None:
        return None
    share = s.number(pool.option, pool.default_of(s.plan.tp))
    weights, buffers = books.of("prefill", "weights"), books.of("prefill", "workspace")
    context = gib_range(s.framework.context_gib)
    match pool.of:
        case "card":
            taken = share * device.capacity
            room = _less(taken, weights, buffers, *_beside(pool, s))
        case "free":
            taken = share * (device.capacity - context.likely)
            room = _less(taken, weights, *_beside(pool, s))
        case _:
            left = _less(device.capacity, weights, buffers, context)
            room = spread(share, Range(low=left.low, likely=left.likely, high=left.high))
            taken = weights.likely + buffers.likely + room.likely
    each = _per_token(s, stage, device.capacity)
    tokens = spread(1 / each, Range(low=max(0, room.low), likely=max(0, room.likely), high=max(0, room.high)))
    return Filled(room, _printed(s, tokens), round(taken))


def _beside(pool: Pool, s: Setting) -> list[Bytes]:
    """Return what the share holds beside weights, buffers and pool: libraries, and graphs in newer versions."""
    parallel = s.plan.tp * s.plan.pp > 1
    found = [gib_range(pool.non_torch_parallel_gib if parallel else pool.non_torch_gib)]
    inside = pool.graphs_gib and not before(s.workload.framework_version, pool.graphs_inside_from)
    if pool.graphs_gib and inside and not s.option("enforce_eager"):
        found.append(gib_range(pool.graphs_gib))
    return found


def _less(whole: float, *parts: Bytes) -> Bytes:
    """Return a size less parts, with their doubt turned around."""
    taken = combined(parts)
    base = round(whole)
    return Bytes(low=base - taken.high, likely=base - taken.likely, high=base - taken.low)


def _per_token(s: Setting, stage: Stage, capacity: int) -> float:
    """Return the bytes of a token when a request of the longest context is spread over its tokens.

    Windows are kept with the tokens of one step, states of linear attention as often as steps back are
    possible; layers of multi-token prediction have a cache of their own.
    """
    chunk, _ = server_defaults(s, capacity)
    value = cache_bytes(s.workload.kv_cache or "bf16")
    cache, state = stage_cache(stage, s.plan.tp, s.context, value, s.framework, chunk, chunk=chunk)
    full = sum(n for layer, n in stage.groups if layer.mixer and not isinstance(layer.mixer, RECURRENT))
    if drafted(s) and full:
        cache *= (full + 1) / full
    return max(1.0, (cache + state * (_SPARE_STATES + drafted(s))) / s.context)


def _printed(s: Setting, tokens: Bytes) -> Bytes:
    """Return the tokens as the log prints them: vLLM before 0.11 divides a pool by the kinds of layers that share
    it, each kind as large as the smallest."""
    if s.framework.id != "vllm" or not before(s.workload.framework_version, (0, 11)):
        return tokens
    recurrent = sum(n for layer, n in s.model.groups.items() if isinstance(layer.mixer, RECURRENT))
    kinds = (recurrent, len(s.model.layers) - recurrent)
    if not min(kinds):
        return tokens
    groups = sum(ceil(kind / min(kinds)) for kind in kinds)
    return spread(1 / groups, Range(low=tokens.low, likely=tokens.likely, high=tokens.high))
