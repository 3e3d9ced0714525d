"""What is trained, and what its layers keep between forward and backward."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, reduce

from configurator.domain.architecture import Architecture
from configurator.domain.tensor import Tensor
from configurator.domain.workload import ADAPTERS, Lora
from configurator.memory.adapters import expert_parameters, lora_parameters, module_names
from configurator.memory.behaviour import (
    adapts_experts,
    boundaries_on_host,
    cuts_stream,
    in_flight,
    selective_share,
)
from configurator.memory.formats import COMPUTE_BYTES
from configurator.memory.reads import Saving
from configurator.memory.saved import (
    NOTHING,
    Kept,
    boundary_per_token,
    layer_kept,
    layer_peak,
    saved_once_per_token,
)
from configurator.memory.setting import Setting
from configurator.memory.tensors import layer_tensors
from configurator.memory.weights import Stage, parameters_of, stage_sum


@dataclass(frozen=True, slots=True)
class Trained:
    """What is trained on one device before sharding, in parameters and bytes."""

    parameters: float
    weight_bytes: float
    """Bytes per trained weight."""
    full: bool
    gradient_bytes: float | None = None
    """Bytes per gradient; absent: as the weight."""

    @property
    def gradients(self) -> float:
        """Bytes of all gradients."""
        return self.parameters * (self.gradient_bytes or self.weight_bytes)


def saving(s: Setting) -> Saving:
    """Return what is trained and in which types, for the count of saved activations."""
    w = s.workload
    # FSDP gathers fp32 shards in 16 bit: the arithmetic sees 16-bit weights, without autocast copies.
    fp32 = s.weight_format == "fp32" and not (s.plan.zero == 3 and w.compute != "fp32")
    adapters = w.task in ADAPTERS
    lora = w.lora or Lora()
    return Saving(
        full=not adapters,
        targets=module_names(lora) if adapters else frozenset(),
        rank=lora.rank if adapters else 0,
        adapter_fp32=adapters and w.adapter_dtype == "fp32",
        autocast=bool(s.option("autocast", _autocast(s, fp32))),
        fp32=fp32,
        eager=w.attention == "eager",
        plain_scores=s.framework.plain_scores,
        kv_repeated=bool(s.option("kv_heads_repeated", False)),
        dora=adapters and (lora.dora or bool(s.option("use_dora", False))),
        experts=adapters and adapts_experts(s),
        own_code=s.framework.own_code,
        recurrence=s.framework.recurrence,
    )


def _autocast(s: Setting, fp32: bool) -> bool:
    """Whether autocast runs where no switch says so: for fp32 weights or adapters with 16-bit arithmetic.

    A case that states one 16-bit type for weights and arithmetic, and fp32 for its adapters, has none; neither has
    a run whose precision is called pure.
    """
    w, stated = s.workload, s.case.workload
    if w.compute == "fp32" or str(s.option("precision")).startswith("pure"):
        return False
    plain = stated.compute is not None and stated.compute == stated.weights and stated.adapter_dtype == "fp32"
    return fp32 or (w.task in ADAPTERS and not plain)


def trained(s: Setting, stage: Stage) -> Trained:
    """Return what is trained on one rank of a stage."""
    w = s.workload
    if w.task not in ADAPTERS:
        size = 4 if s.weight_format == "fp32" else 2
        gradient = 4 if s.framework.gradients_fp32 else size
        return Trained(
            stage_sum(s.model, stage, s.plan, parameters_of), size, full=True, gradient_bytes=gradient
        )
    lora = w.lora or Lora()
    if s.option("use_dora") and not lora.dora:
        lora = lora.model_copy(update={"dora": True})
    count: float = lora.trainable_params or lora_parameters(s.model, lora)
    if adapts_experts(s) and not lora.trainable_params:
        count += expert_parameters(s.model, lora.rank)
    share = len(stage.layers) / len(s.model.layers) / s.plan.tp
    size = COMPUTE_BYTES.get(w.adapter_dtype or "fp32", 4)
    if not lora.modules_to_save:
        return Trained(count * share, size, full=False)
    # Modules trained whole keep the type of the base; only adapters are raised to fp32.
    whole = count - lora_parameters(s.model, lora.model_copy(update={"modules_to_save": ()}))
    return Trained(count * share, (size * (count - whole) + 2 * whole) / count, full=False)


def keeps_inputs_only(s: Setting) -> bool:
    """Whether every layer keeps its input alone and is computed again."""
    return bool(s.workload.checkpointing) and s.workload.checkpointing != "selective"


@lru_cache(maxsize=1024)
def _stage_kept(stage: Stage, a: Architecture, what: Saving, active: int) -> Kept:
    """Return what the last `active` layers of a stage keep together."""
    if active >= len(stage.layers):
        parts = [layer_kept(layer, a, what).times(count) for layer, count in stage.groups]
    else:
        parts = [layer_kept(layer, a, what) for layer in stage.layers[-active:]]
    return reduce(Kept.plus, parts, NOTHING)


def _active(s: Setting, stage: Stage, what: Saving) -> int:
    """Return the layers that keep activations: all, or those from the first adapter on."""
    if what.full:
        return len(stage.layers)
    tuned = _tuned(s, len(stage.layers))
    if tuned < len(stage.layers) or not stage.first:
        return tuned
    return tuned - _untouched(stage, s.model, what)


@lru_cache(maxsize=1024)
def _untouched(stage: Stage, a: Architecture, what: Saving) -> int:
    """Return the layers before the first one with an adapter: nothing behind them needs their gradients."""
    for index, layer in enumerate(stage.layers):
        if what.experts or any(what.adapts(t.module) for t in layer_tensors(layer, a) if t.role == "linear"):
            return index
    return 0


def _tuned(s: Setting, layers: int) -> int:
    """Return the layers whose inputs checkpointing keeps: all, or the tuned tail."""
    lora = s.workload.lora
    tuned = (lora.layers if lora else None) or s.framework.tuned_layers
    return min(tuned, layers) if tuned and s.workload.task in ADAPTERS else layers


def saved_body(s: Setting, stage: Stage, what: Saving) -> float:
    """Return the bytes kept between forward and backward beside the loss and the casts of weights."""
    tokens, context, layers = s.tokens, s.context / s.plan.cp, len(stage.layers)
    tp, by_tokens = s.plan.tp, cuts_stream(s)
    total = 0.0
    if stage.last:
        once, rotary = saved_once_per_token(s.model, what, keeps_inputs_only(s))
        total += tokens * once + context * rotary
    if what.eager:
        # The causal mask in 16 bit, one for every kind of window.
        total += 2 * s.model.masks * context * s.context * s.batch
    boundaries = tokens * boundary_per_token(s.model, what) / (tp if by_tokens else 1)
    if boundaries_on_host(s):
        # Layer inputs wait in host memory; two of them are on the GPU at a time.
        return total + 2 * boundaries
    mode = s.workload.checkpointing
    if mode and mode != "selective":
        return total + _tuned(s, layers) * boundaries
    kept = _stage_kept(stage, s.model, what, _active(s, stage, what)).cut(tp, by_tokens)
    whole = kept.size(tokens, s.context)
    if mode == "selective":
        return total + selective_share(s) * whole + layers * boundaries
    return total + whole


def cast_copies(s: Setting, stage: Stage, what: Saving, backward: bool) -> float:
    """Return the 16-bit copies of fp32 weights that autocast makes.

    Without checkpointing they stay until the backward pass; checkpointed layers drop theirs with the
    forward pass, and only the head's stays.
    """
    if not what.autocast:
        return 0.0
    dropped = backward and keeps_inputs_only(s)
    if what.fp32:
        # Frozen weights are cast as well: the gradient of their input needs the copy.
        head = _head(s) if stage.last else 0.0
        return head if dropped else head + stage_sum(s.model, stage, s.plan, _cast_copy)
    if what.adapter_fp32 and not dropped:
        return 2 * trained(s, stage).parameters
    return 0.0


def activations_seen(s: Setting, stage: Stage) -> float:
    """Return what lives between forward and backward beside the loss, as a log shows it before the head."""
    what = saving(s)
    head = what.fp32 and what.autocast and stage.last
    return (
        in_flight(s, stage) * saved_body(s, stage, what)
        + cast_copies(s, stage, what, backward=False)
        - (_head(s) if head else 0)
    )


@lru_cache(maxsize=1024)
def _peaks(stage: Stage, a: Architecture, what: Saving) -> tuple[tuple[Kept, tuple[Kept, ...]], ...]:
    return tuple((layer_kept(layer, a, what), layer_peak(layer, a, what)) for layer, _ in stage.groups)


def layer_moment(s: Setting, stage: Stage, what: Saving) -> tuple[float, float]:
    """Return what the largest layer keeps and the most it holds while its backward pass runs, in bytes."""
    kept = most = 0.0
    tp, by_tokens = s.plan.tp, cuts_stream(s)
    for whole, ends in _peaks(stage, s.model, what):
        kept = max(kept, whole.cut(tp, by_tokens).size(s.tokens, s.context))
        most = max(most, *(end.cut(tp, by_tokens).size(s.tokens, s.context) for end in ends))
    return kept, most


def _cast_copy(tensor: Tensor) -> float:
    """Measure: bytes of the 16-bit copy of a matrix inside the layers."""
    return 2.0 * tensor.parameters if tensor.role in ("linear", "expert") else 0.0


def _head(s: Setting) -> float:
    """Return the bytes of the head's 16-bit copy."""
    return 2.0 * s.model.vocab * s.model.hidden / s.plan.tp
