"""What the feed-forward blocks keep between forward and backward, per token."""

from __future__ import annotations

from functools import singledispatch

from configurator.domain.architecture import Architecture, FeedForward, MixtureOfExperts
from configurator.memory.reads import Read, Saving


def _gates(block: FeedForward, hidden: int) -> tuple[tuple[str, int], ...]:
    inner = block.intermediate
    if block.fused_gate_up:
        return (("gate_up_proj", 2 * inner),)
    up = ("up_proj", inner)
    return (("gate_proj", inner), up) if block.gated else (up,)


def _shared(block: MixtureOfExperts) -> list[FeedForward]:
    return [
        FeedForward(width, gated=block.gated, fused_gate_up=block.shared_fused)
        for width in (block.shared_intermediate, block.dense_intermediate)
        if width
    ]


@singledispatch
def channel_reads(block: object, hidden: int, s: Saving) -> tuple[Read, ...]:
    """Return the inputs of a block's linears; the first is the normalised stream."""
    return ()


@channel_reads.register
def _(block: FeedForward, hidden: int, s: Saving) -> tuple[Read, ...]:
    return (
        Read(hidden, _gates(block, hidden), stream=True),
        Read(block.intermediate, (("down_proj", hidden),)),
    )


@channel_reads.register
def _(block: MixtureOfExperts, hidden: int, s: Saving) -> tuple[Read, ...]:
    gates: tuple[tuple[str, int], ...] = ()
    if s.full or s.experts:
        gates = (("router", block.experts),)
    downs: tuple[Read, ...] = ()
    for one in _shared(block):
        gates += _gates(one, hidden)
        downs += (Read(one.intermediate, (("down_proj", hidden),)),)
    return ((Read(hidden, gates, stream=True), *downs)) if gates else ()


@singledispatch
def channel_kept(block: object, a: Architecture, s: Saving) -> tuple[float, float]:
    """Return what a block keeps beside the inputs of its linears, per token and whatever the tokens."""
    return 0.0, 0.0


@channel_kept.register
def _(block: FeedForward, a: Architecture, s: Saving) -> tuple[float, float]:
    # Gated: gate, up and the activated gate; else the activation's input or its result.
    steps = 0.0 if s.own_code else block.steps * s.value / 2
    return (s.value * (3 if block.gated else 1) + steps) * block.intermediate, 0.0


@channel_kept.register
def _(block: MixtureOfExperts, a: Architecture, s: Saving) -> tuple[float, float]:
    """Grouped matrices: per chosen expert the output (2h), gate and up with the activation between them,
    four sorting indices of 8 bytes and the routing weight; where experts are trained, too the sorted copy
    of the input and the product. gpt-oss clamps its gate and adds one to up: three copies more.

    Adapters on fused experts are merged into copies of the weights, which stay until the backward pass.
    """
    h, inner = a.hidden, block.intermediate
    trained = s.full or s.experts
    gate = (6 if block.gated else 2) + (6 if block.expert_bias else 0)
    each = 2 * h + gate * inner + 34
    if trained:
        each += 2 * h + 2 * inner
    total = 4.0 * block.experts + block.active * each
    if block.router_float:
        total += 6 * block.active + 4 + (4 * h if trained else 0)
    for one in _shared(block):
        total += channel_kept(one, a, s)[0]
    merged = (3 if block.gated else 2) * block.experts * inner * h * 2 if s.experts else 0
    return total, float(merged)
