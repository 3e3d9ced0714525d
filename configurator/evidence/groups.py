"""Which measured quantities belong together: one mechanism, one kind of instrument, one aim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from configurator.catalog.framework import resolve_framework
from configurator.domain.workload import TRAINING
from configurator.evidence.speeds import KEYS as SPEEDS


@dataclass(frozen=True, slots=True)
class Aim:
    """What a group of predictions is meant to reach. Shares of 1, errors in percent."""

    answered: float | None
    median: float | None
    p90: float | None
    holds: float
    width: float | None = None
    """Mean of (high - low) / likely, at most."""


PARAMETERS = "exact: parameters"
CACHE = "exact: KV cache"
ACTIVATIONS = "exact: training peaks"
IMAGE_ACTIVATIONS = "exact: image training peaks"
WEIGHTS_AND_CACHE = "inference: weights and KV"
INFERENCE_TOTALS = "inference: totals, no pool"
POOL = "servers: pool, % of the card"
SERVER_TOTALS = "servers: totals"
POOL_TOKENS = "servers: pool in tokens"
BUFFERS = "inference: buffers"
TRAINING_TOTALS = "training: totals"
TRAINING_PARTS = "training: parts"
IMAGE_TOTALS = "images: totals"
IMAGE_PARTS = "images: parts"
_GENERATORS = ("diffusers", "mflux", "simpletuner", "comfyui")
DECODE = "speed: decode"
PREFILL = "speed: prefill"
SERVING = "speed: serving"
TRAINING_SPEED = "speed: training"
VISION_SPEED = "speed: vision"
DIFFUSION_SPEED = "speed: diffusion"
HOURS = "speed: hours of a run"
WALL_POWER = "power at the wall"
OUTCOMES = "outcome"
OUT_OF_MEMORY = "outcome, of those out of memory"

AIMS: Mapping[str, Aim] = {
    # Nothing, to the digit that is printed.
    PARAMETERS: Aim(answered=1, median=0.05, p90=0.1, holds=1, width=0.005),
    CACHE: Aim(answered=1, median=0.05, p90=0.1, holds=1, width=0.005),
    ACTIVATIONS: Aim(answered=0.97, median=1, p90=5, holds=0.9, width=0.2),
    IMAGE_ACTIVATIONS: Aim(answered=0.9, median=10, p90=30, holds=0.85, width=0.6),
    WEIGHTS_AND_CACHE: Aim(answered=0.95, median=1, p90=8, holds=0.9, width=0.2),
    INFERENCE_TOTALS: Aim(answered=0.95, median=4, p90=20, holds=0.88, width=0.5),
    POOL: Aim(answered=0.9, median=2, p90=6, holds=0.85),
    TRAINING_TOTALS: Aim(answered=0.95, median=8, p90=30, holds=0.88, width=0.6),
    IMAGE_TOTALS: Aim(answered=0.9, median=15, p90=45, holds=0.85, width=0.9),
    DECODE: Aim(answered=0.95, median=12, p90=None, holds=0.8),
    PREFILL: Aim(answered=0.95, median=22, p90=None, holds=0.8),
    SERVING: Aim(answered=0.9, median=25, p90=None, holds=0.8),
    TRAINING_SPEED: Aim(answered=0.9, median=30, p90=None, holds=0.8),
    VISION_SPEED: Aim(answered=0.9, median=18, p90=None, holds=0.8),
    DIFFUSION_SPEED: Aim(answered=0.9, median=30, p90=None, holds=0.8),
    OUTCOMES: Aim(answered=None, median=None, p90=None, holds=0.9),
}
"""Groups without an aim are shown all the same."""


def group_of(run: Mapping[str, Any], quantity: str) -> str:
    """Return the group of a quantity of a run as it is written in a file."""
    workload = run.get("workload") or {}
    key = quantity.split()[-1] if quantity.startswith("gpu") else quantity.split()[0]
    images = _shows_images(workload)
    if key in SPEEDS:
        return _speed(key, workload, images)
    if key in ("parameters", "lora_parameters"):
        return PARAMETERS
    if is_exact(run):
        return _exact(key, images)
    total = key == "total_gib"
    if images:
        return IMAGE_TOTALS if total else IMAGE_PARTS
    if workload.get("task") in TRAINING:
        return TRAINING_TOTALS if total else TRAINING_PARTS
    return _inference(key, _fills_pool(workload))


def _speed(key: str, workload: Mapping[str, Any], images: bool) -> str:
    if key in ("hours", "wall_power_w"):
        return HOURS if key == "hours" else WALL_POWER
    if images or key == "images_s":
        # Generators are measured in steps, or in pictures made of many.
        return DIFFUSION_SPEED if workload.get("framework") in _GENERATORS else VISION_SPEED
    if workload.get("task") in TRAINING:
        return TRAINING_SPEED
    if key == "prefill_tokens_s":
        return PREFILL
    return SERVING if workload.get("task") == "serving" else DECODE


def is_exact(run: Mapping[str, Any]) -> bool:
    """Whether a figure was counted in the framework's own code: then no card is named."""
    machine = run.get("machine") or {}
    return any(kind.get("gpu") == "any" for kind in machine.get("gpus") or ())


def _exact(key: str, images: bool) -> str:
    if key == "weights_gib":
        return PARAMETERS
    if key.startswith("kv_"):
        return CACHE
    return IMAGE_ACTIVATIONS if images else ACTIVATIONS


def _inference(key: str, pool: bool) -> str:
    if key.startswith("weights"):
        return WEIGHTS_AND_CACHE
    if key == "total_gib":
        return SERVER_TOTALS if pool else INFERENCE_TOTALS
    if key == "kv_cache_tokens":
        return POOL_TOKENS
    if key.startswith("kv_"):
        return POOL if pool else WEIGHTS_AND_CACHE
    return BUFFERS


def _profile(workload: Mapping[str, Any]) -> Any:
    return resolve_framework(str(workload.get("framework") or ""))


def _shows_images(workload: Mapping[str, Any]) -> bool:
    profile = _profile(workload)
    return "resolution" in workload or (profile is not None and profile.models == "images")


def _fills_pool(workload: Mapping[str, Any]) -> bool:
    profile = _profile(workload)
    return profile is not None and profile.pool is not None
