"""What the engine returns: the estimate, and what a measured run is compared with."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.ledger import Estimate
from configurator.domain.workload import Workload
from configurator.memory.views import Views


@dataclass(frozen=True, slots=True)
class Prediction:
    """An estimate, the workload without open questions, and the views that logs give."""

    estimate: Estimate
    workload: Workload
    assumed: frozenset[str]
    parameters: int
    devices: tuple[Views, ...]
    host_cache: float = 0.0
    """Bytes of KV cache of layers that the host keeps."""
