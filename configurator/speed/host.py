"""The host's part: weights that it keeps, and the rate of its memory."""

from __future__ import annotations

from configurator.catalog.boards import Platform
from configurator.catalog.catalog import Catalog
from configurator.domain.machine import Machine, Part
from configurator.memory.prediction import Prediction
from configurator.memory.setting import Setting
from configurator.speed.constants import constants
from configurator.speed.work import file_format, weight_bytes

_LEAST = 0.02
"""Share of the weights below which a difference is that of formats, not of places."""


def host_bytes(s: Setting, prediction: Prediction) -> float:
    """Return the bytes of matrices that the host keeps: those that no device has."""
    if s.workload.trains:
        held = weight_bytes(s.model, s.weight_format)
        return held.always + held.routed if "params" in (s.workload.offload or "") else 0.0
    if not _offloads(s):
        return 0.0
    held = weight_bytes(s.model, file_format(s))
    whole = held.always + held.routed
    here = sum(view.weights.likely for view in prediction.devices) / s.plan.dp
    away = whole - here
    return away if away > _LEAST * whole else 0.0


def _offloads(s: Setting) -> bool:
    stated = (s.workload.offload or "none") != "none"
    return stated or any(
        key in s.workload.options for key in ("n_gpu_layers", "override_tensor", "offloaded")
    )


def memory_rate(machine: Machine, catalog: Catalog) -> float:
    """Return the bytes a second that the host's memory reaches: of a named processor by its channels."""
    c = constants().host
    platform = _platform(machine, catalog)
    if platform is None or not platform.population:
        return c.memory_gbs * 1e9
    fastest = max(one.speed_mts for one in platform.population)
    return platform.channels * fastest * 8e6 * c.reached


def _platform(machine: Machine, catalog: Catalog) -> Platform | None:
    if machine.cpu is None:
        return None
    cpu = catalog.cpus.named(machine.cpu.id if isinstance(machine.cpu, Part) else machine.cpu)
    return catalog.platforms.get(cpu.platform) if cpu and cpu.platform else None
