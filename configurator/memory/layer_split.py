"""How the llama.cpp family deals layers out over unequal devices and the host."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from configurator.domain.architecture import Architecture
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_FREE_DIFFERS = 0.01
"""Share of all layers by which the free memory of equal cards moves a boundary (start-up logs, two to fifteen cards)."""
_FIRST_NUMBER = re.compile(r"\d+")


def gpu_layers(s: Setting) -> int:
    """Return how many layers lie on GPUs, the output counted as one more (-ngl); default: all."""
    everything = len(s.model.layers) + 1
    stated = s.option("n_gpu_layers", s.option("offloaded"))
    if (s.workload.offload or "").startswith("gpu-layers"):
        stated = s.workload.offload
    found = _FIRST_NUMBER.search(str(stated))
    return min(int(found[0]), everything) if found else everything


@lru_cache(maxsize=512)
def dealt(architecture: Architecture, shares: tuple[float, ...], on_gpu: int) -> tuple[Stage, ...]:
    """Return what each device holds when the last `on_gpu` of layers and output are dealt by shares.

    llama.cpp gives item i of n to the first device whose cumulative share exceeds i / n; the output is
    the item behind the last layer. What is not on a GPU, and always the embedding, stays on the host.
    """
    layers = architecture.layers
    start, items = max(0, len(layers) - on_gpu), min(on_gpu, len(layers) + 1)
    bounds = [bound / sum(shares) for bound in accumulate(shares)]
    owner = [min(bisect_right(bounds, item / items), len(shares) - 1) for item in range(items)]
    mine = [
        tuple(
            layers[start + item]
            for item in range(items)
            if owner[item] == number and start + item < len(layers)
        )
        for number in range(len(shares))
    ]
    starts = [
        start + owner.index(number) if number in owner else len(layers) for number in range(len(shares))
    ]
    last = owner[-1] if on_gpu > len(layers) else None
    return tuple(
        Stage(
            held,
            first=number == 0,
            last=number == last,
            start=starts[number],
            **_doubt(len(held), items * shares[number] / sum(shares) - (number == last), items),
        )
        for number, held in enumerate(mine)
    )


def _doubt(count: int, share: float, items: int) -> dict[str, float]:
    """Return how many layers the device may really hold, as shares of those dealt: free memory decides."""
    if not count:
        return {}
    shift = _FREE_DIFFERS * items
    fewest, most = min(count, round(share - shift)), max(count, round(share + shift))
    return {"fewest": max(0, fewest) / count, "most": most / count}
