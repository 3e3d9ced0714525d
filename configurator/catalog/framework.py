"""Framework profiles: what a framework keeps in which type and where, as data."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import CATALOGS
from configurator.domain.base import DateText, Several, Word
from configurator.domain.ranges import Range
from configurator.domain.workload import Attention, Checkpointing


class RanksShare(Word):
    """A share that holds from so many tensor-parallel ranks on."""

    ranks: int
    share: float


class Pool(Word):
    """Memory that a server fills on purpose: not need, but reservation."""

    option: str
    """The framework's own switch."""
    default: float
    """Share that is taken where nothing is stated."""
    parallel: Several[RanksShare] = ()
    """The same with tensor parallelism, in order of ranks."""
    of: Literal["card", "free", "left"] = "card"
    """Share of what: of the card, of its free memory before the weights (for weights and pool alone), or of what
    weights and buffers leave."""
    non_torch_gib: Range = Range(low=0.0, likely=0.0, high=0.0)
    """Libraries inside the share on one GPU."""
    non_torch_parallel_gib: Range = Range(low=0.0, likely=0.0, high=0.0)
    """The same with several GPUs: NCCL, custom all-reduce."""
    graphs_gib: Range | None = None
    """CUDA graphs as they are estimated inside the share."""
    graphs_inside_from: Several[int] = ()
    """Version from which they are."""

    def default_of(self, ranks: int) -> float:
        """Return the default share for so many tensor-parallel ranks."""
        return [self.default, *(step.share for step in self.parallel if ranks >= step.ranks)][-1]


class Framework(Word):
    """How one framework behaves. Every constant is low/likely/high with its source."""

    id: str
    name: str
    aliases: Several[str] = ()
    source: str
    date: DateText
    models: Literal["language", "images"] = "language"
    """What kind of model it runs."""
    tasks: Several[str]
    os: Several[Literal["windows", "wsl2", "linux", "macos"]]
    default_weights: dict[str, str]
    """Weight format assumed per task."""
    context_gib: Range
    """Driver context and libraries of one process on one device."""
    fragmentation: Range
    """Allocator memory reserved over memory allocated, training."""
    workspace: Literal["prefill", "eager", "llama.cpp", "constant", "server"] = "constant"
    """Mechanism of the momentary buffers of inference."""
    workspace_gib: Range
    """Constant part of those buffers."""
    workspace_spread: Range = Range(low=0.6, likely=1.0, high=1.6)
    """Measured momentary buffers over those of the mechanism."""
    sampler_buffers: float = 4.0
    """Buffers of fp32 logits in a server's profiling run, in units of rows x vocabulary."""
    sampler_buffers_old: float = 4.0
    """The same before `sampler_changed`."""
    sampler_changed: Several[int] = ()
    dequantizes: bool = False
    """A quantised matrix is unpacked as a whole, its input beside it."""
    latent_scores: bool = False
    """Latent attention has no fused kernel: scores of a step of the prompt are held."""
    cache_at_least: int = 0
    """Tokens for which the cache is allocated at least."""
    fills_in_order: bool = False
    """Fills a card with layers before the next one gets any."""
    unties_head: bool = False
    """Keeps a head of its own where the model ties it to the embedding."""
    window: Literal["transformers", "llama.cpp", "exact", "ignored"] = "exact"
    """How many tokens a sliding-window layer keeps."""
    latent_cache: Literal["compressed", "expanded"] = "compressed"
    embedding_on_host: bool = False
    short_mask: bool = False
    """The fork ik_llama.cpp: a 16-bit attention mask, latent attention by its own switch."""
    loads_towers: bool = True
    """Whether vision towers are loaded with the language model."""
    logits: Literal["full", "chunked", "fused"] = "full"
    """Whether the loss sees all logits at once, chunk by chunk, or never stores them."""
    activations: Range = Range(low=0.97, likely=1.0, high=1.05)
    """Saved activations over those of the Transformers code."""
    activations_quantized: Range | None = None
    """The same on a quantised base; absent: no difference."""
    selective: Range = Range(low=0.1, likely=0.2, high=0.35)
    """Share of activations that selective checkpointing keeps beside layer inputs."""
    adapts_experts: Several[str] = ()
    """Families of models where adapters on every linear reach the fused weights of routed experts too."""
    raises_outer: bool = False
    """Scripts may raise embedding and head of a quantised base to fp32 (PEFT's preparation for k-bit training)."""
    own_code: bool = False
    """The framework has its own code of the models, with fused norms and activations; else Transformers'."""
    recurrence: Literal["reference", "fused"] = "fused"
    """Recurrent mixers run as fused kernels, or as the framework's reference code."""
    tuned_layers: int | None = None
    """Only the last so many layers carry adapters unless the case says otherwise; absent: all."""
    reshards: bool = True
    """Whether full sharding frees gathered weights behind each layer."""
    logits_bytes: Range = Range(low=11.4, likely=12.0, high=14.4)
    """Bytes per token and vocabulary entry that a full loss holds at its peak."""
    logits_compiled: Range = Range(low=5.0, likely=8.0, high=11.0)
    """The same where the compiler fuses the loss."""
    loss_chunks: int | None = None
    """A fused loss takes the sequence in so many pieces; absent: pieces of 1,024 tokens."""
    plain_scores: bool = False
    """Eager attention keeps its softmax in the type of the arithmetic, not in fp32 and 16 bit."""
    experts_quantized: bool = True
    """4-bit bases reach routed experts; else fused experts stay in 16 bit."""
    step_temporaries: Range = Range(low=0.0, likely=4.0, high=12.0)
    """Bytes per value of the largest matrix while an optimizer in the backward pass steps it by itself."""
    reduces_in_fp32: bool = False
    """Full sharding holds unsharded gradients of a unit and of the outer matrices, in 16 bit and fp32."""
    shards_quantized_experts: bool = True
    """Full sharding cuts experts that were quantised while loading."""
    adapter_dtype: str = "fp32"
    compute: str | None = None
    """Type of the arithmetic unless the case states it; absent: as the weights."""
    log: Literal["allocated", "reserved", "total"] = "total"
    """What the framework's own log of its peak counts while it trains."""
    gradients_fp32: bool = False
    """Gradients of 16-bit weights are added up in fp32."""
    sequence_parallel: bool = False
    """Tensor parallelism cuts what stands between its blocks by tokens, too."""
    buckets: Range | None = None
    """Bytes that sharded training keeps for gradients and gathered weights on their way."""
    master_weights: bool = False
    """Keeps fp32 master weights and states beside 16-bit weights."""
    checkpointing: Checkpointing = True
    optimizer: str = "adamw"
    optimizer_foreach: bool = False
    """The optimizer step needs one temporary copy of the trained weights."""
    attention: Attention = "sdpa"
    """Attention of networks for images where none is named."""
    keeps_average: bool = False
    """Keeps a running average of the weights beside them (images)."""
    encodes_once: Several[Literal["prompts", "images"]] = ()
    """What is encoded before training, so that its encoder leaves the GPU (images)."""
    pool: Pool | None = None


@lru_cache
def load_frameworks(folder: Path = CATALOGS / "frameworks") -> dict[str, Framework]:
    """Read all profiles by id."""
    profiles = {}
    for path in sorted(folder.glob("*.yaml")):
        profile = Framework.model_validate(read_catalog_file(path))
        profiles[profile.id] = profile
    return profiles


def resolve_framework(name: str) -> Framework | None:
    """Return the profile for an id or alias as people and logs write it, if there is one."""
    wanted = name.lower()
    for profile in load_frameworks().values():
        if wanted == profile.id or wanted in profile.aliases:
            return profile
    return None
