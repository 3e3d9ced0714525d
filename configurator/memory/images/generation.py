"""Inference on images: one network, or a pipeline whose parts work one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from configurator.catalog.loading import read_table
from configurator.domain.ledger import Phase
from configurator.domain.message import message
from configurator.domain.ranges import Range, exact, spread
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.formats import bits_of
from configurator.memory.images.moments import Load, peak
from configurator.memory.images.setting import ImageSetting

_PARTS: tuple[Phase, ...] = ("encode", "denoise", "decode")
_TILE = 0.262144
"""Million pixels of a tile when the decoder works in tiles of 512 x 512."""
_UNFOLDED = 9 * 256 * 1e6
"""Values of a 3 x 3 convolution of 256 channels with its input unfolded, for a million pixels."""
_BITSANDBYTES = ("nf4", "nf4-dq", "fp4", "int8")


def _constant(name: str) -> Range:
    facts = read_table("images/constants")[name]
    return Range(low=facts["low"], likely=facts["likely"], high=facts["high"])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a pipeline: when it works, and its weights in bytes."""

    name: str
    phase: Phase
    weights: float
    source: str


def inference_books(s: ImageSetting) -> Books:
    """Return the books of one device."""
    return _network_books(s) if s.subject.pipeline is None else _pipeline_books(s)


def _network_books(s: ImageSetting) -> Books:
    books, network = Books(), s.subject.network
    weights = s.workload.weights or "fp16"
    size = network.parameters * bits_of(weights, "linear") / 8
    books.add(
        ("prefill",),
        "weights",
        exact(size),
        message("{parameters:n} parameters in {format}", parameters=network.parameters, format=weights),
        network.source,
    )
    _enter_moment(books, s, "prefill", s.workload.concurrency or 1)
    return books


def _enter_moment(books: Books, s: ImageSetting, phase: Phase, copies: int) -> None:
    network = s.subject.network
    one = network.passes[s.pass_name]
    images = s.batch * copies
    load = Load(images, s.megapixels)
    moment = peak(one, load)
    wide = 2.0 if s.workload.weights == "fp32" and s.pass_name == "inference" else 1.0
    size = wide * (moment.fixed + load.of(moment))
    books.add(
        (phase,),
        "activations",
        spread(size, _constant("recorded_inference")),
        message(
            "images at once: {images}, of {pixels:2} million pixels, {each:mib} each at the peak",
            images=images,
            pixels=s.megapixels,
            each=size / images,
        ),
        network.source,
    )


def parts(s: ImageSetting) -> Iterator[Part]:
    """Yield the parts of a pipeline with their weights in the stated formats."""
    pipeline, decoder, network = s.subject.pipeline, s.subject.decoder, s.subject.network
    weights = s.workload.weights or "bf16"
    plain = s.weight_bytes
    if pipeline is None:
        return
    for one in pipeline.text_encoders:
        # Large encoders are quantised with the denoiser, small ones stay in 16 bit.
        large = one.parameters > 1e9
        form = s.option("t5", weights) if large else None
        if form is False:
            continue
        each = bits_of(str(form), "linear") / 8 if large else plain
        wide = one.kept_in_fp32 if form in _BITSANDBYTES else 0
        yield Part(one.name, "encode", (one.parameters - wide) * each + 4 * wide, pipeline.source)
    yield Part(network.id, "denoise", network.parameters * bits_of(weights, "linear") / 8, network.source)
    if decoder:
        yield Part(decoder.id, "decode", decoder.parameters * plain, decoder.source)


def _pipeline_books(s: ImageSetting) -> Books:
    books = Books()
    offload = s.workload.offload or "none"
    for part in parts(s):
        phases = _PARTS if offload == "none" else (part.phase,)
        # Sequential offload brings one layer at a time.
        size = 0.05 * part.weights if offload == "sequential" else part.weights
        books.add(
            phases,
            "weights",
            exact(size),
            message("{name}: {size:gib} of weights", name=part.name, size=size),
            part.source,
        )
    books.add(
        ("encode",),
        "workspace",
        spread(2**30, _constant("text_encoder_gib")),
        message("the prompt is encoded"),
        sources.CODE,
    )
    guidance = s.subject.pipeline.guidance if s.subject.pipeline else 1
    _enter_moment(books, s, "denoise", guidance)
    _enter_decoding(books, s)
    return books


def _enter_decoding(books: Books, s: ImageSetting) -> None:
    decoder, pipeline = s.subject.decoder, s.subject.pipeline
    if decoder is None or pipeline is None or s.option("tiny_vae"):
        return
    wide = pipeline.decodes_in_fp32 or s.workload.weights == "fp32"
    one = decoder.passes["inference-fp32" if wide else "inference"]
    images = 1 if s.option("vae_slicing") else s.batch
    pixels = min(s.megapixels, _TILE) if s.option("vae_tiling") else s.megapixels
    load = Load(images, pixels)
    moment = peak(one, load)
    size = moment.fixed + load.of(moment)
    books.add(
        ("decode",),
        "activations",
        spread(size, _constant("recorded_inference")),
        message(
            "images decoded at once: {images}, of {pixels:2} million pixels, {each:gib} each",
            images=images,
            pixels=pixels,
            each=size / images,
        ),
        decoder.source,
    )
    books.add(
        ("decode",),
        "workspace",
        spread(_UNFOLDED * (4 if wide else 2) * pixels, _constant("decoder_scratch")),
        message("scratch memory of the decoder's widest convolution"),
        read_table("images/constants")["decoder_scratch"]["source"],
    )
