"""VRAMScout: inference; reads the configuration, multiplies out caches of many kinds of layers."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from configurator.domain.units import GIB
from peers.question import Guess, Question

_TYPES = {"bf16": "bf16", "fp16": "fp16", "fp32": "fp32", "fp8": "fp8", "int8": "int8", "nf4": "int4"} | {
    "awq4": "int4",
    "gptq4": "int4",
    "nvfp4": "nvfp4",
    "mxfp4": "nvfp4",
}


def estimate(q: Question) -> Guess | None:
    """Return its answer without the safety reserve that it adds for buyers."""
    from vramscout import modern_v06, modern_v07

    if not q.infers or q.weights not in _TYPES or q.plan.pp > 1:
        return None
    # What it would have read from the Hub: the exact count, no file size.
    modern_v06._selected_hub_metadata = lambda *_: (q.parameters, None)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(q.config), encoding="utf-8")
        found = modern_v07.plan_modern(
            folder,
            context=q.context,
            batch_size=q.batch,
            weight_dtype=_TYPES[q.weights],
            kv_dtype="fp8" if q.workload.kv_cache == "fp8" else "bf16",
            tp=q.plan.tp,
            vram_gib=min(q.capacity / GIB, 1024.0),
            reserve_gib=0.0,
        )
    return Guess(found.total_gib * GIB, outside=found.parts_gib.get("CUDA / runtime", 0.0) * GIB)
