"""Inference and serving: the books of one device through load, prefill and decode."""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import FeedForward, MixtureOfExperts
from configurator.domain.ledger import Phase
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.ranges import Bytes, Range, combined, exact, spread
from configurator.domain.tensor import Tensor
from configurator.domain.units import MIB
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.cache import expanded_latent, stage_cache
from configurator.memory.compute_buffer import compute_buffer
from configurator.memory.devices import Device
from configurator.memory.formats import bits_of, cache_bytes, is_k_mix, weight_doubt
from configurator.memory.override import overrides, placed
from configurator.memory.setting import Setting
from configurator.memory.versions import before
from configurator.memory.weights import Measure, Stage, bytes_in, layer_sum, outer_sum, stage_sum, whole_model

WHOLE: tuple[Phase, ...] = ("load", "prefill", "decode")
RUN: tuple[Phase, ...] = ("prefill", "decode")
_MIX_EXTRA = 1.5
"""Bits by which llama.cpp's K mixes keep attention and shared parts of expert models above the mix."""
_DRAFTED = 3
"""Tokens drafted per step by multi-token prediction where the source does not say how many."""
_CERTAIN_REST = 0.12
"""Share of a file above which what is not on the host is known well enough."""
_SAMPLER = 9.8
"""Buffers of fp32 logits in the sampler's profiling run, in units of rows x vocabulary (V0 and V1 logs)."""
_LARGE_CARD = 70 * 10**9
"""From here servers use larger defaults (vLLM: 8,192 batched tokens and 1,024 sequences)."""


def inference_books(s: Setting, stage: Stage, device: Device) -> Books:
    """Return the books of one rank of a stage on a device."""
    capacity, main = device.capacity, device.id == "gpu0"
    books = Books()
    weights = weights_on_device(s, stage)
    books.add(
        WHOLE,
        "weights",
        _moved(s, spread(weights, _weight_doubt(s)), _largest_layer(s, stage)),
        _weights_why(s, stage, weights),
        sources.FILE if s.as_stored else sources.TENSORS,
    )
    cache, state = sequence_cache(s, stage, main)
    count = sequences(s)
    books.add(
        RUN,
        "kv_cache",
        _moved(s, exact(cache * count), cache * count / max(1, len(stage.layers))),
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
        exact(state * _states(s)),
        message("{count:n} sequence(s) x {state:mib} of recurrent state", count=_states(s), state=state),
        sources.STATE,
    )
    if main or s.framework.workspace != "llama.cpp" or s.plan.tp == 1:
        _enter_workspace(books, s, stage, capacity)
    return books


def _weights_why(s: Setting, stage: Stage, size: float) -> Message:
    facts = {"layers": len(stage.layers), "all": len(s.model.layers), "format": s.weight_format, "size": size}
    if s.as_stored:
        return message(
            "{layers} of {all} layers as the file stores them, mostly {format}: {size:gib}", **facts
        )
    return message("{layers} of {all} layers in {format}: {size:gib}", **facts)


def _weight_doubt(s: Setting) -> Range:
    return weight_doubt("bf16" if s.as_stored else s.weight_format)


def _moved(s: Setting, size: Bytes, layer: float) -> Bytes:
    """Widen a size by one layer where llama.cpp deals by free memory: nobody knows it to the last layer."""
    if s.framework.workspace != "llama.cpp" or s.plan.pp == 1 or s.plan.split is not None:
        return size
    return combined((size, Bytes(low=-round(layer), likely=0, high=round(layer))))


def _largest_layer(s: Setting, stage: Stage) -> float:
    measure, pairs = _resident(s), overrides(s)
    if pairs:
        return placed(s.model, s.stages, pairs, measure)[s.stages.index(stage)] / max(1, len(stage.layers))
    return max((layer_sum(s.model, layer, s.plan, measure) for layer in s.model.groups), default=0.0)


def sequences(s: Setting) -> int:
    """Return the sequences whose cache is alive at once."""
    slots = _slots(s)
    if slots:
        # The stated context is that of all slots together, unless each has a cache of its own.
        return slots if s.option("kv_unified") is False else 1
    return max(s.workload.concurrency or 1, s.batch)


def _slots(s: Setting) -> int:
    """Return the slots among which llama.cpp divides its context; 0: not stated."""
    return s.whole("n_slots", s.whole("n_seq_max", 0)) if s.framework.workspace == "llama.cpp" else 0


