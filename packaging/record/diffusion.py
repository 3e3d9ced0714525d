"""Denoisers and decoders of diffusion pipelines: how they are recorded.

A U-Net is recorded whole. A transformer of dozens of equal layers is recorded with two layers, and once more with
a third one of each kind; what that one adds is added for every further layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from record.latents import Inputs
from record.live import traced
from record.losses import noise
from record.moments import Figures, Traces, ends, ends_apart, envelope, extrapolated, solved
from record.networks import source
from record.ways import Way, way
from record.write import Entry

EDGES = (256, 512, 768, 1024, 1536)
BATCHES = (1, 2, 4, 8, 16)
UNET = (
    "inference",
    "full-amp",
    "full-amp+checkpointing",
    "full-bf16+checkpointing",
    "lora",
    "lora+checkpointing",
)
TRANSFORMER = (
    "inference",
    "full-amp+checkpointing",
    "full-bf16+checkpointing",
    "lora",
    "lora+checkpointing",
)
DECODER = ("inference", "inference-fp32")


@dataclass(frozen=True)
class Denoiser:
    """A denoiser or decoder, and the sizes at which it is recorded."""

    id: str
    build: Callable[..., nn.Module]
    """Of the number of layers of each kind, if there are any."""
    inputs: Inputs
    layers: tuple[int, ...] = ()
    """How many of each kind the whole network has; none: it is recorded whole."""
    passes: tuple[str, ...] = TRANSFORMER
    edges: tuple[int, int] = (512, 1024)
    image: int = 1024
    """Edge in pixels of a usual image."""
    frames: int = 1
    kind: str = "denoiser"
    aliases: tuple[str, ...] = ()

    def recorded(self) -> Iterator[tuple[str, Callable[[], Figures]]]:
        """Yield every pass with what records it."""
        for name in self.passes:
            yield name, lambda name=name: self._figures(way(name))

    def entry(self, passes: dict[str, Figures]) -> Entry:
        """Return its entry in the catalogue."""
        adapted = {name: figures.trained for name, figures in passes.items() if name.startswith("lora")}
        name, first = next(iter(passes.items()))
        return Entry(
            id=self.id,
            aliases=self.aliases,
            kind=self.kind,
            parameters=first.parameters - adapted.get(name, 0),
            image=self.image,
            adapter_parameters=next(iter(adapted.values()), None),
            passes=passes,
            source=source("diffusers"),
        )

    def _figures(self, run: Way) -> Figures:
        if not self.layers:
            traces = self._traces(run, ())
            return _figures(traces, envelope(solved(traces), EDGES, BATCHES))
        short = [2] * len(self.layers)
        longer = []
        for kind in range(len(self.layers)):
            counts = [*short]
            counts[kind] += 1
            longer.append(self._ends(run, counts))
        return extrapolated(self._ends(run, short), longer, self.layers)

    def _ends(self, run: Way, counts: list[int]) -> Figures:
        traces = self._traces(run, counts)
        if traces.alike:
            return _figures(traces, ends(solved(traces), traces.megapixels[0]))
        return _figures(traces, ends_apart(traces))

    def _traces(self, run: Way, counts: Any) -> Traces:
        small, large = self.edges
        megapixels = tuple(edge * edge / 1e6 * self.frames for edge in self.edges)
        two, three, larger = (
            traced(
                lambda: self.build(*counts),
                lambda images=images, edge=edge: self.inputs(images, edge, run.weights),
                _loss if run.trains else _output,
                run,
            )
            for images, edge in ((2, small), (3, small), (2, large))
        )
        return Traces(two, three, larger, megapixels)


def _figures(traces: Traces, rows: Any) -> Figures:
    return Figures(rows, traces.saved, traces.two.parameters, traces.two.trained)


def _output(model: nn.Module, given: dict[str, Any]) -> torch.Tensor:
    out = model(**given)
    out = getattr(out, "sample", out)
    if isinstance(out, tuple):
        out = out[0]
    return torch.stack(out) if isinstance(out, list) else out


def _loss(model: nn.Module, given: dict[str, Any]) -> torch.Tensor:
    return noise(_output(model, given))
