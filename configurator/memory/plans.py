"""The plan: the one that is stated, checked against model and machine, or the usual one."""

from __future__ import annotations

from configurator.catalog.framework import Framework
from configurator.domain.architecture import Architecture, Attention, LatentAttention
from configurator.domain.errors import BadInput
from configurator.domain.message import Message, message
from configurator.domain.plan import Plan
from configurator.domain.workload import Workload


def heads_of(model: Architecture) -> int:
    """Return the attention heads that tensor parallelism has to divide; 0: none."""
    heads = [
        layer.mixer.heads for layer in model.layers if isinstance(layer.mixer, Attention | LatentAttention)
    ]
    return min(heads, default=0)


def checked(plan: Plan, gpus: int) -> Plan:
    """Return the plan if the machine has the cards for it. Raises BadInput otherwise.

    Whether its degrees divide the heads of the model is a finding, not bad input: the customer asks for it.
    """
    if plan.gpus > gpus:
        raise BadInput(
            message(
                "the plan needs {needed} GPUs (tp x pp x dp x cp), the machine has {gpus}; lower one of them",
                needed=plan.gpus,
                gpus=gpus,
            )
        )
    return plan


def copies(gpus: int) -> Message:
    """Say what data parallelism does to memory."""
    return message(
        "data parallel over {gpus} GPUs: each holds the whole model; {gpus} cards are never one large card",
        gpus=gpus,
    )


def usual(
    workload: Workload, framework: Framework, model: Architecture, gpus: int, nodes: int = 1
) -> tuple[Plan, Message | None]:
    """Return the plan that the framework's users would choose for so many GPUs on so many machines, and why.

    Layers are cut inside of a machine, and dealt out from machine to machine: a network is too slow for the former
    (vLLM documentation, distributed serving).
    """
    if gpus == 1:
        return Plan(), None
    if workload.trains:
        return Plan(dp=gpus), copies(gpus)
    heads, inside = heads_of(model), gpus // nodes
    if nodes > 1 and framework.workspace == "server" and heads and heads % inside == 0:
        return Plan(tp=inside, pp=nodes), message(
            "tensor parallel over the {gpus} GPUs of a machine, layers dealt out over {nodes} machines",
            gpus=inside,
            nodes=nodes,
        )
    if framework.workspace == "server" and heads and heads % gpus == 0:
        return Plan(tp=gpus), message(
            "tensor parallel over {gpus} GPUs: each holds a part of every layer", gpus=gpus
        )
    stages = min(gpus, len(model.layers))
    return Plan(pp=stages), message("the layers are dealt out over {gpus} GPUs", gpus=stages)
