"""How a framework and its switches bend the plain arithmetic of training."""

from __future__ import annotations

from configurator.catalog.framework import load_frameworks
from configurator.domain.architecture import MixtureOfExperts
from configurator.domain.ranges import Range
from configurator.memory.formats import is_quantized
from configurator.memory.setting import Setting
from configurator.memory.versions import before
from configurator.memory.weights import Stage

_COMPILED = Range(low=0.6, likely=0.84, high=1.0)
"""Activations under torch.compile: 38 against 45 bytes per hidden unit and layer (torchtune, Llama 3.2 3B)."""
_UNPACKED = Range(low=0.1, likely=0.35, high=1.0)
"""Mean length of unpacked samples as a share of the longest one allowed (Alpaca in torchtune's steps)."""


_INPUTS = Range(low=0.97, likely=1.0, high=1.05)
"""Doubt about the inputs of checkpointed layers: small buffers that the count leaves out."""
_UNLISTED = ("mxfp8", "mxfp4", "nvfp4")
"""Matrix products in block formats: the list of operations that selective checkpointing keeps lacks them."""


def selective_share(s: Setting) -> float:
    """Return the share of activations that selective checkpointing keeps beside layer inputs."""
    return 0.0 if s.option("linear_dtype") in _UNLISTED else s.framework.selective.likely


def keeps_masters(s: Setting) -> bool:
    """Whether fp32 master weights and states stand beside 16-bit weights (DeepSpeed's mixed precision)."""
    return bool(s.framework.master_weights or s.workload.optimizer_states == "fp32" or s.option("deepspeed"))


def bucket_bytes(s: Setting) -> Range | None:
    """Return the buckets of sharded training: the framework's own, or DeepSpeed's where a switch names it."""
    if s.framework.buckets is None and s.option("deepspeed"):
        return load_frameworks()["deepspeed"].buckets
    return s.framework.buckets


def in_flight(s: Setting, stage: Stage) -> int:
    """Return the micro-batches whose activations a pipeline stage holds at a time.

    One forward, one backward: the first stage as many as there are stages, the last stage one. GPipe: all.
    """
    micro = s.workload.grad_accum or 1
    if len(s.stages) < 2 or s.option("pipeline_schedule") == "gpipe":
        return micro if len(s.stages) > 1 else 1
    return min(micro, len(s.stages) - s.stages.index(stage))


def cuts_stream(s: Setting) -> bool:
    """Whether tensor parallelism cuts what stands between its blocks by tokens (sequence parallelism)."""
    return bool(s.option("sequence_parallel", s.framework.sequence_parallel))


def shards_weights(s: Setting) -> bool:
    """Whether data-parallel ranks hold only their share of the weights between two layers."""
    return s.plan.zero == 3 and s.framework.reshards


def trains_on_host(s: Setting) -> bool:
    """Whether gradients and states live in host memory: FSDP moves all three together."""
    return s.plan.zero == 3 and "params" in (s.workload.offload or "")


def quantizes_experts(s: Setting) -> bool:
    """Whether a 4-bit base reaches routed experts.

    bitsandbytes converts linear modules: it reaches experts that are linears (Transformers 4, code of the
    frameworks), and the fused weights of Transformers 5 only where the framework does it by itself.
    """
    default = s.framework.experts_quantized or before(s.workload.framework_version, (5,))
    return bool(s.option("quantize_moe_experts", default))


def cuts_weights(s: Setting) -> bool:
    """Whether full sharding cuts the stored weights: not experts that were quantised while loading."""
    mixed = any(isinstance(layer.channel, MixtureOfExperts) for layer in s.model.groups)
    whole = mixed and is_quantized(s.weight_format) and quantizes_experts(s)
    return s.framework.shards_quantized_experts or not whole


def adapts_experts(s: Setting) -> bool:
    """Whether adapters on every linear wrap the fused weights of routed experts (PEFT with Transformers 5)."""
    targets = s.workload.lora.targets if s.workload.lora else "all-linear"
    if targets != "all-linear" or before(s.workload.framework_version, (5,)):
        return False
    return s.model.family in s.framework.adapts_experts


def boundaries_on_host(s: Setting) -> bool:
    """Whether the inputs of checkpointed layers wait in host memory."""
    switched = bool(s.option("activation_offload")) and bool(s.workload.checkpointing)
    return s.workload.checkpointing == "unsloth" or switched


def activation_factor(s: Setting, inputs_only: bool = False) -> Range:
    """Return what saved activations are of the plain count: framework, compiler, unpacked samples.

    Framework and compiler fuse what layers keep inside; the inputs of checkpointed layers stay as they are.
    """
    found = _INPUTS if inputs_only else s.framework.activations
    if not inputs_only and is_quantized(s.weight_format) and s.framework.activations_quantized is not None:
        found = s.framework.activations_quantized
    if s.option("torch_compile") and not inputs_only:
        found = _times(found, _COMPILED)
    if s.option("packed") is False:
        found = _times(found, _UNPACKED)
    return found


def _times(one: Range, other: Range) -> Range:
    return Range(low=one.low * other.low, likely=one.likely * other.likely, high=one.high * other.high)
