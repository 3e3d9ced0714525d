"""Many answers at once: a step reads the weights once for all of them, and prompts of others are read between.

Tensor parallelism cuts weights, cache and arithmetic, and pays two exchanges a layer. A line of cards works on
parts of the requests in turn: each part reads the weights of every stage again. Copies share the requests.
"""

from __future__ import annotations

from math import ceil

from configurator.domain.ranges import Range
from configurator.memory.sequences import sequences
from configurator.speed.constants import constants
from configurator.speed.exchange import exchange_seconds
from configurator.speed.prompt import rate
from configurator.speed.subject import Subject
from configurator.speed.work import (
    active,
    active_experts,
    attention_operations,
    cache_per_sequence,
    read_per_step,
)


def served(s: Subject) -> dict[str, Range]:
    """Return the tokens a second of all answers together, and of one of them."""
    running = at_once(s)
    likely = running / step_seconds(s, running)
    together = constants().serving.spread[s.kind].scaled(likely)
    return {"decode_tokens_s": together, "tokens_s_per_request": together.scaled(1 / running)}


def at_once(s: Subject) -> float:
    """Return the requests that are answered at once: as many as ask, at most as many as the pool holds."""
    asking = float(max(s.setting.workload.concurrency or 1, s.setting.batch, sequences(s.setting)))
    if s.pool_tokens is None:
        return asking
    return max(1.0, min(asking, s.pool_tokens * s.setting.plan.dp / max(1.0, s.depth)))


def step_seconds(s: Subject, running: float) -> float:
    """Return the seconds in which each of the running requests gets one token."""
    c, plan, setting = constants().serving, s.setting.plan, s.setting
    mine = running / plan.dp
    parts = min(plan.pp, ceil(mine))
    part = mine / parts
    server = setting.framework.workspace == "server"
    read, launch = (c.read, c.launch_us) if server else (s.family.read, s.family.launch_us)
    weights = read_per_step(setting, part**c.alike) * s.scale / plan.tp
    cache = part * cache_per_sequence(setting, s.depth) / plan.tp
    reading = (weights + cache) / (s.slowest.bandwidth * read)
    computing = part * operations(s) / (rate(s) * c.compute * plan.tp)
    waiting = s.launches * launch * 1e-6 + exchange_seconds(s, part * (1 + prompts(s)))
    # The stages of a line work at the same time on different parts: a round takes all parts through one stage.
    return (reading + computing + waiting) * parts / plan.pp


def operations(s: Subject) -> float:
    """Return the operations behind one token of an answer: its own, and those of the prompt that asked for it."""
    model = s.setting.model
    one = 2 * (active(model) + active_experts(model)) + attention_operations(model, s.depth)
    return one * (1 + prompts(s))


def prompts(s: Subject) -> float:
    """Return the tokens of prompts that are read for each token that is written; 0: not stated."""
    return s.prompt / s.answer if s.answer else 0.0
