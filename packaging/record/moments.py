"""From traces to moments: pure numbers, without torch.

Live memory after an operation is a fixed part, a part per image, and a part per image and million pixels. A
network does the same operations whatever the number and size of its images, so three traces decide the three
parts of every operation: two images, three images, and two larger images. One image alone is no use: batch
normalisation and broadcasting take other ways then.

Most operations can never be the peak. Kept are those that are, for some number and size of images.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
"""One row for each moment: gradients, fixed, per image, per image and million pixels; bytes."""
T = TypeVar("T", float, NDArray[np.float64])

BATCHES = (1, 2, 4, 8, 16, 64, 256)
NEAR = 0.02
"""Share of all gradients up to which a moment counts as that of the loss, or as the end of the backward pass."""


class Trace(NamedTuple):
    """A forward pass, and a backward pass where the network is trained."""

    live: NDArray[np.float64]
    """Bytes alive after each operation beside weights and inputs; gradients included."""
    gradients: NDArray[np.float64]
    """Bytes of them that are finished gradients of weights."""
    saved: float
    """Bytes that autograd keeps from the forward pass for the backward pass."""
    parameters: int
    trained: int
    """Parameters that get a gradient."""


class Traces(NamedTuple):
    """The three traces that decide fixed parts and parts per image."""

    two: Trace
    three: Trace
    larger: Trace
    """Two larger images."""
    megapixels: tuple[float, float]
    """Of the small and the larger image."""

    @property
    def alike(self) -> bool:
        """Say whether the traces hold the same operations."""
        return len(self.two.live) == len(self.three.live) == len(self.larger.live)

    @property
    def saved(self) -> Rows:
        """What lives between forward and backward: fixed, per image, per image and million pixels."""
        return np.array(parted(self.two.saved, self.three.saved, self.larger.saved, self.megapixels))


class Figures(NamedTuple):
    """What the catalogue keeps of a pass."""

    moments: Rows
    saved: Rows
    parameters: int
    trained: int
    per_class: float = 0.0
    """Bytes per class, image and million pixels."""


def parted(two: T, three: T, larger: T, megapixels: tuple[float, float]) -> tuple[T, T, T]:
    """Return fixed part, part per image, and part per image and million pixels."""
    small, large = megapixels
    image = three - two
    per_megapixel = (larger - two) / 2 / (large - small)
    return two - 2 * image, image - per_megapixel * small, per_megapixel


def solved(traces: Traces) -> Rows:
    """Return the row of every operation; ValueError if the traces differ in their operations."""
    if not traces.alike:
        counts = " ".join(str(len(one.live)) for one in traces[:3])
        raise ValueError(f"the runs differ in their operations: {counts}")
    two, three, larger, megapixels = traces
    fixed, per_image, per_megapixel = parted(two.live, three.live, larger.live, megapixels)
    return np.stack([two.gradients, fixed - two.gradients, per_image, per_megapixel], axis=1)


def totals(rows: Rows, images: int, megapixels: float) -> NDArray[np.float64]:
    """Return the live memory of every row for images of a size."""
    total: NDArray[np.float64] = rows[:, 0] + rows[:, 1] + images * (rows[:, 2] + rows[:, 3] * megapixels)
    return total


def envelope(rows: Rows, edges: Iterable[int], batches: Iterable[int] = BATCHES) -> Rows:
    """Return the rows that are the peak for square images of an edge and a number of them, in their order."""
    grid = [(images, edge * edge / 1e6) for edge in edges for images in batches]
    return rows[sorted({int(totals(rows, *point).argmax()) for point in grid})]


def ends(rows: Rows, megapixels: float) -> Rows:
    """Return two rows: the peak for eight images, and that of one image where nearly all gradients exist.

    They are the same two moments however many layers a network has, so they can be compared between networks of
    2 and of 3 layers; an envelope could not. Without gradients only the first is returned.
    """
    found = [int(totals(rows, 8, megapixels).argmax())]
    if rows[-1, 0] > 0:
        late = np.flatnonzero(rows[:, 0] >= (1 - NEAR) * rows[:, 0].max())
        found.append(int(late[totals(rows[late], 1, megapixels).argmax()]))
    return rows[found]


def ends_apart(traces: Traces) -> Rows:
    """Return the same two rows where the runs differ in a few operations: each run's own peaks are compared."""
    pairs = [_own_ends(trace) for trace in traces[:3]]
    two, three, larger = (np.array([live for live, _ in pair]) for pair in pairs)
    gradients = np.array([gradients for _, gradients in pairs[-1]])
    return np.stack([gradients, *parted(two, three, larger, traces.megapixels)], axis=1)


def _own_ends(trace: Trace) -> list[tuple[float, float]]:
    """Return live memory without gradients, and gradients: around the loss, and when all gradients exist."""
    every = trace.gradients[-1]
    early = trace.gradients <= NEAR * every
    chosen = [early, trace.gradients >= (1 - NEAR) * every] if every > 0 else [early]
    found = []
    for mask in chosen:
        peak = int(np.where(mask, trace.live, -np.inf).argmax())
        found.append((trace.live[peak] - trace.gradients[peak], trace.gradients[peak]))
    return found


def extrapolated(base: Figures, longer: Sequence[Figures], layers: Sequence[int]) -> Figures:
    """Return the figures of a network of many layers from those of a short one.

    `base` has two layers of each kind, each of `longer` a third one of one kind, `layers` says how many of each
    kind the whole network has: equal layers add equal amounts.
    """
    parts: list[Any] = []
    for at, first in enumerate(base):
        steps = [(count - 2) * (more[at] - first) for count, more in zip(layers, longer, strict=True)]
        parts.append(first + sum(steps))
    return Figures(*parts)
