"""Whether tensor parallelism can divide heads and blocks by the number of cards."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.domain.architecture import Architecture, Attention, FeedForward
from configurator.domain.finding import Finding
from configurator.domain.message import Message, message
from configurator.memory.plans import heads_of
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import engine, family

_SOURCE = "vllm issues 414, 596, 4232 and 5003"
_GROUP = 128
"""Usual group of AWQ and GPTQ: a card's part of a matrix must hold whole groups."""


def check_tensor_parallel(facts: Facts) -> Iterator[Finding]:
    """Check heads, cached heads and quantisation groups against the degree."""
    runs = engine(facts.framework.id) if facts.framework else None
    whole_heads = runs is not None and runs.divides_heads
    if facts.model is None or len(facts.cards) < 2 or not (facts.plan.tp > 1 or whole_heads):
        return
    heads = heads_of(facts.model)
    if not heads:
        return
    degree = facts.plan.tp
    numbers = {"heads": heads, "kv_heads": _kv_heads(facts.model), "tp": degree, "cards": len(facts.cards)}
    found = [*_heads(facts, heads), *_odd(facts, heads), *_groups(facts, facts.model)]
    good = Problem(
        "ok",
        message("The heads can be divided over the cards"),
        message("{heads} attention heads over {degree}", heads=heads, degree=degree),
        _SOURCE,
    )
    yield gravest("plan.tensor_parallel", [*found, good], numbers)


def degrees(heads: int, most: int) -> list[int]:
    """Return the degrees up to `most` that divide the heads."""
    return [degree for degree in range(1, most + 1) if heads % degree == 0]


def _fix(heads: int, cards: int) -> Message:
    """Name the numbers of cards near this one that divide the heads."""
    below = degrees(heads, cards)[-1]
    above = next((degree for degree in range(cards, heads + 1) if heads % degree == 0), heads)
    return message(
        "{below} or {above} cards, replicas, or a layer split (llama.cpp)", below=below, above=above
    )


def _heads(facts: Facts, heads: int) -> Iterator[Problem]:
    degree = facts.plan.tp
    kv = _kv_heads(facts.model) if facts.model else 0
    if heads % degree:
        yield Problem(
            "error",
            message("{heads} heads cannot be divided by {degree}", heads=heads, degree=degree),
            message(
                "tensor parallel gives whole heads to each card; {heads} / {degree} is not whole",
                heads=heads,
                degree=degree,
            ),
            _SOURCE,
            _fix(heads, len(facts.cards)),
        )
    elif kv and kv % degree and degree % kv:
        yield Problem(
            "error",
            message("{kv} cached heads do not go with {degree} cards", kv=kv, degree=degree),
            message(
                "cached heads are divided or repeated; {kv} and {degree} do neither", kv=kv, degree=degree
            ),
            _SOURCE,
            _fix(kv, len(facts.cards)),
        )
    elif kv and degree > kv:
        yield Problem(
            "info",
            message("Cached heads are repeated on the cards"),
            message(
                "{kv} cached heads over {degree} cards: the cache shrinks by {kv}, not by {degree}",
                kv=kv,
                degree=degree,
            ),
            _SOURCE,
        )


def _odd(facts: Facts, heads: int) -> Iterator[Problem]:
    """Look at a number of cards that tensor parallelism cannot use at all."""
    cards = len(facts.cards)
    if facts.plan.tp == 1 and not facts.workload.trains and facts.plan.dp == 1 and heads % cards:
        yield Problem(
            "warn",
            message("{cards} cards cannot share these heads", cards=cards),
            message(
                "{heads} heads / {cards} is not whole: the layers are dealt out instead, one card works after the other",
                heads=heads,
                cards=cards,
            ),
            _SOURCE,
            _fix(heads, cards),
        )


def _groups(facts: Facts, model: Architecture) -> Iterator[Problem]:
    """Look at quantised matrices: each card's part must hold whole groups."""
    if facts.plan.tp == 1 or family(facts.weights) not in ("awq", "gptq"):
        return
    group = (model.quantization.group_size if model.quantization else None) or _GROUP
    widths = {layer.channel.intermediate for layer in model.layers if isinstance(layer.channel, FeedForward)}
    broken = [width for width in widths if width % (facts.plan.tp * group)]
    if broken:
        yield Problem(
            "error",
            message("The quantised weights do not divide by {degree}", degree=facts.plan.tp),
            message(
                "{width} columns / {degree} do not hold whole groups of {group}",
                width=broken[0],
                degree=facts.plan.tp,
                group=group,
            ),
            "Qwen documentation, quantised models: padded columns for tensor parallel",
            message("a lower degree, or weights that are padded for it"),
        )


def _kv_heads(model: Architecture) -> int:
    found = [layer.mixer.kv_heads for layer in model.layers if isinstance(layer.mixer, Attention)]
    return min(found, default=0)
