"""Weight and cache formats: bits per weight, bytes per cached value."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import yaml

from configurator.catalog.places import CATALOGS
from configurator.domain.errors import unknown_id
from configurator.domain.tensor import Role

COMPUTE_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1}
"""Bytes of one value of an arithmetic type."""

_EXL3 = re.compile(r"exl[23][- ]?(\d+(?:\.\d+)?)\s*bpw", re.IGNORECASE)


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    table: dict[str, Any] = yaml.load((CATALOGS / "formats.yaml").read_bytes(), Loader=yaml.CSafeLoader)
    return table


@lru_cache
def weight_bits(name: str) -> dict[str, float]:
    """Return bits per weight by role (`linear`, `expert`, `head`, `embedding`, `other`).

    Raises BadInput for an unknown format.
    """
    table = _table()
    key = table["aliases"].get(name, name)
    by_case = {known.lower(): known for known in table["weights"]}
    if found := by_case.get(key.lower()):
        bits = dict(table["weights"][found])
        return bits | {"other": 32.0 if found == "fp32" else 16.0}
    if match := _EXL3.fullmatch(key.strip()):
        # ExLlama quantises linears to the stated mean, keeps a 6-bit head and a 16-bit embedding.
        rate = float(match[1])
        return {"linear": rate, "expert": rate, "head": 6.0, "embedding": 16.0, "other": 16.0}
    raise unknown_id("weight format", name, by_case)


def bits_of(name: str, role: Role) -> float:
    """Return the bits per weight that format `name` uses for tensors of `role`."""
    bits = weight_bits(name)
    return bits[role if role in bits else "other"]


def is_quantized(name: str) -> bool:
    """Whether the linear weights have fewer than 16 bits."""
    return weight_bits(name)["linear"] < 16 or weight_bits(name)["expert"] < 16


@lru_cache
def cache_bytes(name: str) -> float:
    """Return bytes per cached value. Raises BadInput for an unknown format."""
    known = _table()["kv_cache"]
    if name.lower() not in known:
        raise unknown_id("KV cache format", name, known)
    return float(known[name.lower()])
