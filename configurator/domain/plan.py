"""How the work is laid over the GPUs."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from configurator.domain.base import Count, Several, Word


class Plan(Word):
    """Degrees of parallelism. A GPU holds `1/tp` of a layer, `1/pp` of the layers, a copy per `dp`."""

    tp: Count = 1
    """Tensor parallel: every layer is cut."""
    pp: Count = 1
    """Pipeline or layer split: whole layers are dealt out."""
    dp: Count = 1
    """Data parallel: every rank holds what `zero` does not shard."""
    ep: Count = 1
    """Expert parallel: experts are dealt out."""
    cp: Count = 1
    """Context parallel: the sequence is cut."""
    zero: Literal[0, 1, 2, 3] = 0
    """What data-parallel ranks shard: 1 optimizer, 2 and gradients, 3 and weights (FSDP full shard)."""
    split: Several[Annotated[float, Field(gt=0)]] | None = None
    """Uneven shares of the layers, one per GPU."""

    @property
    def gpus(self) -> int:
        """GPUs that the plan uses."""
        return self.tp * self.pp * self.dp * self.cp
