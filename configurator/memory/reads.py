"""What linears keep: the input of every linear whose weight or adapter is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Recurrence = Literal["reference", "fused"]


@dataclass(frozen=True, slots=True)
class Saving:
    """What is trained, and in which types the arithmetic runs."""

    full: bool
    """Every weight is trained; else only adapters."""
    targets: frozenset[str] = frozenset()
    """Modules with adapters; `all-linear` stands for every one."""
    rank: int = 0
    adapter_fp32: bool = False
    autocast: bool = False
    fp32: bool = False
    """Weights in fp32."""
    eager: bool = False
    plain_scores: bool = False
    """Eager attention keeps its softmax in the type of the arithmetic alone."""
    kv_repeated: bool = False
    """Keys and values are repeated to the number of query heads before attention."""
    dora: bool = False
    """Adapters with a magnitude vector: they keep their own output and that of the base."""
    experts: bool = False
    """Adapters reach the three-dimensional weights of routed experts."""
    own_code: bool = False
    """The framework's own code of the model, not the one that Transformers computes in steps."""
    recurrence: Recurrence = "fused"
    """Recurrent mixers run as fused kernels, or as the reference code of Transformers."""

    @property
    def value(self) -> int:
        """Bytes of one value of the arithmetic."""
        return 4 if self.fp32 and not self.autocast else 2

    def adapts(self, module: str) -> bool:
        """Whether a linear module carries an adapter."""
        return not self.full and ("all-linear" in self.targets or module in self.targets)


@dataclass(frozen=True, slots=True)
class Read:
    """One input and the linears that read it."""

    width: int
    linears: tuple[tuple[str, int], ...]
    """Module and outputs of each."""
    kept: bool = False
    """Another operation keeps the input anyway."""
    stream: bool = False
    """The input comes from a norm, in the type of the residual stream."""


def read(one: Read, s: Saving) -> float:
    """Return the bytes per token that an input costs its linears.

    Training every weight keeps the input once; under autocast with fp32 weights each linear casts it for
    itself. Adapters keep it once and 2r behind their first matrix; fp32 adapters cast it each for
    themselves, to 16 bit under autocast. DoRA keeps the output of adapter and base.
    """
    if s.full:
        if s.fp32 and s.autocast and one.stream:
            return 2.0 * one.width * len(one.linears)
        return 0.0 if one.kept else float(s.value * one.width)
    adapted = [outputs for module, outputs in one.linears if s.adapts(module)]
    if not adapted:
        return 0.0
    size = 4 if s.adapter_fp32 and not s.autocast else 2
    scaled = 2 * 2 * sum(adapted) if s.dora else 0
    behind = size * s.rank * len(adapted) + scaled
    if s.adapter_fp32:
        return size * one.width * len(adapted) + behind
    return behind if one.kept else behind + 2 * one.width
