"""Momentary buffers of inference by mechanism: a prompt at once, eager scores, a profiling run, a constant."""

from __future__ import annotations

from configurator.domain.architecture import (
    Attention,
    FeedForward,
    GatedDeltaNet,
    KimiDeltaAttention,
    LatentAttention,
    MixtureOfExperts,
)
from configurator.domain.ledger import Phase
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, combined, exact, spread
from configurator.domain.units import GIB
from configurator.memory.books import gib_range
from configurator.memory.cache import expanded_latent
from configurator.memory.compute_buffer import compute_buffer
from configurator.memory.formats import is_quantized
from configurator.memory.sequences import drafted
from configurator.memory.setting import Setting
from configurator.memory.tensors import layer_tensors
from configurator.memory.versions import before
from configurator.memory.weights import Stage

RUN: tuple[Phase, ...] = ("prefill", "decode")
_PROMPT_BUFFERS = 3.8
"""Buffers of the feed-forward width alive in a prompt worked on at once (Qwen2.5 tables at 30,720 tokens)."""
_EAGER = 9.0
"""Bytes per attention score of the eager code: scores, mask added, fp32 softmax, its 16-bit copy (AutoAWQ tables)."""
_EAGER_FUSED = 2.0
"""The same where only the 16-bit scores stay: fused attention without grouped heads (AutoAWQ, Llama 2 13B)."""
_MLX_STEP = 2048
"""Tokens of a prompt that MLX works on at once (prefill_step_size)."""
_MLX_SCORES = {False: 4.4, True: 2.2}
"""Bytes per score of latent attention in MLX, which has no fused kernel for it: on the latent, per head (V3)."""
_LARGE_CARD = 70 * 10**9
"""From here servers use larger defaults (vLLM: 8,192 batched tokens and 1,024 sequences)."""
_DELTA_BUFFERS = 8
"""fp32 buffers of the width of linear attention in a forward pass (Kimi-Linear with 64,000 batched tokens)."""

Found = tuple[tuple[Phase, ...], Bytes, Message]


def momentary(s: Setting, stage: Stage, capacity: int) -> Found:
    """Return when momentary buffers live, their size, and why."""
    match s.framework.workspace:
        case "prefill" | "eager":
            return _prompt(s)
        case "llama.cpp":
            size, why = compute_buffer(s, stage)
            contexts = 2 if drafted(s) and stage.last else 1
            return RUN, spread(contexts * size, s.framework.workspace_spread), why
        case "server":
            return _profiling(s, stage, capacity)
    return _constant(s)


def _prompt_logits(s: Setting, tokens: int) -> float:
    """Return the bytes of the logits of a prompt: of its last token, or of all where the forward pass is bare.

    Transformers before 4.45 put them out for every token and copied them to fp32.
    """
    old = before(s.workload.framework_version, (4, 45)) and s.framework.id == "transformers"
    every = bool(s.option("logits_for_all_positions", old))
    return float(s.model.vocab) * s.batch * (tokens * (6 if old else 2) if every else 2)


def _prompt(s: Setting) -> Found:
    tokens = s.workload.input_tokens or s.whole("prefill", s.context)
    buffers = _PROMPT_BUFFERS * tokens * s.batch * feed_forward_width(s) * 2
    scores = 0.0
    if s.framework.workspace == "eager" or s.workload.attention == "eager":
        blocks = [layer.mixer for layer in s.model.groups if isinstance(layer.mixer, Attention)]
        heads = max((block.heads for block in blocks), default=0)
        grouped = any(block.kv_heads < block.heads for block in blocks)
        each = _EAGER if grouped or s.framework.workspace != "eager" else _EAGER_FUSED
        scores = heads * float(tokens) ** 2 * s.batch * each
    logits = _prompt_logits(s, tokens)
    if logits > buffers + scores:
        text = message(
            "logits of all {tokens:n} tokens of the prompt: {size:gib}", tokens=tokens, size=logits
        )
        return ("prefill",), exact(logits), text
    why = message(
        "prompt of {tokens:n} tokens at once: about four buffers of the feed-forward width in 16 bit {buffers:gib}, "
        "attention scores {scores:gib}",
        tokens=tokens,
        buffers=buffers,
        scores=scores,
    )
    size = spread(buffers + scores, s.framework.workspace_spread)
    if s.framework.workspace == "eager":
        size = combined((size, gib_range(s.framework.workspace_gib)))
    return ("prefill",), size, why


