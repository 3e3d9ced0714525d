"""What a model's files hold: tensors with their bytes, added up by layer and role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from configurator.domain.architecture import Layer, Stored
from configurator.domain.tensor import Role


@dataclass(frozen=True, slots=True)
class FileTensor:
    """A tensor as a file's header states it: shape with the outputs first, type, bytes."""

    name: str
    shape: tuple[int, ...]
    type: str
    size: int

    @property
    def values(self) -> int:
        """Number of stored values."""
        return prod(self.shape)


def stored(form: str, tensors: Iterable[tuple[Role, int]]) -> Stored:
    """Add up bytes by role."""
    sizes: Counter[Role] = Counter()
    for role, size in tensors:
        sizes[role] += size
    return Stored(form, tuple(sorted(sizes.items())))


def shared(layers: Iterable[Layer]) -> tuple[Layer, ...]:
    """Return the layers with one object for all equal ones: comparing them is then free."""
    kinds: dict[Layer, Layer] = {}
    return tuple(kinds.setdefault(layer, layer) for layer in layers)


def usual_type(tensors: Iterable[FileTensor]) -> str:
    """Return the type that most values have."""
    counts: Counter[str] = Counter()
    for tensor in tensors:
        counts[tensor.type] += tensor.values
    return counts.most_common(1)[0][0]
