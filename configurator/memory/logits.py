"""The loss: logits and their copies, the largest single buffer of small models."""

from __future__ import annotations

from configurator.domain.ledger import Component
from configurator.domain.message import Message, message
from configurator.domain.ranges import Bytes, Range, spread
from configurator.memory import sources
from configurator.memory.formats import is_quantized
from configurator.memory.setting import Setting

_CHUNKED = Range(low=0.5, likely=1.0, high=2.0)
_CHUNK = 1024
_IN_16_BIT = Range(low=4.5, likely=7.0, high=9.0)
"""Logits, shifted copy, log-softmax and gradient in 16 bit: slopes between lengths of Qwen 1 on a GPTQ base."""

Loss = tuple[Component, Bytes, Message, str]


def policy(s: Setting) -> str:
    """Return how the loss treats the logits: the framework's way unless its switches say otherwise."""
    if s.option("cut_cross_entropy") or s.option("liger"):
        return "fused"
    if s.option("chunked_ce") and s.framework.logits == "full":
        return "chunked"
    if s.framework.logits == "fused" and s.option("cut_cross_entropy") is False:
        return "full"
    return s.framework.logits


def loss_buffers(s: Setting) -> dict[str, Loss]:
    """Return the buffers of the loss in forward and backward pass.

    Full: log-softmax, its gradient and the gradient of the negative log-likelihood meet in fp32,
    12 bytes per token and vocabulary entry (14 with a soft cap); 10 in the forward pass (8 where the
    logits are fp32 already). Chunked: the 16-bit logits and their gradient remain, 4 bytes. Fused: one
    chunk at a time.
    """
    vocab, tokens = s.model.vocab / s.plan.tp, s.tokens
    match policy(s):
        case "fused":
            pieces = s.framework.loss_chunks
            chunk = tokens / pieces if pieces else min(tokens, _CHUNK)
            why = message(
                "fused loss: {chunk:n} tokens at a time x {vocab:n} entries x 8 bytes",
                chunk=round(chunk),
                vocab=round(vocab),
            )
            one: Loss = ("logits", spread(chunk * vocab * 8, _CHUNKED), why, sources.LOSS)
            return {"forward": one, "backward": one}
        case "chunked":
            why = message(
                "chunked loss: {tokens:n} tokens x {vocab:n} entries x 4 bytes",
                tokens=round(tokens),
                vocab=round(vocab),
            )
            one = ("logits", spread(tokens * vocab * 4, _CHUNKED), why, sources.LOSS)
            return {"forward": one, "backward": one}
    per_entry = _full(s)
    factor = per_entry.scaled(1 / per_entry.likely)
    return {
        phase: ("logits", spread(tokens * vocab * per, factor), _why_full(tokens, vocab, per), sources.LOSS)
        for phase, per in (
            ("forward", min(per_entry.likely, 8.0 if s.workload.compute == "fp32" else 10.0)),
            ("backward", per_entry.likely + (2 if s.model.logit_softcap else 0)),
        )
    }


def _full(s: Setting) -> Range:
    """Return the bytes per token and vocabulary entry of a loss that sees all logits."""
    if not s.model.logits_raised and is_quantized(s.weight_format):
        return _IN_16_BIT
    return s.framework.logits_compiled if s.option("torch_compile") else s.framework.logits_bytes


def _why_full(tokens: float, vocab: float, per: float) -> Message:
    return message(
        "{tokens:n} tokens x {vocab:n} vocabulary entries x {per} bytes (fp32 buffers of the loss)",
        tokens=round(tokens),
        vocab=round(vocab),
        per=per,
    )
