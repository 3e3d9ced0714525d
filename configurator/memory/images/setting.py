"""All that a prediction for images is made from, resolved once."""

from __future__ import annotations

from dataclasses import dataclass

from configurator.catalog.framework import Framework, load_frameworks, resolve_framework
from configurator.domain.errors import BadInput, unknown_id
from configurator.domain.images import PassName
from configurator.domain.message import message
from configurator.domain.workload import ADAPTERS, Lora, Workload
from configurator.memory.formats import COMPUTE_BYTES
from configurator.memory.images.subject import Subject
from configurator.memory.setting import Basis

_USUAL = {"detection": "ultralytics", "denoiser": "diffusers", "segmentation": "mmsegmentation"}
_AMP = {"amp-fp16": "fp16", "amp-bf16": "bf16", "amp": "fp16"}
"""What people write for fp32 weights under autocast."""


@dataclass(frozen=True, slots=True)
class ImageSetting(Basis):
    """A case of a network for images, without open questions."""

    subject: Subject

    @property
    def megapixels(self) -> float:
        """Million pixels of one image; of a video all its latent pictures together."""
        width, height = self.workload.resolution or (self.subject.network.image,) * 2
        pipeline = self.subject.pipeline
        frames = self.whole("frames", 1)
        shared = pipeline.frames_per_latent if pipeline else None
        pictures = 1 + (frames - 1) / shared if shared else 1.0
        return width * height / 1e6 * pictures

    @property
    def weight_bytes(self) -> float:
        """Bytes per parameter that is not quantised."""
        weights = self.workload.weights or "bf16"
        return COMPUTE_BYTES.get(weights, 2)

    @property
    def pass_name(self) -> PassName:
        """The way of running that the workload asks for."""
        return _pass_name(self.workload, self.subject)


def _pass_name(w: Workload, subject: Subject) -> PassName:
    passes = subject.network.passes
    ways = _ways(w)
    known = [name for name in passes if name in ways]
    if not known:
        raise BadInput(
            message(
                "{model}: '{way}' is not known for it; known: {known}",
                model=subject.network.id,
                way=ways[0],
                known=", ".join(passes),
            )
        )
    return min(known, key=ways.index)


def _ways(w: Workload) -> tuple[str, ...]:
    """Return the ways of running that serve a workload, the best first."""
    if not w.trains:
        return ("inference-fp32", "inference") if w.weights == "fp32" else ("inference",)
    if w.task in ADAPTERS:
        wanted: tuple[str, ...] = ("lora",)
    elif w.weights != "fp32":
        wanted = ("full-bf16", "full-amp")
    else:
        wanted = ("full-fp32", "full-amp") if w.compute == "fp32" else ("full-amp", "full-bf16")
    again = tuple(f"{name}+checkpointing" for name in wanted) if w.checkpointing else ()
    return again + wanted


def image_framework(workload: Workload, subject: Subject) -> Framework:
    """Return the framework's profile; where none is named, the usual one for the network."""
    name = workload.framework or _USUAL.get(subject.network.kind, "torchvision")
    profile = resolve_framework(name)
    if profile is None:
        raise unknown_id("framework", name, load_frameworks())
    return profile


def completed_images(
    workload: Workload, profile: Framework, subject: Subject
) -> tuple[Workload, frozenset[str]]:
    """Return the workload without open questions, and the names of the fields that were assumed."""
    written = workload.weights or ""
    stated = {"weights": "fp32", "compute": _AMP[written]} if written in _AMP else {}
    w = workload.model_copy(update=stated)
    if not stated and w.task in ADAPTERS and w.weights == "fp32" and w.compute in ("fp16", "bf16"):
        # Scripts for adapters cast a frozen base to the type of the arithmetic; autocast leaves it.
        w = w.model_copy(update={"weights": w.compute})
    weights = w.weights or profile.default_weights.get(w.task, "bf16")
    edge = subject.pipeline.image if subject.pipeline else subject.network.image
    defaults: dict[str, object] = {
        "weights": weights,
        "compute": weights if weights in COMPUTE_BYTES else "bf16",
        "batch": 1,
        "resolution": (edge, edge),
        "attention": profile.attention,
    }
    if w.trains:
        again = bool(profile.checkpointing)
        defaults |= {"grad_accum": 1, "optimizer": profile.optimizer, "checkpointing": again}
    if w.task in ADAPTERS:
        defaults |= {"lora": Lora(), "adapter_dtype": "fp32"}
    if w.task == "serving":
        defaults |= {"concurrency": 1, "growth": 1.0}
    assumed = {name: value for name, value in defaults.items() if getattr(w, name) is None}
    return w.model_copy(update=assumed | {"framework": profile.id}), frozenset(assumed)
