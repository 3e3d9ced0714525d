"""Optimizer states: bytes per trained parameter, or per tensor where its shape decides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from configurator.catalog.loading import read_table
from configurator.domain.errors import unknown_id
from configurator.domain.tensor import Tensor
from configurator.memory.weights import Measure

Shape = Literal["elementwise", "factored", "projected", "momentum"]
"""What matrices keep: every value's states; one row and one column (Adafactor, Shazeer and Stern 2018); the
states of a projection to a low rank and the projector (GaLore, Zhao et al. 2024); momentum alone (Muon)."""


@dataclass(frozen=True, slots=True)
class Optimizer:
    """States per trained parameter; `bytes` absent: of the trained weights' type."""

    states: float
    bytes: float | None = None
    paged: bool = False
    shape: Shape = "elementwise"

    def per_parameter(self, weight_bytes: float) -> float:
        """Return bytes of state per trained parameter where every value keeps its own."""
        return self.states * (weight_bytes if self.bytes is None else self.bytes)

    def of(self, tensor: Tensor, weight_bytes: float, rank: int) -> float:
        """Return the bytes of state of one tensor."""
        plain = self.per_parameter(weight_bytes) * tensor.parameters
        rows, cols = tensor.rows, tensor.cols
        if self.shape == "factored":
            return 4.0 * tensor.count * (rows + cols if cols > 1 else rows)
        if tensor.role not in ("linear", "expert"):
            return plain
        if self.shape == "momentum":
            return plain / 2
        if self.shape == "projected" and rank < min(rows, cols):
            states = self.per_parameter(weight_bytes) * rank * max(rows, cols)
            return tensor.count * (states + weight_bytes * rank * min(rows, cols))
        return plain


@lru_cache(maxsize=1)
def _table() -> dict[str, Optimizer]:
    return {name: Optimizer(**facts) for name, facts in read_table("optimizers")["optimizers"].items()}


def optimizer(name: str) -> Optimizer:
    """Return an optimizer by its name. Raises BadInput for an unknown one."""
    found = _table().get(name.lower())
    if found is None:
        raise unknown_id("optimizer", name, _table())
    return found


@lru_cache(maxsize=256)
def states_of(name: str, weight_bytes: float, rank: int) -> Measure:
    """Measure: bytes of optimizer state of a tensor."""
    rule = optimizer(name)
    return lambda tensor: rule.of(tensor, weight_bytes, rank)
