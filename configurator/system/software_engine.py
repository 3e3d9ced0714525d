"""Framework against operating system, vendor, weight format and offload."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.catalog.framework import Framework
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import Engine, capability, engine, fact, family

_SYSTEMS = {"windows": "Windows", "wsl2": "WSL 2", "linux": "Linux", "macos": "macOS"}


def check_engine(facts: Facts) -> Iterator[Finding]:
    """Check that the framework runs here and reads this format."""
    framework = facts.framework
    runs = engine(framework.id) if framework else None
    if framework is None:
        return
    found = [*_operating_system(facts, framework)]
    if runs is not None:
        found += [*_vendor(facts, framework, runs), *_format(facts, framework, runs)]
        found += [*_offload(facts, framework, runs), *_several_cards(facts, framework, runs)]
    good = Problem(
        "ok",
        message("{framework} runs here and reads {format}", framework=framework.name, format=facts.weights),
        message("operating system, vendor and weight format are among those that it supports"),
        runs.source if runs else framework.source,
    )
    yield gravest("software.engine", [good, *found], {"cards": len(facts.cards)})


def _operating_system(facts: Facts, framework: Framework) -> Iterator[Problem]:
    os = facts.case.machine.os or ("macos" if facts.vendor == "apple" else None)
    if os is None or os in framework.os:
        return
    wsl = os == "windows" and "wsl2" in framework.os
    yield Problem(
        "error",
        message("{framework} does not run on {system}", framework=framework.name, system=_SYSTEMS[os]),
        message("it runs on {systems}", systems=", ".join(_SYSTEMS[one] for one in framework.os)),
        framework.source,
        message("WSL 2 under Windows, or Linux")
        if wsl
        else message("another framework, or {system}", system=_SYSTEMS[framework.os[0]]),
        {"os": "wsl2"} if wsl else {"os": framework.os[0]} if facts.cards else None,
    )


def _vendor(facts: Facts, framework: Framework, runs: Engine) -> Iterator[Problem]:
    vendor = facts.vendor
    if vendor and vendor not in runs.vendors:
        yield Problem(
            "error",
            message("{framework} does not run on this hardware", framework=framework.name),
            message("it supports {vendors}", vendors=", ".join(runs.vendors)),
            runs.source,
            message("another framework, or hardware of a vendor that it supports"),
        )
    elif vendor in ("amd", "intel", "apple") and facts.workload.trains and framework.id != "mlx-lm":
        yield Problem(
            "warn",
            message("Training on this vendor's hardware: try the exact scripts first"),
            message(
                "scripts often demand CUDA or flash-attention; attention is slower, some kernels are missing"
            ),
            "meta-pytorch/torchtune issue 597; QwenLM/Qwen3-TTS issue 372; ROCm/flash-attention issue 27",
            message("name the training repository and its version in the offer"),
        )


def _format(facts: Facts, framework: Framework, runs: Engine) -> Iterator[Problem]:
    kind = family(facts.weights)
    lacks = {"amd": runs.not_on_amd, "apple": runs.not_on_apple}.get(facts.vendor, ())
    least = float(fact("kernels").get(kind, 0.0))
    low = [card for card in facts.cards if (number := capability(card)) is not None and number < least]
    if kind not in runs.families or kind in lacks:
        yield Problem(
            "error",
            message(
                "{framework} does not read {format} here", framework=framework.name, format=facts.weights
            ),
            message("it reads {families}", families=", ".join(f for f in runs.families if f not in lacks)),
            runs.source,
            message("weights of another format, or another framework"),
        )
    elif low:
        yield Problem(
            "error",
            message("{card} has no kernels for {format}", card=low[0].name, format=facts.weights),
            message("they begin with compute capability {least:1}", least=least),
            str(fact("kernels_source")),
            message("weights of another format, or a newer card"),
        )


def _offload(facts: Facts, framework: Framework, runs: Engine) -> Iterator[Problem]:
    wanted = facts.workload.offload or "none"
    kinds = [
        kind
        for kind in ("experts", "gpu-layers", "params", "optimizer", "model", "sequential")
        if kind in wanted
    ]
    unknown = [kind for kind in kinds if kind not in runs.offloads]
    if unknown:
        yield Problem(
            "warn",
            message("{framework} is not known to offload like this", framework=framework.name),
            message("asked: {wanted}; known: {known}", wanted=wanted, known=", ".join(runs.offloads) or "-"),
            runs.source,
            message("llama.cpp for experts or layers in RAM; DeepSpeed or FSDP for training"),
        )


def _several_cards(facts: Facts, framework: Framework, runs: Engine) -> Iterator[Problem]:
    if facts.workload.trains and facts.plan.dp > 1 and not runs.shards:
        yield Problem(
            "warn" if facts.plan.zero == 3 else "info",
            message("{framework} works on several cards only by hand", framework=framework.name),
            message(
                "copies and full sharding are no part of its own trainer: Accelerate or DeepSpeed start them"
            ),
            runs.source,
            message("Transformers with FSDP or DeepSpeed, or one card"),
        )
