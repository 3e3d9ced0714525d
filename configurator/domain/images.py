"""Networks for images and video, described by what their own code keeps while it runs.

Convolutions, normalisations and activations come in too many arrangements to be counted from a few
numbers. Each network was therefore run once without data, operation by operation, and the moments that
can be the peak are kept: live memory beside the weights is a fixed part and a part per image, the latter
linear in its pixels. That is exact for convolutions and for attention that never stores its matrix.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

from pydantic import Strict

from configurator.domain.base import Count, DateText, Several, Word

PassName = Literal[
    "inference",
    "inference-fp32",
    "full-fp32",
    "full-amp",
    "full-bf16",
    "full-amp+checkpointing",
    "full-bf16+checkpointing",
    "lora",
    "lora+checkpointing",
]
"""A way of running: what is computed, in which types, and whether layers are computed again."""
Kind = Literal["classification", "detection", "segmentation", "denoiser", "decoder"]


class Moment(NamedTuple):
    """A moment that can be the peak. Bytes beside weights and optimizer states."""

    gradients: float
    """Gradients that exist already."""
    fixed: float
    """What does not grow with the images: 16-bit copies of weights, buffers."""
    per_image: float
    per_megapixel: float
    """For each image and million pixels."""


Row = Annotated[tuple[float, float, float, float], Strict(False)]
"""A moment as the catalogue writes it."""


class Pass(Word):
    """One way of running a network: its candidates for the peak, and what waits for the backward pass."""

    moments: Several[Row]
    saved: Annotated[tuple[float, float, float], Strict(False)]
    """What lives between forward and backward: fixed, per image, per image and million pixels."""
    per_class: float = 0
    """Bytes per class, image and million pixels, for classes beyond those it was run with."""


class Network(Word):
    """A network, its parameters, and the ways in which it was run."""

    id: str
    aliases: Several[str] = ()
    frameworks: Several[str] = ()
    """Frameworks that build it this way; empty: any."""
    kind: Kind
    parameters: Count
    image: Count
    """Edge in pixels of a usual image."""
    classes: Count | None = None
    """Classes it was run with, where their number matters."""
    attention: Annotated[tuple[float, float], Strict(False)] | None = None
    """Values of all attention matrices of one image: per million pixels, and per million pixels squared.
    Recorded runs never store them; eager attention does."""
    adapter_parameters: Count | None = None
    """Parameters of rank-16 adapters on the attention projections."""
    passes: dict[PassName, Pass]
    source: str
    date: DateText


class TextEncoder(Word):
    """A model that turns a prompt into numbers, once per image."""

    name: str
    parameters: Count
    kept_in_fp32: int = 0
    """Parameters that bitsandbytes leaves in fp32 (T5's output matrices overflow in fewer bits)."""


class Pipeline(Word):
    """A generator of images or video: text encoders, a denoiser that runs many times, a decoder."""

    id: str
    name: str
    aliases: Several[str] = ()
    denoiser: str
    """Id of a network."""
    decoder: str | None
    text_encoders: Several[TextEncoder]
    image: Count
    guidance: Count = 1
    """Copies of an image per denoising step: 2 with classifier-free guidance."""
    frames_per_latent: Count | None = None
    """Video: frames that share one latent picture."""
    decodes_in_fp32: bool = False
    """The decoder overflows in fp16 and is run in fp32."""
    source: str
    date: DateText
