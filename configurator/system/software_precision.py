"""Number formats against the cards: what they compute, what they only store."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.catalog.parts import Gpu
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import capability, engine, fact, precision


def check_precision(facts: Facts) -> Iterator[Finding]:
    """Check bf16, fp8 and fp4 of weights, arithmetic and cache on every card."""
    cards = [card for card in dict.fromkeys(facts.cards) if card.vendor]
    if not cards:
        return
    found = [problem for card in cards for problem in _problems(facts, card)]
    lowest = min((number for card in cards if (number := capability(card)) is not None), default=0.0)
    good = Problem(
        "ok",
        message("The cards compute in the formats of this work"),
        message("weights {weights}, arithmetic {compute}", weights=facts.weights, compute=_compute(facts)),
        "club-3090 DTYPE_MATRIX",
    )
    yield gravest("software.precision", [good, *found], {"compute_capability": lowest} if lowest else {})


def _compute(facts: Facts) -> str:
    return facts.workload.compute or ("bf16" if facts.weights not in ("fp16", "fp32") else facts.weights)


def _problems(facts: Facts, card: Gpu) -> Iterator[Problem]:
    if _compute(facts) == "bf16" and not _computes_bf16(card):
        yield _no_bf16(facts, card)
    number = capability(card)
    if number is None:
        return
    for name in ("fp8", "nvfp4", "mxfp4"):
        wants = precision(name)
        if wants is None or not facts.weights.startswith(name) or number >= wants.computes:
            continue
        loads = number >= wants.stored
        yield Problem(
            "warn" if loads else "error",
            message("{card} stores {format}, but does not compute in it", card=card.name, format=name)
            if loads
            else message("{card} cannot use {format}", card=card.name, format=name),
            message(
                "compute capability {number:1}; {format} is computed from {computes:1} and loaded from {stored:1}: less memory, no more speed",
                number=number,
                format=name,
                computes=wants.computes,
                stored=wants.stored,
            ),
            wants.source,
            message("4-bit weights of another kind (AWQ, GPTQ, GGUF), or a newer card"),
        )
    yield from _cache(facts, card, number)


def _cache(facts: Facts, card: Gpu, number: float) -> Iterator[Problem]:
    """Look at the format of the KV cache."""
    cache, fp4 = (facts.workload.kv_cache or "").lower(), fact("fp4_cache")
    if cache.startswith(("nvfp4", "fp4")) and not fp4["from"] <= number < fp4["below"]:
        yield Problem(
            "error",
            message("{card} has no 4-bit floating-point cache", card=card.name),
            message("only data-centre Blackwell has the kernels; other cards crash"),
            str(fp4["source"]),
            message("an fp8 cache"),
        )
    fp8 = precision("fp8")
    if fp8 and cache.startswith("fp8") and number < fp8.computes:
        yield Problem(
            "info",
            message("An fp8 cache saves memory on {card}, not time", card=card.name),
            message("fp8 is computed from compute capability {computes:1}", computes=fp8.computes),
            fp8.source,
        )


def _computes_bf16(card: Gpu) -> bool:
    number, wants = capability(card), precision("bf16")
    if number is not None and wants is not None:
        return number >= wants.computes
    return card.architecture not in fact("amd_without_bf16")["architectures"]


def _no_bf16(facts: Facts, card: Gpu) -> Problem:
    runs = engine(facts.framework.id) if facts.framework else None
    refuses = runs is not None and runs.refuses_bf16
    wants = precision("bf16")
    return Problem(
        "error" if refuses else "warn",
        message("{card} does not compute in bf16", card=card.name),
        message("the framework refuses to start in bf16 on cards before Ampere")
        if refuses
        else message("bf16 is emulated on cards before Ampere: several times slower"),
        wants.source if wants else "",
        message("fp16 arithmetic, with loss scaling in training; or a card from Ampere on"),
    )
