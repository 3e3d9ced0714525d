"""Saved activations: what one layer keeps between forward and backward.

Read off the saved-tensor lists of the Transformers code, module by module; `h` hidden, `q` and `kv`
width of all queries and keys, `H` heads, `I` intermediate. A norm keeps its input in fp32 (4h), its
inverse root (4 bytes) and, when its weight is trained, the normalised value (2h, or 4h where it
multiplies in fp32). What a linear reads is kept where its weight or its adapter is trained. What the
blocks between norms keep themselves is in `saved_mixers` and `saved_channels`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from configurator.domain.architecture import Architecture, Attention, Layer
from configurator.memory.reads import Read, Saving, read
from configurator.memory.saved_channels import channel_kept, channel_reads
from configurator.memory.saved_mixers import heads_of, mixer_kept, mixer_reads, score_bytes
from configurator.memory.tensors import layer_tensors


@dataclass(frozen=True, slots=True)
class Kept:
    """What a layer keeps: bytes per token, per token and token of context, and whatever the tokens."""

    per_token: float
    per_score: float = 0.0
    """Bytes per token and token of context: eager attention keeps its scores."""
    per_step: float = 0.0
    """Bytes that do not grow with the tokens: weights of experts with their adapters merged in."""
    stream: float = 0.0
    """Of `per_token`, what stands between the blocks that tensor parallelism cuts: norms and their outputs."""

    def size(self, tokens: float, context: float) -> float:
        """Return the bytes for so many tokens in sequences of `context`."""
        return tokens * (self.per_token + self.per_score * context) + self.per_step

    def times(self, factor: float) -> Kept:
        """Return what a share of a layer keeps, or several layers."""
        return Kept(
            self.per_token * factor, self.per_score * factor, self.per_step * factor, self.stream * factor
        )

    def cut(self, tp: int, stream_too: bool) -> Kept:
        """Return what one of `tp` ranks keeps; the stream is cut by tokens or stays whole on each."""
        if tp == 1:
            return self
        whole = 0.0 if stream_too else self.stream
        inner = self.per_token - whole
        return Kept(whole + inner / tp, self.per_score / tp, self.per_step / tp, self.stream)

    def plus(self, other: Kept) -> Kept:
        """Return what both keep."""
        return Kept(
            self.per_token + other.per_token,
            self.per_score + other.per_score,
            self.per_step + other.per_step,
            self.stream + other.stream,
        )


NOTHING = Kept(0.0)


def _norm(a: Architecture, s: Saving) -> float:
    """Return what one norm keeps per token besides its output."""
    h = a.hidden
    if a.norm == "layer" and not a.norm_bias and not s.own_code:
        # Cohere's layer norm is written out in fp32: the centred value twice, normalised once more if trained.
        return (12 if s.full else 8) * h + 4
    if a.norm == "layer":
        return (4 if s.fp32 else 2) * h + 8
    if not s.full:
        return 4 * h + 4
    return (8 if s.fp32 or a.norm_offset_float else 6) * h + 4


def _reads(layer: Layer, a: Architecture, s: Saving) -> tuple[Read, ...]:
    """Return the inputs that the layer's linears read."""
    inputs = mixer_reads(layer.mixer, a.hidden, s) if layer.mixer else ()
    channel = channel_reads(layer.channel, a.hidden, s) if layer.channel else ()
    if layer.parallel and layer.norms == 1 and inputs and channel:
        # Attention and feed-forward read the same normalised input.
        both = Read(a.hidden, inputs[0].linears + channel[0].linears, stream=True)
        inputs, channel = (both, *inputs[1:]), channel[1:]
    return (*inputs, *channel)


@lru_cache(maxsize=4096)
def layer_kept(layer: Layer, a: Architecture, s: Saving) -> Kept:
    """Return what one layer keeps without checkpointing."""
    reads = _reads(layer, a, s)
    stream = layer.norms * _norm(a, s) + sum(read(one, s) for one in reads if one.stream)
    total = stream + sum(read(one, s) for one in reads if not one.stream)
    scores = score_bytes(layer.mixer, s)
    fixed = 0.0
    if layer.mixer is not None:
        total += mixer_kept(layer.mixer, a, s)
    if layer.channel is not None:
        inner, fixed = channel_kept(layer.channel, a, s)
        total += inner
    return Kept(total, scores, fixed, stream)


@lru_cache(maxsize=4096)
def layer_peak(layer: Layer, a: Architecture, s: Saving) -> tuple[Kept, ...]:
    """Return the ends of a layer's backward pass between which it holds most.

    First all that it keeps; adapters merged into experts meet the gradient of one of their three
    matrices. Then, with eager attention, the feed-forward is done and the fp32 scores meet their own
    gradient and that of their input: 6 bytes a score beside those that are kept.
    """
    whole = layer_kept(layer, a, s)
    first = Kept(whole.per_token, whole.per_score, whole.per_step * 4 / 3, whole.stream)
    if not whole.per_score or layer.mixer is None:
        return (first,)
    rest = mixer_kept(layer.mixer, a, s) + _norm(a, s)
    heads = heads_of(layer.mixer)
    plain = whole.per_score == heads * s.value
    return first, Kept(
        rest, stream=_norm(a, s), per_score=whole.per_score + (2 * s.value if plain else 6) * heads
    )


@lru_cache(maxsize=1024)
def weight_copies(a: Architecture, s: Saving, quantized: bool) -> float:
    """Return the bytes of momentary weights that one linear makes.

    A quantised weight is restored in 16 bit. DoRA multiplies its factors out: an identity as wide as the
    input, the product, and its sum with the weight.
    """
    most = 0.0
    size = 4 if s.adapter_fp32 else 2
    for layer in a.groups:
        for tensor in layer_tensors(layer, a):
            if tensor.role != "linear":
                continue
            restored = 2.0 * tensor.rows * tensor.cols if quantized else 0.0
            if s.dora and s.adapts(tensor.module):
                restored += size * (tensor.cols**2 + 2 * tensor.rows * tensor.cols)
            most = max(most, restored)
    return most


@lru_cache(maxsize=1024)
def saved_once_per_token(a: Architecture, s: Saving, checkpointing: bool) -> tuple[float, float]:
    """Return what is kept per token once for the model - the final norm and its output - and the rotary
    table per token of one sequence, whatever the batch.
    """
    mixer = next((layer.mixer for layer in a.layers if isinstance(layer.mixer, Attention)), None)
    rotary = a.rotary_tables * 4 * mixer.head_dim if mixer and not a.learned_positions else 0
    if s.full or checkpointing:
        return _norm(a, s) + s.value * a.hidden, rotary
    return 2 * a.hidden, rotary


def boundary_per_token(a: Architecture, s: Saving) -> int:
    """Return what a checkpointed layer keeps per token: its input in the type of the residual stream."""
    return (4 if s.fp32 else 2) * a.hidden
