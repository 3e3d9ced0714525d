"""Families whose layers were searched one by one: every layer states its own widths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from configurator.catalog.importers.attention import grouped
from configurator.catalog.importers.dense import build
from configurator.catalog.importers.fields import Fields
from configurator.domain.architecture import Architecture, Attention, FeedForward, Layer
from configurator.domain.errors import NotYet
from configurator.domain.message import message

_STEP = 256
"""The code of the family rounds the feed-forward width up to a multiple of this."""


def nemotron_nas(f: Fields, family: str) -> Architecture:
    """Llama-Nemotron: `block_configs` states for each layer its KV heads and feed-forward width, or none."""
    blocks = f.raw("block_configs")
    if not isinstance(blocks, list):
        f.need("block_configs")
    return build(f, family, tuple(_layer(f, block) for block in blocks))


def _layer(f: Fields, block: Mapping[str, Any]) -> Layer:
    attention, channel = block["attention"], block["ffn"]
    if attention.get("replace_with_linear") or channel.get("replace_with_linear"):
        raise NotYet(
            message("model '{model}': layers replaced by one matrix are not computed yet", model=f.name)
        )
    mixer = None if attention.get("no_op") else _attention(f, attention["n_heads_in_group"])
    inner = None if channel.get("no_op") else FeedForward(_width(f.need("hidden_size"), channel["ffn_mult"]))
    return Layer(mixer, inner, norms=(mixer is not None) + (inner is not None))


def _attention(f: Fields, heads_in_group: int) -> Attention:
    return grouped(f, kv_heads=f.need("num_attention_heads") // heads_in_group)


def _width(hidden: int, multiple: float) -> int:
    return -(-int(2 * multiple * hidden / 3) // _STEP) * _STEP
