"""Vision towers by their parameter count."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from configurator.domain.architecture import Tower

_SIGLIP_WIDTH = 4304
"""Feed-forward width of SigLIP-so400m, the tower of Gemma 3."""
_GATED = ("pixtral", "qwen2_5_vl")


def vision_tower(config: Any, hidden: int) -> Tower | None:
    """Return the vision tower and its projector where the configuration states its size.

    A vision transformer has four attention and two feed-forward matrices a layer with biases and two
    layer norms (Pixtral: three matrices, no biases), a patch embedding and positions.
    """
    if not isinstance(config, dict):
        return None
    width, depth = config.get("hidden_size"), config.get("num_hidden_layers", config.get("depth"))
    if not isinstance(width, int) or not isinstance(depth, int):
        return None
    patch = config.get("patch_size", 14)
    colours = 3 * config.get("temporal_patch_size", 1)
    body = depth * _layer(config, width) + colours * patch * patch * width
    return Tower("vision_tower", body + _positions(config, width, patch) + _projector(config, width, hidden))


def _layer(config: Mapping[str, Any], width: int) -> int:
    kind = str(config.get("model_type", ""))
    inner: int = config.get("intermediate_size", _SIGLIP_WIDTH if "siglip" in kind else 4 * width)
    if kind in _GATED:
        return 4 * width * width + 3 * width * inner + 2 * width
    return 4 * width * width + 2 * width * inner + 9 * width + inner


def _positions(config: Mapping[str, Any], width: int, patch: int) -> int:
    if config.get("model_type") in _GATED or "depth" in config:
        return int(config.get("num_position_embeddings", 0)) * width
    return int((config.get("image_size", 448) // patch) ** 2) * width


def _projector(config: Mapping[str, Any], width: int, hidden: int) -> int:
    """One matrix; Pixtral and Qwen-VL first merge neighbouring patches by matrices of their own."""
    if config.get("model_type") == "pixtral":
        return 4 * width * width + width * hidden + hidden * hidden
    merge = config.get("spatial_merge_size")
    if not isinstance(merge, int):
        return width * hidden
    merged = width * merge**2
    return (merged * merged + merged * hidden) * (1 + len(config.get("deepstack_visual_indexes", ())))
