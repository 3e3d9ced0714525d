"""Training a language model: operations of all passes, kernels to start, weights to unpack, exchanges, the step."""

from __future__ import annotations

from configurator.domain.ranges import Range
from configurator.domain.workload import ADAPTERS, Lora
from configurator.memory.formats import is_quantized
from configurator.memory.weights import bytes_in, parameters_of, stage_sum, whole_model
from configurator.speed.constants import constants
from configurator.speed.subject import Subject
from configurator.speed.work import active, active_experts, attention_operations


def trained(s: Subject) -> dict[str, Range]:
    """Return the tokens a second of all cards, the seconds of an optimizer step, and hours where the data set
    is known."""
    setting = s.setting
    seconds = step_seconds(s)
    rate = constants().training.spread[s.kind].scaled(tokens_per_step(s) / seconds)
    found = {"train_tokens_s": rate, "step_s": _over(tokens_per_step(s), rate)}
    tokens = dataset_tokens(s)
    if tokens:
        epoch = _over(tokens / 3600, rate)
        epochs = setting.number("num_train_epochs", setting.number("epochs", 1))
        found |= {"hours_per_epoch": epoch, "hours": epoch.scaled(epochs)}
    return found


def _over(amount: float, rate: Range) -> Range:
    return Range(low=amount / rate.high, likely=amount / rate.likely, high=amount / rate.low)


def dataset_tokens(s: Subject) -> float:
    """Return the tokens of one epoch: as stated, or every sample as long as the context; 0: not known."""
    data = s.setting.workload.dataset
    if data is None:
        return 0.0
    return float(data.tokens or (data.samples or 0) * s.setting.context)


def tokens_per_step(s: Subject) -> float:
    """Return the tokens of one optimizer step on all cards."""
    setting, accumulated = s.setting, s.setting.workload.grad_accum or 1
    return float(setting.batch * setting.context * accumulated * setting.plan.dp)


def step_seconds(s: Subject) -> float:
    """Return the seconds of one optimizer step: its micro-batches, and the step itself."""
    accumulated, plan = s.setting.workload.grad_accum or 1, s.setting.plan
    parts = accumulated * micro_seconds(s) * (accumulated + plan.pp - 1) / (accumulated * plan.pp)
    return parts + optimizer_seconds(s) + gradient_seconds(s)


def micro_seconds(s: Subject) -> float:
    """Return the seconds of a micro-batch on all stages of one copy. The host starts kernels while others run:
    the longer of both counts."""
    c, setting = constants().training, s.setting
    chip = min(s.chips, key=lambda one: one.peak)
    peak = chip.peak_fp32 if setting.workload.compute == "fp32" else chip.peak
    rate = peak * s.family.train * (c.plain if setting.framework.id in c.plain_frameworks else 1.0)
    plan, tokens = setting.plan, setting.batch * setting.context
    dense, experts = operations(s)
    computing = tokens * (dense + experts / c.experts) / (rate * plan.tp * plan.cp)
    full = setting.workload.task not in ADAPTERS
    starting = s.launches * c.launch_ms * 1e-3 * (2 if full else 1)
    return max(computing, starting) + unpacking_seconds(s) + sharing_seconds(s)


def operations(s: Subject) -> tuple[float, float]:
    """Return the operations behind one trained token, of all but the experts and of the experts.

    Forward and the gradient of the activations take two each a weight, the gradient of trained weights two more;
    layers that are computed again two. Below the first adapter nothing goes back.
    """
    w, model = s.setting.workload, s.setting.model
    layers = (w.lora or Lora()).layers if w.task in ADAPTERS else None
    reached = min(1.0, layers / len(model.layers)) if layers else 1.0
    again = {True: 2.0, "unsloth": 2.0, "selective": 1.0}.get(w.checkpointing or False, 0.0)
    passes = 2.0 + (2.0 if w.task in ADAPTERS else 4.0) * reached + again * reached
    attention = attention_operations(model, s.setting.context / 2) * (3.0 + again / 2)
    return passes * active(model) + attention, passes * active_experts(model)


def unpacking_seconds(s: Subject) -> float:
    """Return the seconds in which a micro-batch unpacks quantised weights for its passes."""
    if not is_quantized(s.setting.weight_format):
        return 0.0
    moved = constants().training.unpack_bytes * _parameters(s) / (s.setting.plan.tp * s.setting.plan.pp)
    return moved / s.slowest.bandwidth


def sharing_seconds(s: Subject) -> float:
    """Return the seconds of exchanges in a micro-batch that do not hide behind computing: weights that full
    sharding gathers for forward and backward, sums of tensor parallelism, weights that come from the host."""
    c, setting, plan = constants().training, s.setting, s.setting.plan
    moved = 0.0
    if plan.zero == 3 and plan.dp > 1:
        gathered = stage_sum(setting.model, whole_model(setting.model), plan, bytes_in(setting.weight_format))
        moved += 2 * gathered * (plan.dp - 1) / plan.dp
    if plan.tp > 1:
        sums = 4 * len(setting.model.layers) * setting.model.hidden * setting.batch * setting.context
        moved += 2 * sums * 2 * (plan.tp - 1) / plan.tp
    from_host = (2 * s.host_weights + s.spilled) / (constants().host.bus_gbs * 1e9)
    return (1 - c.overlap) * (moved / (s.link.gbs * 1e9) + from_host / plan.dp)


def gradient_seconds(s: Subject) -> float:
    """Return the seconds in which copies exchange the gradients of a step; those of adapters are small."""
    plan, w = s.setting.plan, s.setting.workload
    if plan.dp == 1 or w.task in ADAPTERS:
        return 0.0
    moved = 2 * _parameters(s) / (plan.tp * plan.pp) * 2 * (plan.dp - 1) / plan.dp
    return (1 - constants().training.overlap) * moved / (s.link.gbs * 1e9)


def optimizer_seconds(s: Subject) -> float:
    """Return the seconds of the optimizer's step: every trained weight with its states is read and written."""
    c, plan, w = constants().training, s.setting.plan, s.setting.workload
    if w.task in ADAPTERS:
        return 0.0
    mine = _parameters(s) / (plan.tp * plan.pp) / (plan.dp if plan.zero else 1)
    moved_away = "optimizer" in (w.offload or "")
    return c.adam_bytes * mine / (s.host_rate if moved_away else s.slowest.bandwidth)


def _parameters(s: Subject) -> float:
    return stage_sum(
        s.setting.model,
        whole_model(s.setting.model),
        s.setting.plan.model_copy(update={"tp": 1}),
        parameters_of,
    )
