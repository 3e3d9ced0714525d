"""Training: the books of one device through forward, backward and optimizer step."""

from __future__ import annotations

from configurator.domain.ledger import Phase
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, exact
from configurator.domain.tensor import Tensor
from configurator.memory import sources
from configurator.memory.activations import Trained, trained
from configurator.memory.behaviour import (
    cuts_weights,
    keeps_masters,
    quantizes_experts,
    trains_on_host,
)
from configurator.memory.books import Books
from configurator.memory.distribution import enter_distribution
from configurator.memory.formats import is_quantized
from configurator.memory.optimizers import optimizer, states_of
from configurator.memory.passes import enter_passes
from configurator.memory.setting import Setting
from configurator.memory.versions import before
from configurator.memory.weights import Stage, bytes_in, parameters_of, stage_sum

WHOLE: tuple[Phase, ...] = ("load", "forward", "backward", "step")
RUN: tuple[Phase, ...] = ("forward", "backward", "step")


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
        # Each gradient is used and freed at once: a layer's, or that of the largest matrix, is alive at a time.
        matrix = s.model.vocab * s.model.hidden / s.plan.tp * what.weight_bytes if what.full else 0.0
        gradient_size = min(gradient_size, max(matrix, gradient_size / max(1, len(stage.layers))))
    if trains_on_host(s):
        gradient_size /= max(1, len(stage.layers))
    _enter_optimizer(books, s, stage, what, gradient_size)
    enter_distribution(books, s, stage, what)
    enter_passes(books, s, stage, what, gradient_size, early)
    return books


def _enter_weights(books: Books, s: Setting, stage: Stage, what: Trained) -> None:
    plan = s.plan
    size = stage_sum(s.model, stage, plan, bytes_in(s.weight_format, quantizes_experts(s)))
    shards = plan.dp if plan.zero == 3 and cuts_weights(s) else 1
    offloaded = "params" in (s.workload.offload or "")
    if not offloaded:
        books.add(
            WHOLE,
            "weights",
            exact(size / shards),
            _weights_why(s, round(stage_sum(s.model, stage, plan, parameters_of)), size, shards),
            sources.FILE if s.as_stored else sources.PARAMETERS,
        )
    if s.framework.raises_outer and not what.full and is_quantized(s.weight_format) and not offloaded:
        raised = (4 - 2) * stage_sum(s.model, stage, plan, outer_parameters) / shards
        always = before(s.workload.framework_version, (5,))
        books.add(
            WHOLE,
            "master_weights",
            Bytes(
                low=round(raised) if always else 0, likely=round(raised) if always else 0, high=round(raised)
            ),
            message(
                "preparing a quantised base raises embedding and head to fp32: {size:gib} more", size=raised
            ),
            s.framework.source,
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


def _weights_why(s: Setting, count: int, size: float, shards: int) -> Message:
    facts = {"parameters": count, "format": s.weight_format, "size": size, "shards": shards}
    if s.as_stored:
        return message(
            "{parameters:n} parameters as the file stores them, mostly {format} = {size:gib}, "
            "on each of {shards} shard(s)",
            **facts,
        )
    return message(
        "{parameters:n} parameters in {format} = {size:gib}, on each of {shards} shard(s)", **facts
    )


def _enter_optimizer(books: Books, s: Setting, stage: Stage, what: Trained, gradients: float) -> None:
    w = s.workload
    rule = optimizer(w.optimizer or "adamw")
    master = what.full and keeps_masters(s)
    name = w.optimizer or "adamw"
    size_of_weight = 4 if master else what.weight_bytes
    share = s.plan.dp if s.plan.zero >= 1 else 1
    whole = what.parameters * rule.per_parameter(size_of_weight)
    if what.full and rule.shape != "elementwise":
        # GaLore's usual rank is a quarter of the width.
        rank = s.whole("galore_rank", s.whole("rank", s.model.hidden // 4))
        whole = stage_sum(s.model, stage, s.plan, states_of(name, size_of_weight, rank))
    per, states = whole / max(1.0, what.parameters), whole / share
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
            bytes=what.weight_bytes,
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


def outer_parameters(tensor: Tensor) -> float:
    """Measure: parameters of embedding and head."""
    return tensor.parameters if tensor.role in ("embedding", "head") else 0
