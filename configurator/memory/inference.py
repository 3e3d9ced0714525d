"""Inference and serving: the books of one device through load, prefill and decode."""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import FeedForward, MixtureOfExperts
from configurator.domain.ledger import Phase
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, Range, exact, spread
from configurator.domain.tensor import Tensor
from configurator.domain.units import MIB
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.cache import stage_cache
from configurator.memory.compute_buffer import compute_buffer
from configurator.memory.formats import bits_of, cache_bytes, is_k_mix
from configurator.memory.setting import Setting
from configurator.memory.versions import before
from configurator.memory.weights import Measure, Stage, bytes_in, stage_sum, whole_model

WHOLE: tuple[Phase, ...] = ("load", "prefill", "decode")
RUN: tuple[Phase, ...] = ("prefill", "decode")
_MIX_EXTRA = 1.5
"""Bits by which llama.cpp's K mixes keep attention and shared parts of expert models above the mix."""
_PADDING = Range(low=0.995, likely=1.0, high=1.02)
_BUFFERS = Range(low=0.6, likely=1.0, high=1.6)
_PROFILE = Range(low=0.4, likely=1.0, high=1.3)
_CERTAIN_REST = 0.12
"""Share of a file above which what is not on the host is known well enough."""
_SAMPLER = 9.8
"""Buffers of fp32 logits in the sampler's profiling run, in units of rows x vocabulary (V0 and V1 logs)."""
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
        _weights_why(s, stage, weights),
        sources.FILE if s.as_stored else sources.TENSORS,
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
        exact(state * (_slots(s) or count)),
        message("{count:n} sequence(s) x {state:mib} of recurrent state", count=count, state=state),
        sources.STATE,
    )
    _enter_workspace(books, s, stage, capacity)
    return books


def _weights_why(s: Setting, stage: Stage, size: float) -> Message:
    facts = {"layers": len(stage.layers), "all": len(s.model.layers), "format": s.weight_format, "size": size}
    if s.as_stored:
        return message(
            "{layers} of {all} layers as the file stores them, mostly {format}: {size:gib}", **facts
        )
    return message("{layers} of {all} layers in {format}: {size:gib}", **facts)


def sequences(s: Setting) -> int:
    """Return the sequences whose cache is alive at once."""
    if _slots(s):
        # The stated context is that of all slots together.
        return 1
    return max(s.workload.concurrency or 1, s.batch)


def _slots(s: Setting) -> int:
    """Return the slots among which llama.cpp divides its context; 0: not stated."""
    return s.whole("n_slots", s.whole("n_seq_max", 0)) if s.framework.workspace == "llama.cpp" else 0


def sequence_cache(s: Setting, stage: Stage) -> tuple[float, float]:
    """Return bytes of KV cache and recurrent state of one sequence on one rank."""
    ubatch = s.whole("n_ubatch", 512)
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
    resident = stage_sum(s.model, stage, s.plan, _resident(s))
    stated = s.whole("cpu_weights_mib", 0) * MIB
    if not stated or s.framework.workspace != "llama.cpp":
        return resident
    # The engine says what it left on the host; the rest lies on the cards, in the shares of their layers.
    # A small rest is a difference of two large figures: then the rule of the offload is the better guess.
    everything = whole_model(s.model)
    whole = stage_sum(s.model, everything, s.plan, bytes_in(s.weight_format))
    usual = stage_sum(s.model, everything, s.plan, _resident(s))
    rest = whole - stated
    return resident * rest / usual if rest > max(usual, _CERTAIN_REST * whole) else resident


def _resident(s: Setting) -> Measure:
    return _resident_bytes(
        s.weight_format,
        experts_away=(s.workload.offload or "").startswith("experts"),
        towers=s.framework.loads_towers,
        embedding_away=s.framework.embedding_on_host,
        tied=s.model.tied,
        mixed=bool(s.framework.workspace == "llama.cpp" and _has_experts(s) and is_k_mix(s.weight_format)),
    )


@lru_cache(maxsize=256)
def _resident_bytes(
    weight_format: str, *, experts_away: bool, towers: bool, embedding_away: bool, tied: bool, mixed: bool
) -> Measure:
    """Measure: bytes that stay on the device. One measure per combination, so sums over it are kept."""
    measure = bytes_in(weight_format)

    def resident(tensor: Tensor) -> float:
        if experts_away and tensor.role == "expert":
            return 0.0
        if tensor.role == "tower" and not towers:
            return 0.0
        if embedding_away and tensor.role == "embedding":
            # A tied head needs its own copy where it computes, in the head's format.
            head = tensor.parameters * bits_of(weight_format, "head") / 8
            return (tensor.stored or head) if tied else 0.0
        if mixed and tensor.role == "linear" and not tensor.stored:
            return measure(tensor) + tensor.parameters * _MIX_EXTRA / 8
        return measure(tensor)

    return resident


def _has_experts(s: Setting) -> bool:
    return any(isinstance(layer.channel, MixtureOfExperts) for layer in s.model.groups)


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
            ubatch = s.whole("n_ubatch", 512)
            size = compute_buffer(s, stage)
            why = message(
                "micro-batch of {ubatch:n} tokens x (vocabulary + hidden width) x 4 bytes", ubatch=ubatch
            )
            _add(books, RUN, s, spread(size, Range(low=0.9, likely=1.0, high=1.8)), why)
        case "server":
            tokens, rows = _server_defaults(s, capacity)
            forward = tokens * (3 * _width(s) / s.plan.tp + 2.6 * s.model.hidden) * 2
            sampler = rows * s.model.vocab * 4 * _SAMPLER if stage.last else 0
            size = max(forward, sampler)
            why = message(
                "profiling forward of {tokens:n} tokens and {rows:n} rows of sampler logits",
                tokens=tokens,
                rows=rows,
            )
            _add(books, RUN, s, spread(size, _PROFILE), why)
        case _:
            constant = s.framework.workspace_gib
            _add(
                books,
                RUN,
                s,
                spread(2**30, constant),
                message("momentary buffers of {name}", name=s.framework.name),
            )


def _server_defaults(s: Setting, capacity: int) -> tuple[int, int]:
    """Return the batched tokens and sequences of a server's profiling run.

    vLLM before 0.9 prefills a context of up to 32k tokens at once; later versions work in chunks, and on
    large cards with more tokens and sequences.
    """
    old = before(s.workload.framework_version, (0, 9)) and s.framework.id == "vllm"
    large = capacity > _LARGE_CARD and not old
    whole = old and s.context <= 32768
    tokens = max(s.context, 2048) if whole else 8192 if large else 2048
    tokens = s.whole("max_num_batched_tokens", s.whole("chunked_prefill_size", tokens))
    return tokens, s.whole("max_num_seqs", s.whole("max_running_requests", 1024 if large else 256))


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
    everything = whole_model(s.model)
    whole = stage_sum(s.model, everything, s.plan, bytes_in(s.weight_format))
    return whole - weights_on_device(s, everything)
