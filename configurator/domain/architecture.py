"""The structure of a decoder model: layers made of blocks.

A block states facts only. What tensors it has, what it keeps per token and what it saves for the
backward pass is answered in `configurator.memory`. Blocks are frozen and hashable, so equal layers
are counted and computed once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from configurator.domain.tensor import Role

Norm = Literal["rms", "layer"]


@dataclass(frozen=True, slots=True)
class Attention:
    """Softmax attention with grouped queries (multi-head and multi-query are its limits)."""

    heads: int
    kv_heads: int
    head_dim: int
    window: int | None = None
    """Sliding window in tokens; absent: full attention."""
    qk_norm: Literal["none", "head", "full"] = "none"
    """Norm of queries and keys: per head dimension (Qwen3, Gemma 3) or over all heads (OLMo-2)."""
    qkv_bias: bool = False
    output_bias: bool = False
    fused_qkv: bool = False
    """One tensor for q, k and v (Falcon, GPT-2, Phi-3, GPT-NeoX, Qwen 1)."""
    output_name: str = "o_proj"
    """The output projection's name in the code (GPT-2: c_proj)."""
    output_gate: bool = False
    """A gate as wide as the queries inside the query projection (Qwen3-Next, Qwen3.5)."""
    sinks: bool = False
    """One learned sink per head (gpt-oss)."""
    keys_are_values: bool = False
    """Keys and values share one projection and one cache (Gemma 4 global layers)."""
    softcap: bool = False
    """Attention logits are soft-capped (Gemma 2)."""
    partial_rotary: bool = False
    """Queries and keys are joined from a rotated and a plain part, so their copies lie head by head."""

    @property
    def q_dim(self) -> int:
        """Width of all queries."""
        return self.heads * self.head_dim

    @property
    def kv_dim(self) -> int:
        """Width of all keys, and of all values."""
        return self.kv_heads * self.head_dim


@dataclass(frozen=True, slots=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek, Kimi, GLM): keys and values from one small latent."""

    heads: int
    q_lora_rank: int | None
    kv_lora_rank: int
    qk_nope_head_dim: int
    qk_rope_head_dim: int
    v_head_dim: int
    index_heads: int = 0
    """Heads of the sparse-attention indexer (DSA); 0: none."""
    index_head_dim: int = 0


@dataclass(frozen=True, slots=True)
class GatedDeltaNet:
    """Linear attention with a gated delta rule (Qwen3-Next, Qwen3.5/3.6)."""

    key_heads: int
    value_heads: int
    key_head_dim: int
    value_head_dim: int
    conv_kernel: int
    split_projections: bool = False
    """Four input projections (Qwen3.5) instead of two fused ones (Qwen3-Next)."""


@dataclass(frozen=True, slots=True)
class KimiDeltaAttention:
    """Linear attention of Kimi-Linear: a delta rule with a gate per channel."""

    heads: int
    head_dim: int
    conv_kernel: int


@dataclass(frozen=True, slots=True)
class Mamba2:
    """State-space mixer (Granite 4, Nemotron-H)."""

    heads: int
    head_dim: int
    groups: int
    state: int
    conv_kernel: int
    conv_bias: bool = True
    projection_bias: bool = False
    chunk: int = 256
    """Tokens that the chunked scan takes at once."""

    @property
    def inner(self) -> int:
        """Width of the mixer."""
        return self.heads * self.head_dim


@dataclass(frozen=True, slots=True)
class ShortConv:
    """Gated short convolution (LFM2)."""

    width: int
    conv_kernel: int
    bias: bool = False


@dataclass(frozen=True, slots=True)
class FeedForward:
    """Two-matrix or gated three-matrix feed-forward block."""

    intermediate: int
    gated: bool = True
    bias: bool = False
    fused_gate_up: bool = False
    steps: float = 0.0
    """Bytes per inner value more that training keeps where the model's own code computes the activation in
    steps: GELU by tanh written out (6), xIELU (5)."""


@dataclass(frozen=True, slots=True)
class MixtureOfExperts:
    """Routed experts, of which `active` work on a token, and shared ones that always work."""

    experts: int
    active: int
    intermediate: int
    shared_intermediate: int = 0
    """Width of the shared experts together; 0: none."""
    shared_gate: bool = False
    shared_fused: bool = False
    """Gate and up of the shared expert are one matrix (Granite 4)."""
    router_bias: bool = False
    router_float: bool = False
    """The router works in fp32 (DeepSeek, GLM, Kimi)."""
    expert_bias: bool = False
    gated: bool = True
    dense_intermediate: int = 0
    """A dense feed-forward beside the experts; 0: none."""


Mixer = Attention | LatentAttention | GatedDeltaNet | KimiDeltaAttention | Mamba2 | ShortConv
Channel = FeedForward | MixtureOfExperts


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds of a layer, or of all that is outside of the layers, to the byte."""

    format: str
    """The file's weight format: that of most of its parameters."""
    sizes: tuple[tuple[Role, int], ...]
    """Bytes by role; `norm` holds all that is no matrix of its own role."""

    @property
    def size(self) -> int:
        """All bytes together."""
        return sum(size for _, size in self.sizes)


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: a token mixer, a channel mixer, or (Nemotron-H) only one of the two."""

    mixer: Mixer | None
    channel: Channel | None
    norms: int = 2
    """Norms of the hidden width."""
    parallel: bool = False
    """Attention and feed-forward read the same input (Falcon, Phi, Cohere)."""
    stored: Stored | None = None
    """The bytes in the model's file; absent: by the rules of the format."""


