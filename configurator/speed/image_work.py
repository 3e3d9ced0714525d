"""What an image costs: operations, and values that are moved. Known networks, or figures that the case states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.catalog.images import plain
from configurator.catalog.loading import read_table
from configurator.domain.images import Network, Pipeline
from configurator.domain.workload import Workload
from configurator.memory.images.subject import Subject, image_subject

_KEPT = 4.5
"""Bytes that training in mixed precision keeps of a value, of networks made of convolutions (catalogs/images/unlisted)."""
_PATCH = 16
"""Edge in pixels of what a diffusion transformer sees as one token."""


@dataclass(frozen=True, slots=True)
class ImageWork:
    """The work behind one image."""

    operations: float
    values: float
    """Values that layers put out; 0: not counted."""
    parameters: float
    steps: int = 0
    """Passes of a denoiser for an image; 0: no denoiser."""
    matrices: bool = False
    """Made of matrix products: values pass fewer hands than behind convolutions."""


def image_work(w: Workload, catalog: Catalog) -> ImageWork | None:
    """Return the work of a workload on images; None where it is not known."""
    if not isinstance(w.model, str):
        return None
    subject = None if catalog.models.knows(w.model) else image_subject(w, catalog.images)
    if subject and subject.network.kind == "denoiser":
        # A size alone, without pictures, may be that of a language model.
        return None if subject.stated and w.resolution is None else _denoising(w, subject)
    facts, network = _facts(w, subject), subject.network if subject else None
    if facts is None:
        return None
    pixels, at = _pixels(w, network, facts), float(facts.get("edge", 224)) ** 2
    scale = 1.0 if facts.get("here") else pixels / at
    if "tokens" in facts:
        # Encoders of texts: a sample is a sequence, as long as the context.
        scale = (w.context or facts["tokens"]) / facts["tokens"]
    values = facts.get("macts") or (_values(network, pixels) if network else 0.0) / scale / 1e6
    known = network.parameters / 1e6 if network else 25.0
    millions = float(w.options.get("params_m") or facts.get("parameters_m") or known)
    matrices = any(word in str(w.model).lower() for word in read_table("image_work")["matrices"])
    return ImageWork(2e9 * facts["gmacs"] * scale, 1e6 * values * scale, 1e6 * millions, matrices=matrices)


def _facts(w: Workload, subject: Subject | None) -> Mapping[str, Any] | None:
    """Return operations and values: as the case states them at its own resolution, else of the catalogue."""
    stated = w.options
    if "gmacs" in stated:
        macts = stated.get("macts") or stated.get("activations_m_per_image")
        return {"gmacs": float(stated["gmacs"]), "macts": float(macts) if macts else None, "here": True}
    known = read_table("image_work")["networks"]
    names = {plain(name): facts for name, facts in known.items()}
    wanted = [plain(str(w.model)), *([plain(subject.network.id.split("@")[0])] if subject else [])]
    return next((names[name] for name in wanted if name in names), None)


def _pixels(w: Workload, network: Network | None, facts: Mapping[str, Any]) -> float:
    edge = facts.get("edge") or (network.image if network else 224)
    width, height = w.resolution or (edge, edge)
    return float(width * height)


def _values(network: Network, pixels: float) -> float:
    """Return the values that layers put out, from what training keeps of them."""
    found = network.passes.get("full-amp")
    return found.saved[2] * pixels / 1e6 / _KEPT if found else 0.0


def _denoising(w: Workload, subject: Subject) -> ImageWork:
    """Return the work of one step of a denoiser for one image, both passes of guidance together."""
    table, network = read_table("image_work"), subject.network
    pipeline: Pipeline | None = subject.pipeline
    edge = pipeline.image if pipeline else network.image
    width, height = w.resolution or (edge, edge)
    pixels = float(width * height)
    if found := table["denoisers"].get(network.id):
        operations = 1e12 * found["tflop"] * pixels / found["edge"] ** 2
    else:
        operations = 2 * table["share"] * network.parameters * pixels / _PATCH**2
    guidance = pipeline.guidance if pipeline and not w.trains else 1
    return ImageWork(operations * guidance, 0.0, float(network.parameters), _steps(w, table))


def _steps(w: Workload, table: Mapping[str, Any]) -> int:
    stated = w.options.get("num_inference_steps", w.options.get("steps"))
    if stated:
        return int(stated)
    name = str(w.model).lower()
    return int(next((count for word, count in table["steps"].items() if word in name), table["usual_steps"]))
