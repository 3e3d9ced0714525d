"""Weight and cache formats: bits per weight, bytes per cached value."""

from __future__ import annotations

import re
from functools import lru_cache

from configurator.catalog.loading import read_table
from configurator.domain.errors import unknown_id
from configurator.domain.ranges import Range
from configurator.domain.tensor import Role, Tensor

COMPUTE_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2, "fp8": 1}
"""Bytes of one value of an arithmetic type."""

_K_MIX = re.compile(r"(I?Q[1-5]_(K|XS|XXS|S|M|KS))", re.IGNORECASE)
_GGUF_MIX = re.compile(r"(ud-)?i?q\d_(k|0|1|xs|xxs|s|m|nl)")
_PLAIN = ("bf16", "fp16", "fp32")
_RECURRENT = frozenset(
    ("in_proj_qkvz", "in_proj_ba", "in_proj_qkv", "in_proj_z", "in_proj_a", "in_proj_b", "out_proj")
)
_LATENT = frozenset(
    (
        "q_a_proj",
        "q_b_proj",
        "kv_a_proj_with_mqa",
        "kv_b_proj",
        "indexer.wq_b",
        "indexer.wk",
        "indexer.weights_proj",
    )
)
_MLX = re.compile(r"mlx-(\d)bit-g(\d+)", re.IGNORECASE)
_LABEL = re.compile(r"bpw|mixed", re.IGNORECASE)
_BPW = re.compile(r"(\d+(?:\.\d+)?) ?bpw", re.IGNORECASE)
_PAIR = re.compile(r"(?:k )?([a-z]\w*)(?:, v |/)(\w+)")
_EXL3 = re.compile(r"exl[23][- ]?(\d+(?:\.\d+)?)\s*bpw", re.IGNORECASE)


@lru_cache
def weight_bits(name: str) -> dict[str, float]:
    """Return bits per weight by role (`linear`, `expert`, `head`, `embedding`, `other`).

    Raises BadInput for an unknown format.
    """
    table = read_table("formats")
    key = table["aliases"].get(name.lower(), name)
    by_case = {known.lower(): known for known in table["weights"]}
    if found := by_case.get(key.lower()):
        bits = dict(table["weights"][found])
        return bits | {"other": 32.0 if found == "fp32" else 16.0}
    if layout := table["ggml"].get(key.upper()):
        # A type of ggml by itself: all matrices in it.
        rate = 8 * layout["bytes"] / layout["block"]
        return {"linear": rate, "expert": rate, "head": rate, "embedding": rate, "other": 32.0}
    if match := _EXL3.fullmatch(key.strip()):
        # ExLlama quantises linears to the stated mean, keeps a 6-bit head and a 16-bit embedding.
        rate = float(match[1])
        return {"linear": rate, "expert": rate, "head": 6.0, "embedding": 16.0, "other": 16.0}
    if match := _MLX.fullmatch(key.strip()):
        # MLX quantises all matrices with one 32-bit pair of scale and bias per group.
        rate = int(match[1]) + 32 / int(match[2])
        return {"linear": rate, "expert": rate, "head": rate, "embedding": rate, "other": 16.0}
    if match := _BPW.search(key):
        rate = float(match[1])
        return {"linear": rate, "expert": rate, "head": max(rate, 6.0), "embedding": rate, "other": 16.0}
    raise unknown_id("weight format", name, by_case)


def bits_of(name: str, role: Role) -> float:
    """Return the bits per weight that format `name` uses for tensors of `role`."""
    bits = weight_bits(name)
    return bits[role if role in bits else "other"]


def tensor_bits(name: str, tensor: Tensor) -> float:
    """Return the bits per weight of a tensor in format `name`.

    Checkpoints for servers (AWQ, GPTQ, NVFP4) keep the matrices of linear or latent attention in 16 bit: their
    ignore lists name them.
    """
    for modules, kept in ((_RECURRENT, "recurrent"), (_LATENT, "latent")):
        if tensor.module in modules and weight_bits(name).get(kept):
            return weight_bits(name)[kept]
    return bits_of(name, tensor.role)


def is_k_mix(name: str) -> bool:
    """Whether a GGUF file of this name mixes types by tensor (Q2_K to Q5_K_M, IQ2 to IQ4)."""
    return bool(_K_MIX.match(name))


def is_ggml(name: str) -> bool:
    """Whether a GGUF file may be said to have this format: a type of ggml, a mix of them, or 16 and 32 bit."""
    table = read_table("formats")
    known = plain(name)
    return known.upper() in table["ggml"] or known in _PLAIN or bool(_GGUF_MIX.match(known))


def plain(name: str) -> str:
    """Return a format's name in lower case, an alias replaced."""
    return str(read_table("formats")["aliases"].get(name.lower(), name)).lower()


def weight_doubt(name: str) -> Range:
    """Return what measured weights are of those that a format's name implies."""
    bits = weight_bits(name)
    mixed = is_k_mix(name) or bool(_LABEL.search(name)) or name.upper().endswith("_XL")
    kind = "mix" if mixed else "checkpoint" if bits.get("head") == 16 != bits["linear"] else "plain"
    facts = read_table("formats")["doubt"][kind]
    return Range(low=facts["low"], likely=facts["likely"], high=facts["high"])


def is_quantized(name: str) -> bool:
    """Whether the linear weights have fewer than 16 bits."""
    return weight_bits(name)["linear"] < 16 or weight_bits(name)["expert"] < 16


@lru_cache
def cache_bytes(name: str) -> float:
    """Return bytes per cached value. Raises BadInput for an unknown format."""
    known = read_table("formats")["kv_cache"]
    if pair := _PAIR.fullmatch(name.lower()):
        # Keys and values of different formats, half of the values each.
        return (cache_bytes(pair[1]) + cache_bytes(pair[2])) / 2
    key = name.lower().split()[0] if name else name
    if key not in known:
        raise unknown_id("KV cache format", name, known)
    return float(known[key])
