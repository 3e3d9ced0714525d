"""Detectors: those of Detectron2 and MMDetection, and Ultralytics' YOLO.

Detectron2 and MMDetection build the same networks with two differences that memory shows: how batch
normalisation is fixed, and whether the focal loss is one operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from torch import nn
from ultralytics.nn.tasks import DetectionModel, PoseModel, SegmentationModel

from record.backbones import BACKBONES
from record.heads import Dense, OneScale, TwoStage
from record.losses import focal, fused_focal, total
from record.networks import Network, fixed, source

Arrangements = dict[str, Callable[..., nn.Module]]
"""How to build a detector on a backbone, by the pattern of its id."""
COMMON: Arrangements = {
    "faster_rcnn_{}_fpn": TwoStage,
    "mask_rcnn_{}_fpn": partial(TwoStage, mask=True),
    "retinanet_{}_fpn": Dense,
}
FURTHER: Arrangements = {
    "cascade_rcnn_{}_fpn": partial(TwoStage, stages=3),
    "cascade_mask_rcnn_{}_fpn": partial(TwoStage, stages=3, mask=True),
    "fcos_{}_fpn": partial(Dense, anchor_free=True),
}
DETECTRON2: Arrangements = {
    "keypoint_rcnn_{}_fpn": partial(TwoStage, classes=1, keypoint=True),
    "panoptic_fpn_{}": partial(TwoStage, mask=True, panoptic=True),
    "faster_rcnn_{}_c4": partial(OneScale, dilated=False),
    "faster_rcnn_{}_dc5": partial(OneScale, dilated=True),
}
WITH_FURTHER = ("r50", "r101", "x101_32x4d")
WITH_ALL = ("r50", "r101")
MMDETECTION = ("r50", "r101", "r18", "x101_32x4d", "x101_64x4d")
EDGES = (512, 1024)
YOLO_EDGES = (640, 1024)
YOLO_FAMILIES = ("yolov8", "yolo11", "yolov5", "yolo12")
YOLO_FAMILIES_WITH_TASKS = ("yolov8", "yolo11")


def networks() -> Iterator[Network]:
    """Yield all detectors."""
    for short in BACKBONES:
        yield from _detectron2(short)
    for short in MMDETECTION:
        yield from _mmdetection(short)
    yield from _yolo()


def _detectron2(short: str) -> Iterator[Network]:
    arrangements = COMMON | (FURTHER if short in WITH_FURTHER else {})
    for pattern, make in (arrangements | (DETECTRON2 if short in WITH_ALL else {})).items():
        name = pattern.format(short)
        aliases = (name.removesuffix("_fpn"),) if short.startswith("swin") else ()
        loss = focal if _is_dense(make) else total
        build = fixed(make, BACKBONES[short])
        yield Network(name, "detection", build, EDGES, loss, _published(), aliases=aliases)


def _mmdetection(short: str) -> Iterator[Network]:
    for pattern, make in (COMMON | FURTHER).items():
        yield Network(
            f"{pattern.format(short)}@mmdetection",
            "detection",
            fixed(make, BACKBONES[short], norms="evaluated"),
            EDGES,
            fused_focal if _is_dense(make) else total,
            _published(),
            frameworks=("mmdetection",),
        )


def _is_dense(make: Callable[..., nn.Module]) -> bool:
    return getattr(make, "func", make) is Dense


def _published() -> str:
    return f"{source('torchvision')} backbones with the frameworks published heads"


def _yolo() -> Iterator[Network]:
    for family in YOLO_FAMILIES:
        for size in "nsmlx":
            yield _yolo_one(f"{family}{size}", DetectionModel)
    for family in YOLO_FAMILIES_WITH_TASKS:
        for size in "nsmlx":
            yield _yolo_one(f"{family}{size}-seg", SegmentationModel)
            yield _yolo_one(f"{family}{size}-pose", PoseModel)


def _yolo_one(name: str, make: Callable[..., nn.Module]) -> Network:
    build = fixed(make, f"{name}.yaml", verbose=False)
    return Network(name, "detection", build, YOLO_EDGES, total, source("ultralytics"), from_data=True)
