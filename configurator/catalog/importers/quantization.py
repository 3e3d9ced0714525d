"""What a configuration says about the storage of its weights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from configurator.domain.architecture import Quantization


def read_quantization(config: Mapping[str, Any]) -> Quantization | None:
    """Return the weight format of a checkpoint, or None where it states none that is known.

    `quantization_config` is the field of Transformers, vLLM and SGLang, `quantization` that of MLX.
    """
    mlx = config.get("quantization")
    if isinstance(mlx, dict) and isinstance(mlx.get("bits"), int):
        group = mlx.get("group_size", 64)
        return Quantization(f"mlx-{mlx['bits']}bit-g{group}", group)
    facts = config.get("quantization_config")
    if not isinstance(facts, dict):
        return None
    name = _format(facts)
    ignored = facts.get("modules_to_not_convert") or facts.get("ignore") or ()
    return Quantization(name, _group(facts), tuple(map(str, ignored))) if name else None


def _format(facts: Mapping[str, Any]) -> str | None:
    bits = facts.get("bits", 4)
    match facts.get("quant_method"):
        case "awq":
            return f"awq{bits}"
        case "gptq" | "auto-round" | "intel/auto-round":
            return f"gptq{bits}"
        case "bitsandbytes":
            return _bitsandbytes(facts)
        case "modelopt" | "modelopt_fp4":
            return str(facts.get("quant_algo", "NVFP4")).lower()
        case "compressed-tensors":
            return _compressed(facts)
        case "fp8" | "fbgemm_fp8":
            return "fp8"
        case "mxfp4":
            return "mxfp4"
    return None


def _bitsandbytes(facts: Mapping[str, Any]) -> str:
    if facts.get("load_in_8bit"):
        return "int8"
    kind = str(facts.get("bnb_4bit_quant_type", "fp4"))
    return f"{kind}-dq" if kind == "nf4" and facts.get("bnb_4bit_use_double_quant") else kind


def _weights(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    groups = facts.get("config_groups")
    first = next(iter(groups.values()), None) if isinstance(groups, dict) else None
    weights = first.get("weights") if isinstance(first, dict) else None
    return weights if isinstance(weights, dict) else {}


def _compressed(facts: Mapping[str, Any]) -> str:
    weights = _weights(facts)
    bits = weights.get("num_bits", 4 if "pack" in str(facts.get("format")) else 8)
    if weights.get("type") == "float" or "float" in str(facts.get("format")):
        return "nvfp4" if bits == 4 else "fp8"
    return "nvfp4" if "nvfp4" in str(facts.get("format")) else f"int{bits}"


def _group(facts: Mapping[str, Any]) -> int | None:
    group = facts.get("group_size", _weights(facts).get("group_size"))
    return group if isinstance(group, int) and group > 0 else None
