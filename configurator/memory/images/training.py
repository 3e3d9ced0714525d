"""Training on images: the books of one device."""

from __future__ import annotations

from configurator.catalog.loading import read_table
from configurator.domain.ledger import Phase
from configurator.domain.message import message
from configurator.domain.ranges import Bytes, Range, exact, spread
from configurator.memory import sources
from configurator.memory.books import Books, gib_range
from configurator.memory.formats import bits_of
from configurator.memory.images.moments import Load, peak
from configurator.memory.images.setting import ImageSetting
from configurator.memory.optimizers import optimizer

_WHOLE: tuple[Phase, ...] = ("forward", "backward", "step")
_RANK = 16
"""Rank of the adapters in the recorded runs."""


def training_books(s: ImageSetting) -> Books:
    """Return the books of one rank; every rank of data parallelism has the same."""
    books = Books()
    network = s.subject.network
    one = network.passes[s.pass_name]
    full = s.workload.task not in ("lora", "qlora")
    shards = s.plan.dp
    trained = float(network.parameters) if full else adapter_parameters(s)
    trained_bytes = s.weight_bytes if full else (4.0 if s.workload.adapter_dtype == "fp32" else 2.0)
    _enter_weights(books, s, trained, trained_bytes, full)
    _enter_optimizer(books, s, trained, trained_bytes)
    keep = 1 / shards if s.plan.zero >= 2 else 1.0
    classes = max(0, (s.workload.classes or 0) - (network.classes or 0)) if network.classes else 0
    load = Load(s.batch, s.megapixels, classes)
    moment = peak(one, load, keep)
    grow, factor = load.of(moment, one.per_class), _factor(s)
    books.add(
        ("forward", "backward"),
        "activations",
        spread(grow, factor),
        message(
            "images at once: {images}, of {pixels:2} million pixels, {each:mib} each at the peak",
            images=s.batch,
            pixels=s.megapixels,
            each=grow / s.batch,
        ),
        network.source,
    )
    _enter_matrices(books, s)
    books.add(
        ("forward", "backward"),
        "workspace",
        exact(moment.fixed),
        message("what does not grow with the images: 16-bit copies of weights, buffers"),
        network.source,
    )
    books.add(
        ("backward",),
        "gradients",
        exact(keep * moment.gradients * (trained / network.parameters if not full else 1)),
        message(
            "{size:gib} of gradients exist at the peak of the backward pass", size=keep * moment.gradients
        ),
        network.source,
    )
    books.add(
        ("step",),
        "gradients",
        exact(keep * trained * trained_bytes),
        message(
            "{parameters:n} trained parameters x {bytes} bytes",
            parameters=round(trained),
            bytes=trained_bytes,
        ),
        sources.PARAMETERS,
    )
    _enter_workspace(books, s)
    _enter_buckets(books, s, trained * trained_bytes)
    return books


def _enter_matrices(books: Books, s: ImageSetting) -> None:
    """Enter the attention matrices that eager attention keeps for the backward pass."""
    values = s.subject.network.attention
    if s.workload.attention != "eager" or values is None:
        return
    each = values[0] * s.megapixels + values[1] * s.megapixels**2
    # The softmax and the weights that the layer returns; under autocast in fp32 and in 16 bit.
    size = 8 if s.workload.compute == "fp32" else 6
    books.add(
        ("forward", "backward"),
        "activations",
        spread(s.batch * each * size, Range(low=0.8, likely=1.0, high=1.3)),
        message(
            "eager attention keeps {values:n} weights of each image x {size} bytes", values=each, size=size
        ),
        sources.CODE,
    )


def adapter_parameters(s: ImageSetting) -> float:
    """Return the parameters of the adapters: stated, or those of rank 16 in proportion to the rank."""
    lora = s.workload.lora
    if lora and lora.trainable_params:
        return float(lora.trainable_params)
    return (s.subject.network.adapter_parameters or 0) * (lora.rank if lora else _RANK) / _RANK


