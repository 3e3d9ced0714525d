"""Compute buffers of the llama.cpp family: the largest graph node decides, not a sum."""

from __future__ import annotations

from configurator.domain.architecture import FeedForward, LatentAttention, MixtureOfExperts
from configurator.domain.units import MIB
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

_COPIES = 4
"""Copies of the inputs that pipelined devices keep (GGML_SCHED_MAX_COPIES)."""
_EXPERT_NODES = 3.2
"""Expert outputs alive at once, in units of active experts x hidden width (start-up logs of 235B-A22B)."""
_ATTENTION_NODES = 3.0
"""Attention scores alive at once, in units of the attention batch (-amb), latent attention without expansion."""
_LATENT_BASE = 2100 * MIB
"""Buffers of latent attention beside the scores (logs of DeepSeek R1 with -mla 2)."""


def compute_buffer(s: Setting, stage: Stage) -> float:
    """Return the compute buffer of one device in bytes.

    With the output layer: micro-batch x (vocabulary + 2 x hidden) x 4 bytes, exact to 1 MiB in start-up
    logs. Devices without it hold the widest feed-forward node. Several pipelined devices keep copies of
    the attention mask. Without flash attention the scores are added. Latent attention expands keys and
    values of the whole context (-mla 3), or works on scores in batches (-mla 1, 2).
    """
    ubatch, model = s.whole("n_ubatch", 512), s.model
    output = ubatch * (model.vocab + 2 * model.hidden) * 4 if stage.last else 0
    inner = max((_inner(layer.channel, model.hidden) for layer in stage.layers), default=0.0) * ubatch
    size = max(output, inner)
    if s.plan.pp > 1 and (s.workload.offload or "none") == "none":
        size += _COPIES * s.context * ubatch * 4
    latent = next((layer.mixer for layer in stage.layers if isinstance(layer.mixer, LatentAttention)), None)
    if latent is not None:
        return size + _latent(s, latent)
    if s.workload.attention == "eager" or s.option("flash_attn") is False:
        heads = max((getattr(layer.mixer, "heads", 0) for layer in stage.layers), default=0)
        size += heads * s.context * ubatch * 4
    return size


def _inner(channel: object, hidden: int) -> float:
    if isinstance(channel, MixtureOfExperts):
        return _EXPERT_NODES * channel.active * hidden * 4
    if isinstance(channel, FeedForward):
        return (2 * channel.intermediate + hidden) * 4
    return 0.0


def _latent(s: Setting, block: LatentAttention) -> float:
    if s.whole("mla", 3) == 3:
        width = block.qk_nope_head_dim + block.qk_rope_head_dim + block.v_head_dim
        return s.context * block.heads * width * 2
    return _ATTENTION_NODES * s.whole("attn_max_batch_mib", 1024) * MIB + _LATENT_BASE
