"""What data-parallel ranks hold of each other: gathered weights, gradients on their way."""

from __future__ import annotations

from configurator.domain.ledger import Phase
from configurator.domain.message import message
from configurator.domain.ranges import Bytes, Range, spread
from configurator.domain.units import GIB
from configurator.memory import sources
from configurator.memory.activations import Trained
from configurator.memory.behaviour import bucket_bytes, shards_weights
from configurator.memory.books import Books
from configurator.memory.formats import COMPUTE_BYTES, is_quantized
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage, bytes_in, layer_sum, outer_sum, stage_sum

RUN: tuple[Phase, ...] = ("forward", "backward", "step")


def enter_distribution(books: Books, s: Setting, stage: Stage, what: Trained) -> None:
    """Enter what data parallelism moves: gathered layers, weights that stay whole, or buckets of gradients."""
    plan = s.plan
    if plan.zero and what.full and (buckets := bucket_bytes(s)) is not None:
        most = Range(low=buckets.low, likely=buckets.likely, high=buckets.high)
        books.add(
            ("backward", "step"),
            "communication",
            spread(min(1.0, what.gradients / most.likely), most),
            message("DeepSpeed keeps buckets for gradients and for gathered weights"),
            sources.BUCKETS,
        )
    if plan.dp == 1:
        return
    if shards_weights(s):
        plain = "bf16" if COMPUTE_BYTES.get(s.workload.compute or "bf16", 2) == 2 else "fp32"
        fmt = s.weight_format if is_quantized(s.weight_format) else plain
        unit = max(layer_sum(s.model, layer, plan, bytes_in(fmt)) for layer, _ in stage.groups)
        outer = outer_sum(s.model, plan, bytes_in(fmt), stage.first, stage.last)
        # Gradients before they are cut: 16 bit, and fp32 where they are added up so.
        reduced = 3 * (unit + outer) if what.full and s.framework.reduces_in_fp32 else 0.0
        books.add(
            RUN,
            "communication",
            Bytes(
                low=round(unit),
                likely=round(2 * unit + outer + reduced),
                high=round(3 * unit + 2 * outer + 1.5 * reduced),
            ),
            message(
                "full sharding gathers a layer ({unit:gib}) and the next one, embedding and head ({outer:gib})",
                unit=unit,
                outer=outer,
            ),
            sources.SHARDING,
        )
    elif plan.zero == 3:
        whole = stage_sum(s.model, stage, plan, bytes_in(s.weight_format))
        books.add(
            RUN,
            "communication",
            # Flat parameters are padded, and two of them meet while they are gathered.
            spread(whole + (what.gradients if what.full else 0), Range(low=0.97, likely=1.0, high=1.12)),
            message("gathered weights stay whole on every GPU: {size:gib}", size=whole),
            s.framework.source,
        )
    elif what.gradients:
        bucket = what.gradients if plan.zero == 0 else min(what.gradients, 1.0 * GIB)
        books.add(
            ("backward", "step"),
            "communication",
            Bytes(low=0, likely=round(bucket), high=round(bucket * 1.1)),
            message("gradients are exchanged through buckets of {size:gib}", size=bucket),
            sources.BUCKETS,
        )
