"""Networks that look at images: what is recorded of them, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

import torch
from torch import nn

from record.live import traced
from record.moments import Figures, Trace, Traces, envelope, solved
from record.ways import Way, way
from record.write import Entry

EDGES = (160, 224, 384, 640, 1024, 1333)
"""Images for which a moment may be the peak."""
ALL = ("full-fp32", "full-amp", "inference")
TRAINING = ("full-fp32", "full-amp")
_CHANNELS = 3


@dataclass(frozen=True)
class Network:
    """A network, and the sizes at which it is recorded."""

    id: str
    kind: str
    build: Callable[[int], nn.Module]
    """Of the edge of its images."""
    edges: tuple[int, int]
    """In pixels: two sizes that the network divides evenly; the smaller one is its usual size."""
    loss: Callable[[Any], torch.Tensor]
    source: str
    passes: tuple[str, ...] = ALL
    from_data: bool = False
    """Its code looks at values while it is built."""
    classes: int | None = None
    """Where their number matters."""
    wider: tuple[int, Callable[[int], nn.Module]] | None = None
    """How many classes more a second build has, and that build."""
    aliases: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()

    def recorded(self) -> Iterator[tuple[str, Callable[[], Figures]]]:
        """Yield every pass with what records it."""
        for name in self.passes:
            yield name, lambda name=name: self._figures(way(name))

    def entry(self, passes: dict[str, Figures]) -> Entry:
        """Return its entry in the catalogue."""
        return Entry(
            id=self.id,
            aliases=self.aliases,
            frameworks=self.frameworks,
            kind=self.kind,
            parameters=next(iter(passes.values())).parameters,
            image=self.edges[0],
            classes=self.classes,
            passes=passes,
            source=self.source,
        )

    def _figures(self, run: Way) -> Figures:
        small, large = self.edges
        traces = Traces(
            self._trace(run, 2, small),
            self._trace(run, 3, small),
            self._trace(run, 2, large),
            (small * small / 1e6, large * large / 1e6),
        )
        rows = solved(traces)
        rows[:, 3] += _CHANNELS * run.weights.itemsize * 1e6  # the images themselves
        two = traces.two
        per_class = self._per_class(run, traces) if self.wider and run.trains else 0.0
        return Figures(envelope(rows, EDGES), traces.saved, two.parameters, two.trained, per_class)

    def _per_class(self, run: Way, traces: Traces) -> float:
        assert self.wider
        more, build = self.wider
        wide = self._trace(run, 2, self.edges[0], build)
        return (wide.saved - traces.two.saved) / 2 / more / traces.megapixels[0]

    def _trace(
        self, run: Way, images: int, edge: int, build: Callable[[int], nn.Module] | None = None
    ) -> Trace:
        make = build or self.build
        return traced(
            (lambda: _kept(make, edge)) if self.from_data else (lambda: make(edge)),
            lambda: torch.empty(images, _CHANNELS, edge, edge, dtype=run.weights),
            (lambda model, given: self.loss(model(given))) if run.trains else nn.Module.__call__,
            run,
            self.from_data,
        )


@lru_cache(maxsize=2)
def _kept(build: Callable[[int], nn.Module], edge: int) -> nn.Module:
    """Return a network built with data once for all its passes."""
    return build(edge)


def source(library: str) -> str:
    """Return a library with its installed version."""
    return f"{library} {version(library)}"


def fixed(make: Callable[..., nn.Module], *args: Any, **kwargs: Any) -> Callable[[int], nn.Module]:
    """Return how to build a network that takes images of any size."""
    return lambda edge: make(*args, **kwargs)
