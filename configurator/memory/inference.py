"""Inference and serving: the books of one device through load, prefill and decode."""

from __future__ import annotations

from configurator.domain.architecture import FeedForward, MixtureOfExperts
from configurator.domain.ledger import Phase
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, Range, exact, spread
from configurator.domain.tensor import Tensor
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.cache import stage_cache
from configurator.memory.formats import cache_bytes
from configurator.memory.setting import Setting
from configurator.memory.weights import Measure, Stage, bytes_in, stage_sum

WHOLE: tuple[Phase, ...] = ("load", "prefill", "decode")
RUN: tuple[Phase, ...] = ("prefill", "decode")
_PADDING = Range(low=0.995, likely=1.0, high=1.02)
_BUFFERS = Range(low=0.6, likely=1.0, high=1.6)
_LARGE_CARD = 70 * 10**9
"""From here servers use larger defaults (vLLM: 8,192 batched tokens and 1,024 sequences)."""


def inference_books(s: Setting, stage: Stage, capacity: int) -> Books:
    """Return the books of one rank of a stage on a device of `capacity` bytes."""
    books = Books()
    weights = weights_on_device(s, stage)
    books.add(
        WHOLE,
        "weights",
        spread(weights, _PADDING),
        message(
            "{layers} of {all} layers in {format}: {size:gib}",
            layers=len(stage.layers),
            all=len(s.model.layers),
            format=s.weight_format,
            size=weights,
        ),
        sources.TENSORS,
    )
    cache, state = sequence_cache(s, stage)
    count = sequences(s)
    books.add(
        RUN,
        "kv_cache",
        exact(cache * count),
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
        exact(state * count),
        message("{count:n} sequence(s) x {state:mib} of recurrent state", count=count, state=state),
        sources.STATE,
    )
    _enter_workspace(books, s, stage, capacity)
    return books


def sequences(s: Setting) -> int:
    """Return the sequences whose cache is alive at once."""
    return max(s.workload.concurrency or 1, s.batch)


def sequence_cache(s: Setting, stage: Stage) -> tuple[float, float]:
    """Return bytes of KV cache and recurrent state of one sequence on one rank."""
    ubatch = int(str(s.option("n_ubatch", 512)))
    return stage_cache(
        stage,
        s.plan.tp,
        s.context,
        cache_bytes(s.workload.kv_cache or "bf16"),
        s.framework,
        ubatch,
        static=s.option("cache") == "static",
    )


def weights_on_device(s: Setting, stage: Stage) -> float:
    """Return the weight bytes that stay on the device under the stated offload."""
    return stage_sum(s.model, stage, s.plan, _resident(s))


def _resident(s: Setting) -> Measure:
    measure = bytes_in(s.weight_format)
    experts_away = (s.workload.offload or "").startswith("experts")
    embedding_away = s.framework.embedding_on_host and not s.model.tied

    def resident(tensor: Tensor) -> float:
        if (experts_away and tensor.role == "expert") or (embedding_away and tensor.role == "embedding"):
            return 0.0
        return measure(tensor)

    return resident if experts_away or embedding_away else measure


def _enter_workspace(books: Books, s: Setting, stage: Stage, capacity: int) -> None:
    match s.framework.workspace:
        case "prefill":
            tokens = s.workload.input_tokens or s.context
            size = 3.8 * tokens * s.batch * _width(s) * 2
            why = message(
                "prefill of {tokens:n} tokens: about four buffers of the feed-forward width in 16 bit",
                tokens=tokens,
            )
            _add(books, ("prefill",), s, spread(size, _BUFFERS), why)
        case "llama.cpp":
            ubatch = int(str(s.option("n_ubatch", 512)))
            head = s.model.vocab if stage.last else 0
            size = ubatch * (head + 2 * s.model.hidden) * 4
            if s.workload.attention == "eager":
                heads = max((getattr(layer.mixer, "heads", 0) for layer in stage.layers), default=0)
                size += heads * s.context * ubatch * 4
            why = message(
                "micro-batch of {ubatch:n} tokens x (vocabulary + hidden width) x 4 bytes", ubatch=ubatch
            )
            _add(books, RUN, s, spread(size, Range(low=0.9, likely=1.0, high=1.8)), why)
        case "server":
            large = capacity > _LARGE_CARD
            tokens = int(str(s.option("max_num_batched_tokens", 8192 if large else 2048)))
            rows = int(str(s.option("max_num_seqs", 1024 if large else 256)))
            size = tokens * (3 * _width(s) / s.plan.tp + 4 * s.model.hidden) * 2
            size += rows * s.model.vocab * 4 * 8 if stage.last else 0
            why = message(
                "profiling forward of {tokens:n} tokens and {rows:n} rows of sampler logits",
                tokens=tokens,
                rows=rows,
            )
            _add(books, RUN, s, spread(size, _BUFFERS), why)
        case _:
            constant = s.framework.workspace_gib
            _add(
                books,
                RUN,
                s,
                spread(2**30, constant),
                message("momentary buffers of {name}", name=s.framework.name),
            )


def _add(books: Books, phases: tuple[Phase, ...], s: Setting, size: Bytes, why: Message) -> None:
    books.add(phases, "workspace", size, why, s.framework.source)


def _width(s: Setting) -> int:
    """Return the widest feed-forward that works on a token."""
    widths = [0]
    for layer in s.model.groups:
        channel = layer.channel
        if isinstance(channel, FeedForward):
            widths.append(channel.intermediate)
        elif isinstance(channel, MixtureOfExperts):
            widths.append(channel.active * channel.intermediate + channel.shared_intermediate)
    return max(widths)


def host_weights(s: Setting) -> float:
    """Return the weight bytes that the host keeps: offloaded experts and an embedding left there."""
    everything = Stage(s.model.layers, first=True, last=True)
    whole = stage_sum(s.model, everything, s.plan, bytes_in(s.weight_format))
    return whole - weights_on_device(s, everything)
