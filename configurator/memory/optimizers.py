"""Optimizer states: bytes per trained parameter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from configurator.catalog.loading import read_table
from configurator.domain.errors import unknown_id


@dataclass(frozen=True, slots=True)
class Optimizer:
    """States per trained parameter; `bytes` absent: of the trained weights' type."""

    states: float
    bytes: float | None = None
    paged: bool = False

    def per_parameter(self, weight_bytes: float) -> float:
        """Return bytes of state per trained parameter."""
        return self.states * (weight_bytes if self.bytes is None else self.bytes)


@lru_cache(maxsize=1)
def _table() -> dict[str, Optimizer]:
    return {name: Optimizer(**facts) for name, facts in read_table("optimizers")["optimizers"].items()}


def optimizer(name: str) -> Optimizer:
    """Return an optimizer by its name. Raises BadInput for an unknown one."""
    found = _table().get(name.lower())
    if found is None:
        raise unknown_id("optimizer", name, _table())
    return found
