"""Sequences alive at once, and what one of them keeps on a rank."""

from __future__ import annotations

from configurator.domain.architecture import GatedDeltaNet, KimiDeltaAttention, Mamba2, ShortConv
from configurator.memory.cache import expanded_latent, stage_cache
from configurator.memory.formats import cache_bytes
from configurator.memory.setting import Setting
from configurator.memory.weights import Stage, whole_model

_DRAFTED = 3
"""Tokens drafted per step by multi-token prediction where the source does not say how many."""
RECURRENT = (GatedDeltaNet, KimiDeltaAttention, Mamba2, ShortConv)
"""Mixers that keep a state instead of a cache."""


def sequences(s: Setting) -> int:
    """Return the sequences whose cache is alive at once."""
    found = slots(s)
    if found:
        # The stated context is that of all slots together, unless each has a cache of its own.
        return found if s.option("kv_unified") is False else 1
    return max(s.workload.concurrency or 1, s.batch)


def slots(s: Setting) -> int:
    """Return the slots among which llama.cpp divides its context; 0: not stated."""
    return s.whole("n_slots", s.whole("n_seq_max", 0)) if s.framework.workspace == "llama.cpp" else 0


def drafted(s: Setting) -> int:
    """Return the tokens that multi-token prediction drafts per step; 0: it is off."""
    return s.whole("mtp_tokens", _DRAFTED if s.option("mtp") else 0)


def states(s: Setting) -> int:
    """Return the recurrent states alive at once: one a sequence; llama.cpp keeps one more for every token
    that multi-token prediction drafts, to step back to."""
    kept = 1 + drafted(s) if s.framework.workspace == "llama.cpp" else 1
    return (slots(s) or max(s.workload.concurrency or 1, s.batch)) * kept


def sequence_cache(s: Setting, stage: Stage, main: bool = True) -> tuple[float, float]:
    """Return bytes of KV cache and recurrent state of one sequence on one rank.

    `main`: whether the rank is llama.cpp's main GPU, which alone holds the cache under a row split.
    """
    rows = s.framework.workspace == "llama.cpp" and s.plan.tp > 1
    if rows and not main:
        return 0.0, 0.0
    return stage_cache(
        stage,
        1 if rows else s.plan.tp,
        max(s.context, s.framework.cache_at_least),
        cache_bytes(s.workload.kv_cache or "bf16"),
        s.framework,
        s.whole("n_ubatch", 512),
        static=s.option("cache") == "static",
        expanded=expanded_latent(s),
        sharing=slots(s) if slots(s) and sequences(s) == 1 else 1,
    )


def host_cache(s: Setting) -> float:
    """Return the bytes of KV cache that the host keeps: that of layers which are not on a GPU."""
    if s.framework.workspace != "llama.cpp":
        return 0.0
    everything, _ = sequence_cache(s, whole_model(s.model))
    return sequences(s) * (everything - sum(sequence_cache(s, stage)[0] for stage in s.stages))