def _constant(s: Setting) -> Found:
    size = spread(GIB, s.framework.workspace_gib)
    extra = 2 * 2 * largest_matrix(s) if s.framework.dequantizes and is_quantized(s.weight_format) else 0.0
    latent = next((g.mixer for g in s.model.groups if isinstance(g.mixer, LatentAttention)), None)
    if latent and s.framework.latent_scores:
        scores = latent.heads * min(s.context, _MLX_STEP) * s.context
        extra += scores * _MLX_SCORES[expanded_latent(s)]
    why = message(
        "momentary buffers of {name}, of it {extra:gib} for weights unpacked or scores of latent attention",
        name=s.framework.name,
        extra=extra,
    )
    return (
        RUN,
        combined((size, exact(extra))) if extra else size,
        why if extra else message("momentary buffers of {name}", name=s.framework.name),
    )


def _profiling(s: Setting, stage: Stage, capacity: int) -> Found:
    tokens, rows = server_defaults(s, capacity)
    forward = tokens * (3 * feed_forward_width(s) / s.plan.tp + 2.6 * s.model.hidden) * 2
    delta = max(
        (
            layer.mixer.value_heads * layer.mixer.value_head_dim
            if isinstance(layer.mixer, GatedDeltaNet)
            else layer.mixer.heads * layer.mixer.head_dim
            for layer in s.model.groups
            if isinstance(layer.mixer, GatedDeltaNet | KimiDeltaAttention)
        ),
        default=0,
    )
    forward += tokens * _DELTA_BUFFERS * delta / s.plan.tp * 4
    if s.weight_format.startswith(("nf4", "fp4")):
        # bitsandbytes unpacks a fused gate and up for every product.
        forward += 2 * 2 * largest_matrix(s) / s.plan.tp
    copies = s.framework.sampler_buffers
    if before(s.workload.framework_version, s.framework.sampler_changed):
        copies = s.framework.sampler_buffers_old
    sampler = rows * s.model.vocab * 4 * copies if stage.last else 0
    why = message(
        "profiling run: forward of {tokens:n} tokens {forward:gib}, {rows:n} rows of sampler logits {sampler:gib}; "
        "the larger counts",
        tokens=tokens,
        forward=forward,
        rows=rows,
        sampler=sampler,
    )
    return RUN, spread(max(forward, sampler), s.framework.workspace_spread), why


def server_defaults(s: Setting, capacity: int) -> tuple[int, int]:
    """Return the batched tokens and sequences of a server's profiling run.

    vLLM before 0.9 prefills a context of up to 32k tokens at once; later versions work in chunks, and on
    large cards with more tokens and sequences.
    """
    old = before(s.workload.framework_version, (0, 9)) and s.framework.id == "vllm"
    large = capacity > _LARGE_CARD and not old
    whole = old and s.context <= 32768
    tokens = max(s.context, 2048) if whole else 8192 if large else 2048
    tokens = s.whole(
        "max_num_batched_tokens", s.whole("chunked_prefill_size", s.whole("max_num_tokens", tokens))
    )
    rows = s.whole("max_running_requests", s.whole("max_batch_size", 1024 if large else 256))
    return tokens, s.whole("max_num_seqs", rows)


def feed_forward_width(s: Setting) -> int:
    """Return the widest feed-forward that works on a token."""
    widths = [0]
    for layer in s.model.groups:
        channel = layer.channel
        if isinstance(channel, FeedForward):
            widths.append(channel.intermediate)
        elif isinstance(channel, MixtureOfExperts):
            widths.append(channel.active * channel.intermediate + channel.shared_intermediate)
    return max(widths)


def largest_matrix(s: Setting) -> int:
    """Return the parameters of the largest matrix of a layer that is no expert's."""
    return max(
        (
            tensor.rows * tensor.cols
            for layer in s.model.groups
            for tensor in layer_tensors(layer, s.model)
            if tensor.role == "linear"
        ),
        default=0,
    )