def _states(s: Setting) -> int:
    """Return the recurrent states alive at once: one a sequence; llama.cpp keeps one more for every token
    that multi-token prediction drafts, to step back to."""
    drafted = s.whole("mtp_tokens", _DRAFTED if s.option("mtp") else 0)
    kept = 1 + drafted if s.framework.workspace == "llama.cpp" else 1
    return (_slots(s) or max(s.workload.concurrency or 1, s.batch)) * kept


def sequence_cache(s: Setting, stage: Stage, main: bool = True) -> tuple[float, float]:
    """Return bytes of KV cache and recurrent state of one sequence on one rank.

    `main`: whether the rank is llama.cpp's main GPU, which alone holds the cache under a row split.
    """
    rows = s.framework.workspace == "llama.cpp" and s.plan.tp > 1
    if rows and not main:
        return 0.0, 0.0
    return stage_cache(
        stage,
        1 if rows else s.plan.tp,
        s.context,
        cache_bytes(s.workload.kv_cache or "bf16"),
        s.framework,
        s.whole("n_ubatch", 512),
        static=s.option("cache") == "static",
        expanded=expanded_latent(s),
        sharing=_slots(s) if _slots(s) and sequences(s) == 1 else 1,
    )


def weights_on_device(s: Setting, stage: Stage) -> float:
    """Return the weight bytes that stay on the device under the stated offload."""
    if s.framework.workspace == "llama.cpp":
        return _llama_weights(s, stage)
    return stage_sum(s.model, stage, s.plan, _resident(s))


def _llama_weights(s: Setting, stage: Stage) -> float:
    """Return the weight bytes of one device of the llama.cpp family: dealt layers, then overrides."""
    measure, uncut, pairs = _resident(s), Plan(), overrides(s)
    layers = placed(s.model, s.stages, pairs, measure)
    outer = sum(outer_sum(s.model, uncut, measure, False, other.last) for other in s.stages)
    mine = layers[s.stages.index(stage)] + outer_sum(s.model, uncut, measure, False, stage.last)
    stated = s.whole("cpu_weights_mib", 0) * MIB
    if stated and pairs and not s.option("override_tensor"):
        # The engine says what it left on the host; the rest lies on the cards, in the shares of their layers.
        # A small rest is a difference of two large figures: then the rule of the offload is the better guess.
        whole = stage_sum(s.model, whole_model(s.model), uncut, bytes_in(s.weight_format))
        usual, rest = sum(layers) + outer, whole - stated
        if rest > max(usual, _CERTAIN_REST * whole):
            mine += (rest - usual) * len(stage.layers) / sum(len(other.layers) for other in s.stages)
    return mine / s.plan.tp


def _resident(s: Setting) -> Measure:
    llama = s.framework.workspace == "llama.cpp"
    return _resident_bytes(
        s.weight_format,
        experts_away=(s.workload.offload or "").startswith("experts") and not llama,
        towers=s.framework.loads_towers,
        embedding_away=s.framework.embedding_on_host,
        tied=s.model.tied,
        mixed=bool(llama and _has_experts(s) and is_k_mix(s.weight_format)),
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
            _add(books, ("prefill",), s, spread(size, s.framework.workspace_spread), why)
        case "llama.cpp":
            size, why = compute_buffer(s, stage)
            _add(books, RUN, s, spread(size, s.framework.workspace_spread), why)
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
            _add(books, RUN, s, spread(size, s.framework.workspace_spread), why)
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


def host_cache(s: Setting) -> float:
    """Return the bytes of KV cache that the host keeps: that of layers which are not on a GPU."""
    if s.framework.workspace != "llama.cpp":
        return 0.0
    everything, _ = sequence_cache(s, whole_model(s.model))
    return sequences(s) * (everything - sum(sequence_cache(s, stage)[0] for stage in s.stages))


def host_weights(s: Setting) -> float:
    """Return the weight bytes that the host keeps for the whole machine: offloaded layers and experts, and an
    embedding left there."""
    uncut = s.plan.model_copy(update={"tp": 1, "ep": 1})
    everything = whole_model(s.model)
    whole = stage_sum(s.model, everything, uncut, bytes_in(s.weight_format))
    if s.framework.workspace == "llama.cpp":
        return max(0.0, whole - sum(weights_on_device(s, stage) for stage in s.stages) * s.plan.tp)
    return whole - stage_sum(s.model, everything, uncut, _resident(s))
