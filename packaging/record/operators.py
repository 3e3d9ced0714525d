"""Torchvision's own operators, declared where its compiled library does not load.

Its wheel fits one build of PyTorch only, and the recorded networks need its Python part alone.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import torch

SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "roi_align(Tensor input, Tensor rois, float spatial_scale, SymInt pooled_height, SymInt pooled_width,"
    " int sampling_ratio, bool aligned) -> Tensor",
)
_library = torch.library.Library("torchvision", "FRAGMENT")
"""Keeps the declarations alive."""


def declare_operators() -> None:
    """Make `import torchvision` work; to be called before it."""
    package = find_spec("torchvision")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for compiled in Path(folder).glob("_C*"):
            try:
                torch.ops.load_library(compiled)
                return
            except OSError:
                continue
    for schema in SCHEMAS:
        _library.define(schema)
