"""Training: the books of one device through forward, backward and optimizer step."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.architecture import Layer
from configurator.domain.ledger import Phase
from configurator.domain.message import message
from configurator.domain.ranges import Bytes, exact, spread
from configurator.domain.tensor import Tensor
from configurator.domain.units import GIB
from configurator.domain.workload import ADAPTERS, Lora
from configurator.memory import sources
from configurator.memory.adapters import lora_parameters
from configurator.memory.behaviour import (
    activation_factor,
    boundaries_on_host,
    keeps_masters,
    shards_weights,
    trains_on_host,
)
from configurator.memory.books import Books
from configurator.memory.formats import COMPUTE_BYTES, is_quantized
from configurator.memory.logits import enter_logits
from configurator.memory.optimizers import optimizer
from configurator.memory.saved import Saving, boundary_per_token, saved_once_per_token, saved_per_token
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage, bytes_in, layer_sum, outer_sum, parameters_of, stage_sum

WHOLE: tuple[Phase, ...] = ("load", "forward", "backward", "step")
RUN: tuple[Phase, ...] = ("forward", "backward", "step")


@dataclass(frozen=True, slots=True)
class Trained:
    """What is trained on one device before sharding, in parameters and bytes."""

    parameters: float
    weight_bytes: float
    """Bytes per trained weight."""
    gradient_bytes: float
    full: bool

    @property
    def gradients(self) -> float:
        """Bytes of all gradients."""
        return self.parameters * self.gradient_bytes


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
        return Trained(count * share, mean, mean, full=False)
    size = 4 if s.weight_format == "fp32" else 2
    return Trained(stage_sum(s.model, stage, s.plan, parameters_of), size, size, full=True)


def training_books(s: Setting, stage: Stage) -> Books:
    """Return the books of one rank of a pipeline stage."""
    books = Books()
    what = trained(s, stage)
    shards = s.plan.dp
    _enter_weights(books, s, stage, what)
    zero = s.plan.zero
    gradient_size = what.gradients / (shards if zero >= 2 else 1)
    early = (s.workload.grad_accum or 1) > 1 and not s.option("optimizer_in_bwd", False)
    if s.option("optimizer_in_bwd", False):
        # Each gradient is used and freed at once: the largest layer is alive at a time.
        gradient_size /= max(1, len(stage.layers))
    if trains_on_host(s):
        gradient_size /= max(1, len(stage.layers))
    _enter_optimizer(books, s, what, gradient_size)
    _enter_activations(books, s, stage)
    _enter_distribution(books, s, stage, what)
    _enter_backward(books, s, stage, gradient_size, early)
    return books


def _enter_weights(books: Books, s: Setting, stage: Stage, what: Trained) -> None:
    plan = s.plan
    size = stage_sum(s.model, stage, plan, bytes_in(s.weight_format, bool(s.option("quantize_moe_experts"))))
    shards = plan.dp if plan.zero == 3 else 1
    offloaded = "params" in (s.workload.offload or "")
    if not offloaded:
        books.add(
            WHOLE,
            "weights",
            exact(size / shards),
            message(
                "{parameters:n} parameters in {format} = {size:gib}, on each of {shards} shard(s)",
                parameters=round(stage_sum(s.model, stage, plan, parameters_of)),
                format=s.weight_format,
                size=size,
                shards=shards,
            ),
            sources.PARAMETERS,
        )
    if not what.full:
        count = what.parameters * what.weight_bytes / (plan.dp if plan.zero == 3 else 1)
        books.add(
            WHOLE,
            "adapter",
            exact(count),
            message(
                "{parameters:n} adapter parameters x {bytes} bytes",
                parameters=round(what.parameters),
                bytes=what.weight_bytes,
            ),
            sources.PARAMETERS,
        )
    elif keeps_masters(s) and what.weight_bytes == 2:
        share = plan.dp if plan.zero >= 1 else 1
        if "optimizer" not in (s.workload.offload or "") and not trains_on_host(s):
            books.add(
                WHOLE,
                "master_weights",
                exact(what.parameters * 4 / share),
                message("{parameters:n} parameters x 4 bytes in fp32", parameters=round(what.parameters)),
                s.framework.source,
            )


def _enter_optimizer(books: Books, s: Setting, what: Trained, gradients: float) -> None:
    w = s.workload
    rule = optimizer(w.optimizer or "adamw")
    master = what.full and keeps_masters(s)
    per = rule.per_parameter(4 if master else what.weight_bytes)
    share = s.plan.dp if s.plan.zero >= 1 else 1
    states = what.parameters * per / share
    name = w.optimizer or "adamw"
    if "optimizer" in (w.offload or "") or trains_on_host(s):
        states = 0
    size = Bytes(low=0, likely=0, high=round(states)) if rule.paged else exact(states)
    books.add(
        RUN,
        "optimizer",
        size,
        message(
            "{name}: {per} bytes of state for each of {parameters:n} trained parameters, {shards} shard(s)",
            name=name,
            per=round(per, 3),
            parameters=round(what.parameters),
            shards=share,
        ),
        sources.OPTIMIZER,
    )
    if name == "none":
        books.phases.pop("step", None)
        return
    books.add(
        ("step",),
        "gradients",
        exact(gradients),
        message(
            "{parameters:n} trained parameters x {bytes} bytes",
            parameters=round(what.parameters),
            bytes=what.gradient_bytes,
        ),
        sources.PARAMETERS,
    )
    foreach = s.option("optimizer_implementation", "foreach" if s.framework.optimizer_foreach else "fused")
    if foreach == "foreach" and not rule.paged and rule.bytes is None:
        books.add(
            ("step",),
            "workspace",
            exact(what.parameters * what.weight_bytes / share),
            message("the optimizer step works on one temporary copy of the trained weights"),
            sources.CODE,
        )


def _enter_activations(books: Books, s: Setting, stage: Stage) -> None:
    tokens = s.batch * s.context / s.plan.cp
    size = saved_body(s, stage)
    checkpointed = _checkpointing(s)
    why = (
        message(
            "checkpointing keeps the input of each of {layers} layers for {tokens:n} tokens",
            layers=len(stage.layers),
            tokens=round(tokens),
        )
        if checkpointed
        else message(
            "{layers} layers keep {per:n} bytes per token, for {tokens:n} tokens",
            layers=len(stage.layers),
            per=round(size / tokens / max(1, len(stage.layers))),
            tokens=round(tokens),
        )
    )
    books.add(("forward", "backward"), "activations", spread(size, activation_factor(s)), why, sources.CODE)


def _checkpointing(s: Setting) -> bool:
    return bool(s.workload.checkpointing) and s.workload.checkpointing != "selective"


_SELECTIVE = 0.2
"""Share of activations that selective checkpointing keeps beside layer inputs (torchtitan tables)."""


def saved_body(s: Setting, stage: Stage) -> float:
    """Return the bytes kept between forward and backward beside the loss."""
    what, model = saving(s), s.model
    tokens = s.batch * s.context / s.plan.cp
    once = saved_once_per_token(model, what, s.batch, _checkpointing(s)) if stage.last else 0.0
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

        def linear(tensor: Tensor) -> float:
            return 2.0 * tensor.parameters if tensor.role in ("linear", "expert", "head") else 0.0

        return stage_sum(s.model, stage, s.plan, linear)
    if what.adapter_fp32 and not what.full:
        return 2 * trained(s, stage).parameters
    return 0.0


def _enter_distribution(books: Books, s: Setting, stage: Stage, what: Trained) -> None:
    plan = s.plan
    if plan.dp == 1:
        return
    if shards_weights(s):
        size = max(COMPUTE_BYTES.get(s.workload.compute or "bf16", 2), 0)
        fmt = s.weight_format if is_quantized(s.weight_format) else ("bf16" if size == 2 else "fp32")
        unit = max(layer_sum(s.model, layer, plan, bytes_in(fmt)) for layer in stage.layers)
        outer = outer_sum(s.model, plan, bytes_in(fmt), stage.first, stage.last)
        books.add(
            RUN,
            "communication",
            Bytes(low=round(unit), likely=round(2 * unit + outer), high=round(3 * unit + 2 * outer)),
            message(
                "full sharding gathers a layer ({unit:gib}) and the next one, embedding and head ({outer:gib})",
                unit=unit,
                outer=outer,
            ),
            sources.SHARDING,
        )
    elif plan.zero == 3:
        whole = stage_sum(s.model, stage, plan, bytes_in(s.weight_format))
        books.add(
            RUN,
            "communication",
            exact(whole + (what.gradients if what.full else 0)),
            message("gathered weights stay whole on every GPU: {size:gib}", size=whole),
            s.framework.source,
        )
    elif what.gradients:
        bucket = what.gradients if plan.zero == 0 else min(what.gradients, 1.0 * GIB)
        books.add(
            ("backward", "step"),
            "communication",
            Bytes(low=0, likely=round(bucket), high=round(bucket * 1.1)),
            message("gradients are exchanged through buckets of {size:gib}", size=bucket),
            sources.BUCKETS,
        )


def _enter_backward(books: Books, s: Setting, stage: Stage, gradients: float, early: bool) -> None:
    """Enter the larger of the two moments of the backward pass: at the loss, or at its end."""
    tokens = s.batch * s.context / s.plan.cp
    what = saving(s)
    layer = max((saved_per_token(one, s.model, what, s.context) for one in stage.layers), default=0.0)
    recompute = layer * tokens / s.plan.tp if s.workload.checkpointing else 0.0
    factor = activation_factor(s).likely
    body, recompute = factor * saved_body(s, stage), factor * recompute
    loss = Books()
    if stage.last:
        enter_logits(loss, s, tokens)
    at_loss = body + (loss.total("backward").likely if loss.phases else 0) + (gradients if early else 0)
    tied = 4 * s.model.vocab * s.model.hidden if s.model.tied and what.full else 0
    at_end = gradients + tied + recompute
    checkpointed_start = body + recompute + (gradients if early else 0)
    grad_why = message("{size:gib} of gradients, all alive at the end of the backward pass", size=gradients)
    if at_loss >= max(at_end, checkpointed_start):
        for phase, entries in loss.phases.items():
            books.phases.setdefault(phase, []).extend(entries)
        if early:
            books.add(("forward", "backward"), "gradients", exact(gradients), grad_why, sources.PARAMETERS)
        return
    ending = at_end >= checkpointed_start
    backward = books.phases["backward"]
    if ending:
        backward[:] = [entry for entry in backward if entry.component != "activations"]
    books.add(
        ("backward",),
        "activations",
        spread(recompute / factor, activation_factor(s)),
        message(
            "the backward pass computes one layer again: {per:n} bytes for each of {tokens:n} tokens",
            per=round(layer),
            tokens=round(tokens),
        ),
        sources.CODE,
    )
    if ending or early:
        books.add(("backward",), "gradients", exact(gradients), grad_why, sources.PARAMETERS)
    if ending:
        books.add(
            ("backward",),
            "logits",
            exact(tied),
            message(
                "tied embedding: two more buffers of {vocab:n} x {hidden:n} meet",
                vocab=s.model.vocab,
                hidden=s.model.hidden,
            ),
            sources.CODE,
        )
