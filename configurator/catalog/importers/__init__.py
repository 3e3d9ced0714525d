"""From a Hugging Face `config.json` to the layers of a model, one reader a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from configurator.catalog.importers import dense, experts, gemma, hybrids, searched
from configurator.catalog.importers.fields import Fields
from configurator.catalog.importers.quantization import read_quantization
from configurator.catalog.importers.towers import vision_tower
from configurator.domain.architecture import Architecture
from configurator.domain.errors import BadInput, NotYet, unknown_id
from configurator.domain.message import message

Reader = Callable[[Fields, str], Architecture]

_FAMILIES: dict[str, Reader] = {
    **dict.fromkeys(("llama", "mistral", "mistral3", "ministral3", "granite", "smollm3", "yi"), dense.llama),
    **dict.fromkeys(("qwen2", "mimo", "qwen2_vl", "qwen2_5_vl"), dense.qwen2),
    **dict.fromkeys(("qwen3", "qwen3_vl"), dense.qwen3),
    "qwen": dense.qwen1,
    "arcee": dense.two_matrices,
    "apertus": dense.apertus,
    "nemotron": dense.nemotron,
    "olmo2": dense.olmo2,
    "phi": dense.phi,
    "phi3": dense.phi3,
    "cohere": dense.cohere,
    "gpt_neox": dense.gpt_neox,
    "gpt2": dense.gpt2,
    "falcon": dense.falcon,
    "gemma": gemma.gemma,
    **dict.fromkeys(("gemma2", "gemma3", "gemma3_text"), gemma.gemma23),
    **dict.fromkeys(("gemma4", "gemma4_text"), gemma.gemma4),
    "mixtral": experts.mixtral,
    **dict.fromkeys(("qwen3_moe", "qwen3_vl_moe"), experts.qwen3_moe),
    "minimax_m2": experts.minimax,
    "gpt_oss": experts.gpt_oss,
    **dict.fromkeys(("llama4", "llama4_text"), experts.llama4),
    **dict.fromkeys(
        ("deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite", "glm_moe_dsa", "deepseek_v32"),
        experts.deepseek,
    ),
    "glm4_moe": experts.glm4_moe,
    **dict.fromkeys(
        ("qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text"), hybrids.qwen_next
    ),
    "granitemoehybrid": hybrids.granite_hybrid,
    "nemotron_h": hybrids.nemotron_h,
    "kimi_linear": hybrids.kimi_linear,
    **dict.fromkeys(("lfm2", "lfm2_moe"), hybrids.lfm2),
    "nemotron-nas": searched.nemotron_nas,
}
_DEFAULTS = {"gemma3_text": gemma.GEMMA3_DEFAULTS, "glm_moe_dsa": experts.GLM_DSA_DEFAULTS}
"""Fields by family that the published files leave out."""
_NOT_YET = ("deepseek_v4", "gemma3n")
"""Families that are known, but whose layers no block describes."""


def read_config(config: Mapping[str, Any], name: str) -> Architecture:
    """Return the architecture that a configuration describes.

    Raises BadInput for a family that is not known and for a necessary field that is missing.
    """
    inner = config.get("text_config")
    text = dict(inner) if isinstance(inner, dict) else dict(config)
    if isinstance(inner, dict):
        text.setdefault("tie_word_embeddings", config.get("tie_word_embeddings"))
    family = text.get("model_type") or config.get("model_type")
    if not isinstance(family, str):
        raise BadInput(
            message("model '{model}': its config.json has no field '{field}'", model=name, field="model_type")
        )
    if family in _NOT_YET:
        raise NotYet(
            message("model '{model}': the layers of {family} are not computed yet", model=name, family=family)
        )
    reader = _FAMILIES.get(family)
    if reader is None:
        problem = unknown_id("model_type", family, _FAMILIES).text
        raise BadInput(message("model '{model}': {problem}", model=name, problem=problem))
    try:
        architecture = reader(Fields(_DEFAULTS.get(family, {}) | text, name), family)
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as problem:
        # Nested lists and objects of unexpected shape; plain fields are checked where they are read.
        problem_text = message(
            "model '{model}': its config.json cannot be used ({reason})", model=name, reason=repr(problem)
        )
        raise BadInput(problem_text) from problem
    tower = vision_tower(config.get("vision_config"), architecture.hidden)
    return replace(
        architecture,
        towers=(tower,) if tower else (),
        quantization=read_quantization(config) or read_quantization(text),
    )
