"""A weight tensor: its module's name, what it is for, its shape and how it may be cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["linear", "expert", "router", "embedding", "head", "norm", "bias", "conv", "state", "tower"]
"""`linear`: a matrix that quantisers convert. `expert`: a matrix of a routed expert."""

Cut = Literal["column", "row", "kv", "vocab", "expert", "none"]
"""How tensor parallelism cuts it: by output, by input, by KV head, by vocabulary; none: replicated."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """`count` equal tensors of `rows` outputs by `cols` inputs (1 for vectors)."""

    module: str
    role: Role
    rows: int
    cols: int = 1
    count: int = 1
    cut: Cut = "none"
    units: int = 0
    """Indivisible units along the cut (KV heads); 0: any."""
    stored: float = 0.0
    """Bytes of all `count` in the model's file; 0: by the rules of the format."""
    stored_as: str = ""
    """The weight format for which `stored` holds; read into another one, the rules of that one hold."""

    @property
    def parameters(self) -> int:
        """Number of parameters."""
        return self.rows * self.cols * self.count
