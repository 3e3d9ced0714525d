"""Inference and serving: the books of one device through load, prefill and decode."""

from __future__ import annotations

from configurator.domain.ledger import Phase
from configurator.domain.message import message
from configurator.domain.ranges import Bytes, combined, exact, spread
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.devices import Device
from configurator.memory.momentary import RUN, largest_matrix, momentary
from configurator.memory.resident import doubt_of_weights, weights_on_device, weights_why
from configurator.memory.sequences import sequence_cache, sequences, states
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_QUANTIZED_WHILE_LOADING = ("nf4", "nf4-dq", "fp4", "int8")
"""Formats of bitsandbytes: the file holds 16 bit, the card what is made of it."""
WHOLE: tuple[Phase, ...] = ("load", "prefill", "decode")


def inference_books(s: Setting, stage: Stage, device: Device) -> Books:
    """Return the books of one rank of a stage on a device."""
    main = device.id == "gpu0"
    books = Books()
    weights = weights_on_device(s, stage)
    books.add(
        WHOLE,
        "weights",
        _dealt(s, stage, spread(weights, doubt_of_weights(s))),
        weights_why(s, stage, weights),
        sources.FILE if s.as_stored else sources.TENSORS,
    )
    if s.weight_format in _QUANTIZED_WHILE_LOADING and not s.as_stored:
        arriving = 2 * largest_matrix(s)
        books.add(
            ("load",),
            "workspace",
            exact(arriving),
            message(
                "one matrix at a time arrives in 16 bit before it is quantised: {size:mib}", size=arriving
            ),
            sources.TENSORS,
        )
    cache, state = sequence_cache(s, stage, main)
    count = sequences(s)
    books.add(
        RUN,
        "kv_cache",
        _dealt(s, stage, exact(cache * count)),
        message(
            "{count:n} sequence(s) x {context:n} tokens x {per:n} bytes per token in {format}",
            count=count,
            context=s.context,
            per=round(cache / s.context),
            format=s.workload.kv_cache or "bf16",
        ),
        sources.CACHE,
    )
    books.add(
        RUN,
        "recurrent_state",
        exact(state * states(s)),
        message("{count:n} sequence(s) x {state:mib} of recurrent state", count=states(s), state=state),
        sources.STATE,
    )
    if main or s.framework.workspace != "llama.cpp" or s.plan.tp == 1:
        phases, size, why = momentary(s, stage, device.capacity)
        books.add(phases, "workspace", size, why, s.framework.source)
    return books


def _dealt(s: Setting, stage: Stage, size: Bytes) -> Bytes:
    """Widen a size by the layer that free memory may give to one device or the next."""
    if s.plan.split is not None or stage.fewest == stage.most:
        return size
    low, high = round(size.likely * (stage.fewest - 1)), round(size.likely * (stage.most - 1))
    return combined((size, Bytes(low=low, likely=0, high=high)))
