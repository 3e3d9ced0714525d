"""Compute buffers of the llama.cpp family: the largest step of the graph decides, not a sum."""

from __future__ import annotations

from configurator.domain.architecture import FeedForward, LatentAttention, Layer, MixtureOfExperts
from configurator.domain.message import Message, message
from configurator.domain.units import MIB
from configurator.memory.cache import expanded_latent
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_COPIES = 4
"""Copies of the inputs that pipelined devices keep (GGML_SCHED_MAX_COPIES)."""
_EXPERT_NODES = 3.2
"""Expert outputs alive at once, in units of active experts x hidden width (start-up logs of 235B-A22B)."""
_MASK = 6
"""Bytes per cell of the attention mask on a device: the fp32 input and its 16-bit copy (27B at 200k)."""
_SHORT_MASK = 2
"""The same in ik_llama.cpp, which makes the mask in 16 bit."""
_SCORES = 3.0
"""Score batches (-amb) alive at once when latent attention works on the latent itself (-mla 1, 2)."""
_SCORES_BASE = 2100 * MIB
"""Buffers beside them (logs of DeepSeek R1 with -mla 2)."""
_LATENT_BASE = 200 * MIB
"""Buffers beside one score batch, expanded keys and values, queries and mask (-mla 3, logs of R1 and V3)."""


def compute_buffer(s: Setting, stage: Stage) -> tuple[float, Message]:
    """Return the compute buffer of one device in bytes, and what decides about it.

    Three steps compete. The output: micro-batch x (vocabulary + 2 x hidden) x 4 bytes, exact to 1 MiB in
    start-up logs. A feed-forward: its widest node, experts by the active ones. Attention: the mask of the
    whole context, scores where flash attention is off, expanded keys and values of a latent (-mla 3).
    Pipelined devices keep copies of the mask's input.
    """
    ubatch, model = s.whole("n_ubatch", 512), s.model
    cells = s.context * ubatch
    copies = _COPIES * cells * 4 if _pipelined(s) else 0
    mask = cells * (_SHORT_MASK if s.framework.short_mask else _MASK)
    output = ubatch * (model.vocab + 2 * model.hidden) * 4 + copies / 2 if stage.last else 0.0
    inner = max((_inner(layer, model.hidden) for layer, _ in stage.groups), default=0.0) * ubatch
    attention = max((_attention(s, layer, cells, ubatch) for layer, _ in stage.groups), default=0.0)
    shared = max(copies, mask)
    steps = {
        message(
            "output of a micro-batch: {ubatch:n} tokens x ({vocab:n} words + 2 x {hidden:n}) x 4 bytes",
            ubatch=ubatch,
            vocab=model.vocab,
            hidden=model.hidden,
        ): output,
        message(
            "feed-forward of a micro-batch of {ubatch:n} tokens: {inner:mib}; mask of {context:n} tokens: {mask:mib}",
            ubatch=ubatch,
            inner=inner,
            context=s.context,
            mask=shared,
        ): inner + shared,
        message(
            "attention of a micro-batch of {ubatch:n} tokens: scores or expanded keys {scores:mib}; "
            "mask of {context:n} tokens: {mask:mib}",
            ubatch=ubatch,
            scores=attention,
            context=s.context,
            mask=shared,
        ): attention + shared,
    }
    why = max(steps, key=steps.__getitem__)
    return steps[why], why


def _pipelined(s: Setting) -> bool:
    """Whether devices work on several batches at once: only with all layers and tensors on GPUs."""
    latent = any(isinstance(layer.mixer, LatentAttention) for layer in s.model.groups)
    return s.plan.pp > 1 and (s.workload.offload or "none") == "none" and not latent


def _inner(layer: Layer, hidden: int) -> float:
    channel = layer.channel
    if isinstance(channel, MixtureOfExperts):
        return _EXPERT_NODES * channel.active * hidden * 4
    if isinstance(channel, FeedForward):
        return 2 * channel.intermediate * 4
    return 0.0


def _attention(s: Setting, layer: Layer, cells: int, ubatch: int) -> float:
    block = layer.mixer
    eager = s.workload.attention == "eager" or s.option("flash_attn") is False
    if isinstance(block, LatentAttention) and not expanded_latent(s):
        return _latent(s, block, ubatch)
    return getattr(block, "heads", 0) * cells * 4 if eager else 0.0


def _latent(s: Setting, block: LatentAttention, ubatch: int) -> float:
    batch = s.whole("attn_max_batch_mib", 1024) * MIB
    if s.whole("mla", 3) != 3:
        return _SCORES * batch + _SCORES_BASE
    keys, values = block.qk_nope_head_dim + block.qk_rope_head_dim, block.v_head_dim
    expanded = s.context * block.heads * (keys + values) * 2
    queries = ubatch * block.heads * (keys + values) * 4
    return expanded + queries + batch + _LATENT_BASE
