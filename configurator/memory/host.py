"""What the workload needs of the host: RAM and disk."""

from __future__ import annotations

from math import ceil

from configurator.domain.ledger import Host
from configurator.domain.ranges import Bytes
from configurator.domain.units import GB, GIB
from configurator.memory.behaviour import boundaries_on_host
from configurator.memory.optimizers import optimizer
from configurator.memory.resident import host_weights
from configurator.memory.sequences import host_cache
from configurator.memory.setting import Basis, Setting
from configurator.memory.weights import bytes_in, parameters_of, stage_sum, whole_model

_SYSTEM = Bytes(low=4 * GIB, likely=8 * GIB, high=16 * GIB)
"""Operating system and programs around the job (system rules, R11: 16 GB with room)."""
_WORKERS = Bytes(low=1 * GIB, likely=4 * GIB, high=12 * GIB)
"""Data-loader workers and pinned buffers of one GPU (R9)."""
CHECKPOINTS = 3
"""Checkpoints kept on the local drive (S3)."""


def host(s: Setting) -> Host:
    """Return RAM and disk of one machine in bytes: system, loaders, what was moved off the GPU; model, data,
    checkpoints. Several machines share loaders and what was moved; each keeps the files.
    """
    everything, uncut = whole_model(s.model), s.plan.model_copy(update={"tp": 1, "ep": 1})
    weights = stage_sum(s.model, everything, uncut, bytes_in(s.weight_format))
    count = stage_sum(s.model, everything, uncut, parameters_of)
    return host_of(s, weights, count, _moved(s, weights, count) + _layer_inputs(s))


def host_of(s: Basis, weights: float, count: float, moved: float) -> Host:
    """Return RAM and disk of one machine for weights of so many bytes and parameters, some `moved` to the host."""
    nodes = s.case.machine.nodes
    away = moved / nodes
    loaders = ceil(s.plan.dp / nodes) if s.workload.trains else 0
    # While loading, a shard of the model file passes through RAM; safetensors maps it: at most the file.
    ram = Bytes(
        low=round(_SYSTEM.low + loaders * _WORKERS.low + away),
        likely=round(_SYSTEM.likely + loaders * _WORKERS.likely + away + 0.1 * weights),
        high=round(_SYSTEM.high + loaders * _WORKERS.high + 1.5 * away + weights),
    )
    data = s.workload.dataset.size_gb * GB if s.workload.dataset and s.workload.dataset.size_gb else 0
    saved = CHECKPOINTS * _checkpoint(s, count)
    stored = max(weights, 2 * count) if s.workload.task == "qlora" else weights
    disk = Bytes(
        low=round(weights + data),
        likely=round(stored + data + saved),
        high=round(1.5 * stored + 2 * data + saved),
    )
    others = s.case.also.beside
    return Host(ram=_added(ram, [one.ram for one in others]), disk=_added(disk, [one.disk for one in others]))


def without_system(ram: Bytes) -> Bytes:
    """Return what a workload adds to the RAM of a machine that runs already."""
    return Bytes(
        low=max(0, ram.low - _SYSTEM.low),
        likely=max(0, ram.likely - _SYSTEM.likely),
        high=max(0, ram.high - _SYSTEM.high),
    )


def _added(size: Bytes, others: list[Bytes]) -> Bytes:
    every = (size, *others)
    return Bytes(
        low=sum(one.low for one in every),
        likely=sum(one.likely for one in every),
        high=sum(one.high for one in every),
    )


def _moved(s: Setting, weights: float, count: float) -> float:
    """Return the bytes that offload moves to the host.

    Optimizer offload keeps 16 bytes per parameter there, parameter offload 18 (DeepSpeed documentation).
    """
    offload = s.workload.offload or "none"
    if not s.workload.trains:
        return host_weights(s) + host_cache(s)
    if "optimizer" in offload and s.workload.task in ("full", "pretrain"):
        return (18 if "params" in offload else 16) * count
    return weights if "params" in offload else 0.0


def _layer_inputs(s: Setting) -> float:
    """Return the inputs of checkpointed layers that wait in RAM, of all ranks: 2 bytes a value."""
    if not (s.workload.trains and boundaries_on_host(s)):
        return 0.0
    return 2.0 * s.model.hidden * len(s.model.layers) * s.tokens * s.plan.dp * s.plan.cp


def _checkpoint(s: Basis, count: float) -> float:
    """Return the bytes of one checkpoint: 2 per weight and 12 of fp32 master and states (S2); adapters: small."""
    if not s.workload.trains:
        return 0.0
    if s.workload.task in ("lora", "qlora"):
        return 2 * GB
    return (2 + (12 if optimizer(s.workload.optimizer or "adamw").states >= 1 else 4)) * count