@dataclass(frozen=True, slots=True)
class Tower:
    """A part beside the decoder by its parameter count: vision tower, projector, audio encoder."""

    name: str
    parameters: int


@dataclass(frozen=True, slots=True)
class Quantization:
    """How a checkpoint says its linear weights are stored."""

    format: str
    """A weight format of the contract, e.g. awq4, gptq4, fp8, nvfp4, mxfp4, mlx-4bit-g64."""
    group_size: int | None = None
    ignored: tuple[str, ...] = ()
    """Module names or patterns kept in 16 bit."""


@dataclass(frozen=True, eq=False)
class Architecture:
    """A decoder model: embedding, layers in order, final norm, head. Compared by identity: the shelf
    makes each model once."""

    family: str
    """`model_type` of its configuration."""
    hidden: int
    vocab: int
    layers: tuple[Layer, ...]
    tied: bool = False
    """The head uses the embedding's weights."""
    norm: Norm = "rms"
    norm_bias: bool = True
    """Layer norms carry a bias."""
    norm_offset_float: bool = False
    """The norm multiplies by its weight in float32 and keeps one copy more (Gemma, OLMo 2, gpt-oss, Qwen 3.5)."""
    final_norm: bool = True
    embedding_norm: bool = False
    """A norm behind the embedding."""
    learned_positions: int = 0
    """Rows of a learned position embedding; 0: none."""
    head_bias: bool = False
    logit_softcap: bool = False
    logits_raised: bool = True
    """The code raises logits to fp32 before the loss."""
    rotary_tables: int = 1
    """Tables of rotary angles: two where sliding and full layers turn at different rates (Gemma 3)."""
    max_context: int | None = None
    towers: tuple[Tower, ...] = ()
    mtp_layers: tuple[Layer, ...] = ()
    """Layers for multi-token prediction, used only for speculation."""
    quantization: Quantization | None = None
    stored: Stored | None = None
    """What the model's file holds outside of the layers; absent: no file was read."""
    file_size: int = 0
    """Bytes of the model's files where only their sum is known."""
    notes: tuple[str, ...] = ()
    """What the importer inferred, in words."""

    @cached_property
    def masks(self) -> int:
        """Kinds of causal masks: one for every window in use."""
        windows = {layer.mixer.window for layer in self.layers if isinstance(layer.mixer, Attention)}
        return max(1, len(windows))

    @cached_property
    def groups(self) -> dict[Layer, int]:
        """Equal layers and how often each occurs."""
        return dict(Counter(self.layers))
