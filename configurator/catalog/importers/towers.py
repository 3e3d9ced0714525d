"""Vision towers by their parameter count."""

from __future__ import annotations

from typing import Any

from configurator.domain.architecture import Tower


def vision_tower(config: Any, hidden: int) -> Tower | None:
    """Return the vision tower and its projector where the configuration states its size.

    A vision transformer has four attention and two feed-forward matrices a layer with biases and two
    layer norms, a patch embedding, positions, and one matrix to the width of the language model.
    """
    if not isinstance(config, dict):
        return None
    width, depth = config.get("hidden_size"), config.get("num_hidden_layers", config.get("depth"))
    if not isinstance(width, int) or not isinstance(depth, int):
        return None
    inner = config.get("intermediate_size", 4 * width)
    patch = config.get("patch_size", 14)
    positions = (config.get("image_size", 448) // patch) ** 2
    layer = 4 * width * width + 2 * width * inner + 9 * width + inner
    return Tower("vision_tower", depth * layer + 3 * patch * patch * width + positions * width + width * hidden)
