"""What is run: a network, or a pipeline around a denoiser, from the shelf or from stated figures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from configurator.catalog.framework import resolve_framework
from configurator.catalog.images import ImageShelf
from configurator.catalog.loading import read_table
from configurator.domain.images import Network, Pass, Pipeline, Row
from configurator.domain.workload import Workload

_BILLIONS = re.compile(r"~?(\d+(?:\.\d+)?) ?b\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Subject:
    """A network alone, or as the denoiser of a pipeline with its decoder."""

    network: Network
    pipeline: Pipeline | None = None
    decoder: Network | None = None
    stated: bool = False
    """The network is not on the shelf: its passes follow from figures that the case states."""


def image_subject(workload: Workload, shelf: ImageShelf) -> Subject | None:
    """Return what a workload on images runs; None: it is no network for images."""
    if not isinstance(workload.model, str):
        return None
    network = shelf.network(workload.model, workload.framework)
    if network and network.kind != "denoiser":
        return Subject(network)
    pipeline = shelf.pipeline(workload.model)
    if pipeline and pipeline.denoiser in shelf.networks:
        decoder = shelf.networks[pipeline.decoder] if pipeline.decoder else None
        return Subject(shelf.networks[pipeline.denoiser], pipeline, decoder)
    if network:
        return Subject(network)
    return _stated(workload)


def _stated(workload: Workload) -> Subject | None:
    """Return a network from its stated parameters and activations, or a denoiser from its size."""
    options = workload.options
    millions = _figure(options, "params_m", "params_m_recalled")
    activations = _figure(options, "activations_m_per_image")
    if millions and activations:
        return Subject(_by_activations(workload, millions, activations), stated=True)
    size = _figure(options, "params") or _billions(str(workload.model))
    if size and _shows_images(workload):
        return Subject(_by_size(workload, size), stated=True)
    return None


def _shows_images(workload: Workload) -> bool:
    profile = resolve_framework(workload.framework or "")
    return workload.resolution is not None or (profile is not None and profile.models == "images")


def _figure(options: Mapping[str, Any], *names: str) -> float | None:
    found = next((options[name] for name in names if name in options), None)
    return float(found) if found else None


def _billions(name: str) -> float | None:
    found = _BILLIONS.search(name)
    return 1e9 * float(found[1]) if found else None


def _by_activations(workload: Workload, millions: float, activations: float) -> Network:
    """Return a network whose layers put out `activations` million values for an image."""
    table = read_table("images/unlisted")["by_activations"]
    words = str(workload.model).lower()
    family = next((name for name, facts in table.items() if any(w in words for w in facts["names"])), None)
    facts = table[family or "convolution"]
    width, height = workload.resolution or (224, 224)
    per_megapixel = activations * 1e6 / (width * height / 1e6)
    parameters = round(millions * 1e6)
    passes: dict[Any, Pass] = {}
    for name, one in facts["bytes"].items():
        copies = 2.0 * parameters if name == "full-amp" else 0.0
        saved = (copies, 0.0, one * per_megapixel)
        passes[name] = Pass(moments=_ends(saved, parameters, name), saved=saved)
    return Network(
        id=str(workload.model),
        kind="classification",
        parameters=parameters,
        image=width,
        passes=passes,
        source=facts["source"],
        date=str(facts["date"]),
    )


def _by_size(workload: Workload, size: float) -> Network:
    """Return a diffusion transformer of a size: its width, and so its activations, grow with the size."""
    facts = read_table("images/unlisted")["by_size"]
    growth = (size / facts["parameters"]) ** facts["exponent"]
    passes: dict[Any, Pass] = {}
    for name, rows in facts["passes"].items():
        full = name.startswith("full")
        moments = tuple(
            (2 * size if full and late else 0.0, *(growth * one for one in row))
            for late, row in enumerate(rows)
        )
        passes[name] = Pass(moments=moments, saved=tuple(growth * one for one in rows[0]))
    return Network(
        id=str(workload.model),
        kind="denoiser",
        parameters=round(size),
        image=max(workload.resolution or (1024, 1024)),
        adapter_parameters=round(facts["adapter_share"] * size),
        passes=passes,
        source=facts["source"],
        date=str(facts["date"]),
    )


def _ends(saved: tuple[float, float, float], parameters: int, name: str) -> tuple[Row, ...]:
    """Return the two ends of the backward pass: everything saved, and every gradient."""
    start = (0.0, *saved)
    return (start,) if name == "inference" else (start, (4.0 * parameters, 0.0, 0.0, 0.25 * saved[2]))