def _enter_weights(books: Books, s: ImageSetting, trained: float, trained_bytes: float, full: bool) -> None:
    network, weights = s.subject.network, s.workload.weights or "bf16"
    size = network.parameters * bits_of(weights, "linear") / 8 / (s.plan.dp if s.plan.zero == 3 else 1)
    books.add(
        _WHOLE,
        "weights",
        exact(size),
        message("{parameters:n} parameters in {format}", parameters=network.parameters, format=weights),
        network.source,
    )
    if not full:
        books.add(
            _WHOLE,
            "adapter",
            exact(trained * trained_bytes),
            message(
                "{parameters:n} adapter parameters x {bytes} bytes",
                parameters=round(trained),
                bytes=trained_bytes,
            ),
            sources.PARAMETERS,
        )
    if s.framework.keeps_average and full:
        books.add(
            _WHOLE,
            "weights",
            exact(network.parameters * s.weight_bytes),
            message("a running average of the weights is kept beside them"),
            s.framework.source,
        )
    if not full and weights == "fp32" and s.workload.compute != "fp32":
        books.add(
            ("forward", "backward"),
            "workspace",
            exact(2.0 * network.parameters),
            message(
                "autocast keeps a 16-bit copy of {parameters:n} frozen weights", parameters=network.parameters
            ),
            sources.CODE,
        )
    each = 4 if weights == "fp32" else 2
    for name, parameters in resident(s):
        books.add(
            _WHOLE,
            "weights",
            exact(each * parameters),
            message(
                "{name}: {parameters:n} frozen parameters x {bytes} bytes",
                name=name,
                parameters=parameters,
                bytes=each,
            ),
            network.source,
        )


def resident(s: ImageSetting) -> list[tuple[str, int]]:
    """Return the frozen parts of a pipeline that stay on the GPU while the denoiser is trained."""
    pipeline = s.subject.pipeline
    if pipeline is None:
        return []
    parts: list[tuple[str, int]] = []
    if not s.option("text_embeds_cached", "prompts" in s.framework.encodes_once):
        parts += [(one.name, one.parameters) for one in pipeline.text_encoders]
    if s.subject.decoder and not s.option("latents_cached", "images" in s.framework.encodes_once):
        parts.append((s.subject.decoder.id, s.subject.decoder.parameters))
    return parts


def _enter_optimizer(books: Books, s: ImageSetting, trained: float, trained_bytes: float) -> None:
    name = s.workload.optimizer or "adamw"
    rule = optimizer(name)
    if name == "none":
        return
    per = rule.per_parameter(trained_bytes)
    states = trained * per / (s.plan.dp if s.plan.zero >= 1 else 1)
    size = Bytes(low=0, likely=0, high=round(states)) if rule.paged else exact(states)
    books.add(
        _WHOLE,
        "optimizer",
        size,
        message(
            "{name}: {per} bytes of state for each of {parameters:n} trained parameters",
            name=name,
            per=round(per, 3),
            parameters=round(trained),
        ),
        sources.OPTIMIZER,
    )
    if rule.bytes is None and not rule.paged and s.framework.optimizer_foreach:
        books.add(
            ("step",),
            "workspace",
            exact(trained * trained_bytes / (s.plan.dp if s.plan.zero >= 1 else 1)),
            message("the optimizer step works on one temporary copy of the trained weights"),
            sources.CODE,
        )


def _factor(s: ImageSetting) -> Range:
    found = s.framework.activations
    if not s.subject.stated:
        return found
    doubt = read_table("images/constants")["stated_activations"]
    return Range(
        low=found.low * doubt["low"],
        likely=found.likely * doubt["likely"],
        high=found.high * doubt["high"],
    )


def _enter_workspace(books: Books, s: ImageSetting) -> None:
    """Enter the scratch memory of convolutions; a run that only counts tensors has none."""
    if s.workload.optimizer == "none":
        return
    books.add(
        ("forward", "backward"),
        "workspace",
        gib_range(s.framework.workspace_gib),
        message("scratch memory of convolutions, loss and data of {name}", name=s.framework.name),
        s.framework.source,
    )


def _enter_buckets(books: Books, s: ImageSetting, gradients: float) -> None:
    if s.plan.dp == 1:
        return
    books.add(
        ("backward", "step"),
        "communication",
        Bytes(low=0, likely=round(gradients), high=round(1.1 * gradients)),
        message("gradients are exchanged through buckets of {size:gib}", size=gradients),
        sources.BUCKETS,
    )
