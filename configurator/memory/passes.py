"""Forward and backward pass: the moments at which one device may hold most.

The backward pass has four: at the loss, with all activations and the loss's buffers; at the last layer, where
checkpointing computes its first layer again; at the first layer, where nearly all gradients have come and
one layer's activations are still there; at the embedding, where the gradients are complete and, with tied
weights, three matrices of the vocabulary meet.
"""

from __future__ import annotations

from dataclasses import dataclass

from configurator.domain.ledger import Component
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, exact, spread
from configurator.memory import sources
from configurator.memory.activations import (
    Trained,
    cast_copies,
    keeps_inputs_only,
    layer_moment,
    saved_body,
    saving,
)
from configurator.memory.behaviour import activation_factor, in_flight, shards_weights
from configurator.memory.books import Books
from configurator.memory.formats import is_quantized
from configurator.memory.logits import loss_buffers, policy
from configurator.memory.reads import Saving
from configurator.memory.saved import weight_copies
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage

Item = tuple[Component, Bytes, Message, str]


@dataclass(frozen=True, slots=True)
class Gradients:
    """Bytes of gradients on one device: all, the head's, the embedding's (0: not trained or not here)."""

    all: float
    head: float
    embedding: float
    early: bool
    """They are there from the start: an earlier micro-batch left them."""


def enter_passes(
    books: Books, s: Setting, stage: Stage, what: Trained, gradients: float, early: bool
) -> None:
    """Enter activations, logits and gradients of the forward and of the largest backward moment."""
    grads = _gradients(s, stage, what, gradients, early)
    kept = saving(s)
    factor = activation_factor(s, keeps_inputs_only(s))
    body = in_flight(s, stage) * saved_body(s, stage, kept)
    casts = cast_copies(s, stage, kept, backward=False)
    forward: list[Item] = [
        ("activations", _plus(spread(body, factor), casts), _why_kept(s, stage, body), sources.CODE)
    ]
    loss = loss_buffers(s) if stage.last else {}
    copies = _weight_copies(s, kept)
    biggest = max(
        (*copies, *(item for phase, item in loss.items() if phase == "forward")), key=_likely, default=None
    )
    if biggest is not None:
        forward.append(biggest)
    if early:
        forward.append(_gradient_item(grads.all))
    _enter(books, "forward", forward)
    moments = _backward(s, stage, grads, body, loss)
    _enter(books, "backward", max(moments, key=lambda items: sum(map(_likely, items))))


def _likely(item: Item) -> int:
    return item[1].likely


def _weight_copies(s: Setting, kept: Saving) -> list[Item]:
    size = weight_copies(s.model, kept, is_quantized(s.weight_format)) / s.plan.tp
    why = message("one linear restores or merges its weight at a time: {size:gib}", size=size)
    return [("workspace", exact(size), why, sources.CODE)] if size else []


def _enter(books: Books, phase: str, items: list[Item]) -> None:
    for component, size, why, source in items:
        books.add((phase,), component, size, why, source)  # type: ignore[arg-type]


def _plus(size: Bytes, more: float) -> Bytes:
    whole = round(more)
    return Bytes(low=size.low + whole, likely=size.likely + whole, high=size.high + whole)


def _gradients(s: Setting, stage: Stage, what: Trained, size: float, early: bool) -> Gradients:
    if not what.full or what.parameters == 0:
        return Gradients(size, 0.0, 0.0, early)
    shards = s.plan.dp if s.plan.zero == 2 or shards_weights(s) else 1
    matrix = s.model.vocab * s.model.hidden / s.plan.tp * what.weight_bytes / shards
    return Gradients(
        size,
        head=matrix if stage.last else 0.0,
        embedding=matrix if stage.first and not s.model.tied else 0.0,
        early=early,
    )


def _backward(
    s: Setting, stage: Stage, grads: Gradients, body: float, loss: dict[str, Item]
) -> list[list[Item]]:
    kept = saving(s)
    factor = activation_factor(s)
    casts = cast_copies(s, stage, kept, backward=True)
    layer, most = layer_moment(s, stage, kept)
    copies = _weight_copies(s, kept)
    inputs = activation_factor(s, keeps_inputs_only(s))
    all_kept: Item = (
        "activations",
        _plus(spread(body, inputs), casts),
        _why_kept(s, stage, body),
        sources.CODE,
    )
    one_layer: Item = ("activations", spread(most, factor), _why_layer(s, most), sources.CODE)
    at_loss = [all_kept]
    if "backward" in loss:
        at_loss.append(loss["backward"])
    if grads.early:
        at_loss.append(_gradient_item(grads.all))
    elif policy(s) == "fused":
        # A fused loss computes the head's gradient on the way.
        at_loss.append(_gradient_item(grads.head))
    moments = [at_loss]
    first = grads.all if grads.early else grads.head
    if s.workload.checkpointing:
        moments.append([all_kept, one_layer, _gradient_item(first), *copies])
    else:
        more: Item = ("activations", spread(most - layer, factor), _why_layer(s, most), sources.CODE)
        moments.append([all_kept, more, _gradient_item(first), *copies])
    last = grads.all - (0 if grads.early else grads.embedding)
    moments.append([one_layer, _gradient_item(last), *copies])
    moments.append([_gradient_item(grads.all), *_tied(s, stage, grads), *_own_step(s, grads)])
    return moments


def _gradient_item(size: float) -> Item:
    why = message("{size:gib} of gradients, alive at this moment of the backward pass", size=size)
    return ("gradients", exact(size), why, sources.PARAMETERS)


def _own_step(s: Setting, grads: Gradients) -> list[Item]:
    """The temporaries of an optimizer in the backward pass, which steps the matrix of the vocabulary last."""
    if not (s.option("optimizer_in_bwd") and grads.head):
        return []
    values = s.model.vocab * s.model.hidden / s.plan.tp
    why = message("the optimizer steps a matrix of {values:n} values on copies of it", values=round(values))
    return [("workspace", spread(values, s.framework.step_temporaries), why, s.framework.source)]


def _tied(s: Setting, stage: Stage, grads: Gradients) -> list[Item]:
    """Two more matrices of the vocabulary where head and embedding share their weights and are trained."""
    if not (s.model.tied and grads.head and stage.first):
        return []
    why = message(
        "tied embedding: two more buffers of {vocab:n} x {hidden:n} meet",
        vocab=s.model.vocab,
        hidden=s.model.hidden,
    )
    return [("logits", exact(2 * grads.head), why, sources.CODE)]


def _why_kept(s: Setting, stage: Stage, body: float) -> Message:
    layers, tokens = len(stage.layers), s.tokens
    if keeps_inputs_only(s):
        return message(
            "checkpointing keeps the input of each of {layers} layers for {tokens:n} tokens",
            layers=layers,
            tokens=round(tokens),
        )
    return message(
        "{layers} layers keep {per:n} bytes per token, for {tokens:n} tokens",
        layers=layers,
        per=round(body / tokens / max(1, layers)),
        tokens=round(tokens),
    )


def _why_layer(s: Setting, layer: float) -> Message:
    return message(
        "the backward pass holds what one layer keeps: {per:n} bytes for each of {tokens:n} tokens",
        per=round(layer / s.tokens),
        tokens=round(s.tokens),
    )
