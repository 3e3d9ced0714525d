"""Versions of framework, CUDA and PyTorch against the architecture of the cards."""

from __future__ import annotations

from collections.abc import Iterator

from configurator.catalog.parts import Gpu
from configurator.domain.finding import Finding
from configurator.domain.message import message
from configurator.system.facts import Facts
from configurator.system.problem import Problem, gravest
from configurator.system.support import (
    Architecture,
    architecture,
    capability,
    engine,
    fact,
    family,
    older,
)

_BLACKWELL = 10.0
_STATED = {"cuda": ("cuda", "cuda_version"), "torch": ("torch", "torch_version", "pytorch")}
"""Names under which the options of a workload state a version."""


def check_software_gpu(facts: Facts) -> Iterator[Finding]:
    """Check that the software of this workload has kernels for every card."""
    known = [(card, capability(card)) for card in dict.fromkeys(facts.cards)]
    found = [
        problem
        for card, number in known
        if number is not None and (row := architecture(number)) is not None
        for problem in (*_engine_too_old(facts, card, number), *_versions(facts, card, row))
    ]
    if found:
        number = min(number for _, number in known if number is not None)
        yield gravest("software.gpu", found, {"compute_capability": number})


def _versions(facts: Facts, card: Gpu, row: Architecture) -> Iterator[Problem]:
    """Compare stated versions of CUDA and PyTorch with those that know the architecture."""
    stated = {name: _stated(facts, keys) for name, keys in _STATED.items()}
    for name, least in (("CUDA", row.cuda), ("PyTorch", row.torch)):
        given = stated["cuda" if name == "CUDA" else "torch"]
        if older(given, least):
            yield Problem(
                "error",
                message("{name} {given} is too old for {card}", name=name, given=str(given), card=card.name),
                message(
                    "{architecture} needs CUDA {cuda} and PyTorch {torch}; older ones fail with 'no kernel image'",
                    architecture=row.name,
                    cuda=row.cuda,
                    torch=row.torch,
                ),
                row.source,
                message("CUDA {cuda} and PyTorch {torch} or newer", cuda=row.cuda, torch=row.torch),
            )
    if row.last_cuda and stated["cuda"] and older(row.last_cuda, str(stated["cuda"])):
        yield Problem(
            "error",
            message("CUDA {given} has no kernels for {card}", given=str(stated["cuda"]), card=card.name),
            message(
                "CUDA {last} is the last one for {architecture}", last=row.last_cuda, architecture=row.name
            ),
            row.source,
            message("CUDA {last} or older", last=row.last_cuda),
        )
    asked = not any(stated.values()) and facts.workload.framework_version is None
    new = row.capability >= _BLACKWELL and asked
    yield Problem(
        "info" if new or row.last_cuda else "ok",
        message("{card} wants recent software", card=card.name)
        if new
        else message("{card} is at the end of its software support", card=card.name)
        if row.last_cuda
        else message("Usual software versions know {card}", card=card.name),
        message(
            "{architecture}: CUDA {cuda} to {last}, PyTorch from {torch}",
            architecture=row.name,
            cuda=row.cuda,
            last=row.last_cuda,
            torch=row.torch,
        )
        if row.last_cuda
        else message(
            "{architecture}: CUDA {cuda}, PyTorch {torch} and newer",
            architecture=row.name,
            cuda=row.cuda,
            torch=row.torch,
        ),
        row.source,
        message("CUDA {cuda} and PyTorch {torch} or newer", cuda=row.cuda, torch=row.torch) if new else None,
    )


def _engine_too_old(facts: Facts, card: Gpu, number: float) -> Iterator[Problem]:
    """Compare the framework's stated version and its lowest capability with the card."""
    runs = engine(facts.framework.id) if facts.framework else None
    if facts.framework is None or runs is None:
        return
    name, stated = facts.framework.name, facts.workload.framework_version
    if number < runs.capability:
        yield Problem(
            "error",
            message("{framework} has no kernels for {card}", framework=name, card=card.name),
            message(
                "it needs compute capability {least:1}, the card has {number:1}",
                least=runs.capability,
                number=number,
            ),
            runs.source,
            message("another framework or a newer card"),
        )
    if number < _BLACKWELL:
        return
    if runs.blackwell and older(stated, runs.blackwell):
        yield Problem(
            "error",
            message(
                "{framework} {given} is too old for {card}", framework=name, given=stated, card=card.name
            ),
            message("its packages hold kernels for Blackwell from version {least}", least=runs.blackwell),
            runs.source,
            message("{framework} {least} or newer", framework=name, least=runs.blackwell),
        )
    quantizer = fact("bitsandbytes")
    stated = _stated(facts, ("bitsandbytes", "bitsandbytes_version"))
    if family(facts.weights) in quantizer["families"] and older(stated, quantizer["blackwell"]):
        yield Problem(
            "error",
            message(
                "{framework} {given} is too old for {card}",
                framework="bitsandbytes",
                given=stated,
                card=card.name,
            ),
            message(
                "its packages hold kernels for Blackwell from version {least}", least=quantizer["blackwell"]
            ),
            quantizer["source"],
            message("{framework} {least} or newer", framework="bitsandbytes", least=quantizer["blackwell"]),
        )


def _stated(facts: Facts, keys: tuple[str, ...]) -> str | None:
    """Return the version that an option states, if one does."""
    options = facts.workload.options
    return next((str(options[key]) for key in keys if key in options), None)
