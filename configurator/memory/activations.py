"""What is trained, and what its layers keep between forward and backward."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.architecture import Layer
from configurator.domain.tensor import Tensor
from configurator.domain.workload import ADAPTERS, Lora
from configurator.memory.adapters import lora_parameters
from configurator.memory.behaviour import boundaries_on_host
from configurator.memory.formats import COMPUTE_BYTES
from configurator.memory.saved import Saving, boundary_per_token, saved_once_per_token, saved_per_token
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage, parameters_of, stage_sum

_SELECTIVE = 0.2
"""Share of activations that selective checkpointing keeps beside layer inputs (torchtitan tables)."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What is trained on one device before sharding, in parameters and bytes."""

    parameters: float
    weight_bytes: float
    """Bytes per trained weight; its gradient has the same type."""
    full: bool

    @property
    def gradients(self) -> float:
        """Bytes of all gradients."""
        return self.parameters * self.weight_bytes


def saving(s: Setting) -> Saving:
    """Return what is trained and in which types, for the count of saved activations."""
    w = s.workload
    # FSDP gathers fp32 shards in 16 bit: the arithmetic sees 16-bit weights, without autocast copies.
    fp32 = s.weight_format == "fp32" and not (s.plan.zero == 3 and w.compute != "fp32")
    lora = w.lora
    targets = frozenset(
        {lora.targets} if lora and isinstance(lora.targets, str) else lora.targets if lora else ()
    )
    if any("linear" in target for target in targets):
        targets = frozenset({"all-linear"})
    return Saving(
        full=w.task not in ADAPTERS,
        targets=targets if w.task in ADAPTERS else frozenset(),
        rank=lora.rank if lora else 0,
        adapter_fp32=w.adapter_dtype == "fp32",
        autocast=bool(s.option("autocast", w.compute != "fp32" and (fp32 or w.task in ADAPTERS))),
        fp32=fp32,
        eager=w.attention == "eager",
        kv_repeated=bool(s.option("kv_heads_repeated", False)),
    )


def trained(s: Setting, stage: Stage) -> Trained:
    """Return what is trained on one rank of a stage."""
    w = s.workload
    if w.task in ADAPTERS:
        lora = w.lora or Lora()
        count = lora.trainable_params or lora_parameters(s.model, lora)
        share = len(stage.layers) / len(s.model.layers) / s.plan.tp
        size = COMPUTE_BYTES.get(w.adapter_dtype or "fp32", 4)
        # Modules trained whole keep the type of the base; only adapters are raised to fp32.
        whole = count - lora_parameters(s.model, lora.model_copy(update={"modules_to_save": ()}))
        mean = size if not lora.modules_to_save else (size * (count - whole) + 2 * whole) / count
        return Trained(count * share, mean, full=False)
    size = 4 if s.weight_format == "fp32" else 2
    return Trained(stage_sum(s.model, stage, s.plan, parameters_of), size, full=True)


def keeps_inputs_only(s: Setting) -> bool:
    """Whether every layer keeps its input alone and is computed again."""
    return bool(s.workload.checkpointing) and s.workload.checkpointing != "selective"


def saved_body(s: Setting, stage: Stage) -> float:
    """Return the bytes kept between forward and backward beside the loss."""
    what, model = saving(s), s.model
    tokens = s.tokens
    once = saved_once_per_token(model, what, s.batch, keeps_inputs_only(s)) if stage.last else 0.0
    mode = s.workload.checkpointing
    if boundaries_on_host(s):
        # Layer inputs wait in host memory; two of them are on the GPU at a time.
        return tokens * (once + 2 * boundary_per_token(model, what))
    if mode == "selective":
        whole = sum(saved_per_token(layer, model, what, s.context) for layer in stage.layers)
        kept = _SELECTIVE * whole + len(stage.layers) * boundary_per_token(model, what)
        return tokens * (once + kept)
    if mode:
        return tokens * (once + len(stage.layers) * boundary_per_token(model, what)) + _cast_copies(s, stage)
    per_token = sum(saved_per_token(layer, model, what, s.context) for layer in _active(s, stage))
    mask = 2 * s.context**2 * s.batch if what.eager else 0
    return tokens * (once + per_token / s.plan.tp) + _cast_copies(s, stage) + mask


def _active(s: Setting, stage: Stage) -> tuple[Layer, ...]:
    """Return the layers that keep activations: all, or those behind the first adapter."""
    lora = s.workload.lora
    if s.workload.task in ADAPTERS and lora and lora.layers:
        return stage.layers[-lora.layers :]
    if s.workload.task in ADAPTERS and s.framework.id == "mlx-lm":
        return stage.layers[-16:]
    return stage.layers


def _cast_copies(s: Setting, stage: Stage) -> float:
    """Return the 16-bit copies of fp32 weights that autocast keeps until the backward pass."""
    what = saving(s)
    if not what.autocast:
        return 0.0
    if what.full and what.fp32:
        return stage_sum(s.model, stage, s.plan, _cast_copy)
    if what.adapter_fp32 and not what.full:
        return 2 * trained(s, stage).parameters
    return 0.0


def _cast_copy(tensor: Tensor) -> float:
    """Measure: bytes of a matrix's 16-bit copy."""
    return 2.0 * tensor.parameters if tensor.role in ("linear", "expert", "head") else 0.0
