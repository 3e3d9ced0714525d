"""Weights that stay on a device: after dealing layers out, offload and overrides; the rest is the host's."""

from __future__ import annotations

from functools import lru_cache

from configurator.domain.architecture import MixtureOfExperts
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.ranges import Range
from configurator.domain.tensor import Tensor
from configurator.domain.units import MIB
from configurator.memory.formats import bits_of, is_k_mix, weight_doubt
from configurator.memory.override import overrides, placed
from configurator.memory.sequences import RECURRENT, drafted
from configurator.memory.setting import Setting
from configurator.memory.weights import Measure, Stage, bytes_in, layer_sum, outer_sum, stage_sum, whole_model

_MIX_EXTRA = 1.5
"""Bits by which llama.cpp's K mixes keep attention and shared parts of expert models above the mix."""
_MIX_LEAST = 5.0
"""Bits that these parts have at least (Q2_K of DeepSeek R1: 5.1)."""
_CERTAIN_REST = 0.12
"""Share of a file above which what is not on the host is known well enough."""


def weights_on_device(s: Setting, stage: Stage) -> float:
    """Return the weight bytes that stay on the device under the stated offload."""
    drafting = _drafting(s) if stage.last else 0.0
    if s.framework.workspace == "llama.cpp":
        return _llama_weights(s, stage) + drafting
    return stage_sum(s.model, stage, s.plan, _resident(s)) + drafting


def _drafting(s: Setting) -> float:
    """Return the bytes of the layer for multi-token prediction: one more with attention, and a projection of two
    hidden widths to one."""
    full = [layer for layer in s.model.layers if layer.mixer and not isinstance(layer.mixer, RECURRENT)]
    if not drafted(s) or not full:
        return 0.0
    measure = _resident(s)
    projection = Tensor("eh_proj", "linear", s.model.hidden, 2 * s.model.hidden)
    return layer_sum(s.model, full[-1], s.plan, measure) + measure(projection)


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
        head_too=s.framework.unties_head and s.model.tied and s.plan.pp == 1,
        mixed=bool(llama and _has_experts(s) and is_k_mix(s.weight_format)),
    )


@lru_cache(maxsize=256)
def _resident_bytes(
    weight_format: str,
    *,
    experts_away: bool,
    towers: bool,
    embedding_away: bool,
    tied: bool,
    head_too: bool,
    mixed: bool,
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
        if head_too and tensor.module == "embed_tokens":
            return measure(tensor) + tensor.parameters * bits_of(weight_format, "head") / 8
        if mixed and tensor.role == "linear" and not tensor.stored:
            bits = bits_of(weight_format, "linear") + _MIX_EXTRA
            return tensor.parameters * max(bits, _MIX_LEAST) / 8
        return measure(tensor)

    return resident


def _has_experts(s: Setting) -> bool:
    return any(isinstance(layer.channel, MixtureOfExperts) for layer in s.model.groups)


def weights_why(s: Setting, stage: Stage, size: float) -> Message:
    """Return the arithmetic of a device's weights."""
    facts = {"layers": len(stage.layers), "all": len(s.model.layers), "format": s.weight_format, "size": size}
    if s.as_stored:
        return message(
            "{layers} of {all} layers as the file stores them, mostly {format}: {size:gib}", **facts
        )
    return message("{layers} of {all} layers in {format}: {size:gib}", **facts)


def doubt_of_weights(s: Setting) -> Range:
    """Return how far weights may lie from what the format says; a file's own bytes leave little doubt."""
    return weight_doubt("bf16" if s.as_stored else s.weight_format)


def host_weights(s: Setting) -> float:
    """Return the weight bytes that the host keeps for the whole machine: offloaded layers and experts, and an
    embedding left there."""
    uncut = s.plan.model_copy(update={"tp": 1, "ep": 1})
    everything = whole_model(s.model)
    whole = stage_sum(s.model, everything, uncut, bytes_in(s.weight_format))
    if s.framework.workspace == "llama.cpp":
        return max(0.0, whole - sum(weights_on_device(s, stage) for stage in s.stages) * s.plan.tp)
    return whole - stage_sum(s.model, everything, uncut, _resident(s))
