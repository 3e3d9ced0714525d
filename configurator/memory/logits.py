"""The loss: logits and their copies, the largest single buffer of small models."""

from __future__ import annotations

from configurator.domain.message import message
from configurator.domain.ranges import Range, spread
from configurator.memory import sources
from configurator.memory.books import Books
from configurator.memory.setting import Setting

_CHUNKED = Range(low=0.6, likely=1.0, high=1.5)
_CHUNK = 1024


def policy(s: Setting) -> str:
    """Return how the loss treats the logits: the framework's way unless its switches say otherwise."""
    if s.option("cut_cross_entropy") or s.option("liger"):
        return "fused"
    if s.option("chunked_ce"):
        return "chunked"
    if s.framework.logits == "fused" and s.option("cut_cross_entropy") is False:
        return "full"
    return s.framework.logits


def enter_logits(books: Books, s: Setting, tokens: float) -> None:
    """Enter the buffers of the loss for forward and backward.

    Full: log-softmax, its gradient and the gradient of the negative log-likelihood meet in fp32,
    12 bytes per token and vocabulary entry (14 with a soft cap); 10 in the forward pass. Chunked: the
    16-bit logits and their gradient remain, 4 bytes. Fused: one chunk at a time.
    """
    vocab = s.model.vocab / s.plan.tp
    match policy(s):
        case "fused":
            size = min(tokens, _CHUNK) * vocab * 8
            why = message(
                "fused loss: {chunk:n} tokens at a time x {vocab:n} entries x 8 bytes",
                chunk=min(round(tokens), _CHUNK),
                vocab=round(vocab),
            )
            books.add(("forward", "backward"), "logits", spread(size, _CHUNKED), why, sources.LOSS)
        case "chunked":
            why = message(
                "chunked loss: {tokens:n} tokens x {vocab:n} entries x 4 bytes",
                tokens=round(tokens),
                vocab=round(vocab),
            )
            books.add(
                ("forward", "backward"), "logits", spread(tokens * vocab * 4, _CHUNKED), why, sources.LOSS
            )
        case _:
            per_entry = s.framework.logits_bytes
            backward = per_entry.likely + (2 if s.model.logit_softcap else 0)
            factor = per_entry.scaled(1 / per_entry.likely)
            for phase, per in (("forward", 10.0), ("backward", backward)):
                why = message(
                    "{tokens:n} tokens x {vocab:n} vocabulary entries x {per} bytes (fp32 buffers of the loss)",
                    tokens=round(tokens),
                    vocab=round(vocab),
                    per=per,
                )
                books.add((phase,), "logits", spread(tokens * vocab * per, factor), why, sources.LOSS)  # type: ignore[arg-type]
