"""The shelf of models: every model is computed or refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from configurator.catalog.importers import read_config
from configurator.catalog.models import load_models
from configurator.domain.architecture import Attention, MixtureOfExperts, Quantization
from configurator.domain.errors import BadInput
from configurator.domain.workload import ModelFile
from configurator.memory.tensors import parameters

SHELF = load_models()
LLAMA: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 1000,
}
REFUSED = {
    "deepseek-ai/DeepSeek-V4-Pro": "deepseek_v4",
    "google/gemma-4-31B": "num_hidden_layers",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1": "block_configs",
}
PUBLISHED = {  # billions, as the model cards state them
    "Qwen/Qwen3-30B-A3B": 30.5,
    "Qwen/Qwen3-235B-A22B": 235,
    "deepseek-ai/DeepSeek-V3": 671,
    "google/gemma-3-27b-it": 27.4,
    "mistralai/Mistral-Small-3.1-24B-Instruct-2503": 24,
    "mistralai/Mixtral-8x7B-v0.1": 46.7,
    "openai/gpt-oss-120b": 117,
    "tiiuae/falcon-40b": 41.3,
    "LiquidAI/LFM2-8B-A1B": 8.3,
    "meta-llama/Llama-3.1-405B-Instruct": 405.9,
    "Qwen/Qwen-72B-Chat-Int4": 72.3,
    "zai-org/GLM-4.5-Air": 106.9,
    "zai-org/GLM-5": 744,
}


@pytest.mark.parametrize("name", SHELF.ids)
def test_every_model_is_computed_or_refused_by_a_name(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(BadInput) as caught:
            SHELF.architecture(name)
        assert REFUSED[name] in caught.value.text.values.values()
    else:
        assert parameters(SHELF.architecture(name)) > 3e8


@pytest.mark.parametrize(("name", "billions"), PUBLISHED.items())
def test_sizes_are_those_of_the_model_cards(name: str, billions: float) -> None:
    assert parameters(SHELF.architecture(name)) / 1e9 == pytest.approx(billions, rel=0.01)


def test_short_names_lead_to_the_same_model() -> None:
    assert SHELF.architecture("QWEN3-14B") is SHELF.architecture("Qwen/Qwen3-14B")
    assert SHELF.architecture("llama-3.1-8b") is SHELF.architecture("meta-llama/Llama-3.1-8B")
    assert SHELF.architecture("mistral-7b") is SHELF.architecture("mistralai/Mistral-7B-v0.1")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadInput) as caught:
        SHELF.architecture("llama-3.1-9b")
    assert caught.value.text.values["near"] == "llama-3.1-8b"


def test_a_folder_adds_models_by_file_name(tmp_path: Path) -> None:
    (tmp_path / "ours--Tiny.json").write_text(json.dumps(LLAMA))
    tiny = load_models((tmp_path,)).architecture("ours/tiny")
    # embedding and head, final norm, two layers of 4 + 3 matrices and two norms
    assert parameters(tiny) == 2 * 64_000 + 64 + 2 * (4 * 64 * 64 + 3 * 64 * 128 + 2 * 64)


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "config.json"
    with pytest.raises(BadInput, match="cannot be read"):
        SHELF.architecture(ModelFile(config=str(broken)))
    broken.write_text("{")
    with pytest.raises(BadInput, match="no JSON"):
        SHELF.architecture(ModelFile(config=str(broken)))
    with pytest.raises(BadInput, match="cannot be read"):
        SHELF.architecture(ModelFile(gguf="model.gguf"))


@pytest.mark.parametrize("field", ["model_type", "hidden_size", "vocab_size", "num_attention_heads"])
def test_a_missing_field_is_named(field: str) -> None:
    config = {key: value for key, value in LLAMA.items() if key != field}
    with pytest.raises(BadInput) as caught:
        read_config(config, "ours/tiny")
    assert caught.value.text.values == {"model": "ours/tiny", "field": field}


def test_a_nested_text_model_brings_its_tower() -> None:
    vision = {"model_type": "siglip_vision_model", "hidden_size": 32, "num_hidden_layers": 1}
    vision |= {"intermediate_size": 64, "image_size": 28, "patch_size": 14}
    model = read_config({"text_config": LLAMA, "vision_config": vision}, "ours/sees")
    layer = 4 * 32 * 32 + 2 * 32 * 64 + 9 * 32 + 64
    assert model.towers[0].parameters == layer + 3 * 14 * 14 * 32 + 4 * 32 + 32 * 64


def test_gemma_3_leaves_out_what_is_the_default() -> None:
    text = {"model_type": "gemma3_text", "hidden_size": 2560, "intermediate_size": 10240}
    text |= {"num_hidden_layers": 34, "sliding_window": 1024}
    vision = {"model_type": "siglip_vision_model", "hidden_size": 1152, "intermediate_size": 4304}
    vision |= {"num_hidden_layers": 27, "image_size": 896, "patch_size": 14}
    config = {"model_type": "gemma3", "text_config": text, "vision_config": vision}
    # 4,300,079,472 parameters by the model card
    assert parameters(read_config(config, "google/gemma-3-4b-it")) == pytest.approx(4_300_079_472, rel=1e-4)


def test_layers_of_gpt_oss_alternate_their_window() -> None:
    windows = [
        layer.mixer.window
        for layer in SHELF.architecture("openai/gpt-oss-20b").layers
        if isinstance(layer.mixer, Attention)
    ]
    assert windows == [128, None] * 12


def test_the_first_layers_of_deepseek_are_dense() -> None:
    layers = SHELF.architecture("deepseek-ai/DeepSeek-V3").layers
    sparse = [isinstance(layer.channel, MixtureOfExperts) for layer in layers]
    assert sparse == [False] * 3 + [True] * 58


def test_layers_that_were_searched_have_widths_of_their_own() -> None:
    kept = {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 3.0}}
    skipped = {"attention": {"no_op": True}, "ffn": {"ffn_mult": 6.0}}
    config = LLAMA | {"model_type": "nemotron-nas", "block_configs": [kept, skipped]}
    first, second = read_config(config, "ours/searched").layers
    assert isinstance(first.mixer, Attention)
    assert first.mixer.kv_heads == 2
    assert (second.mixer, second.norms) == (None, 1)


@pytest.mark.parametrize(
    ("field", "facts", "expected"),
    [
        ("quantization_config", {"quant_method": "awq", "bits": 4, "group_size": 128}, ("awq4", 128)),
        ("quantization_config", {"quant_method": "gptq", "bits": 8, "group_size": -1}, ("gptq8", None)),
        ("quantization_config", {"quant_method": "fp8"}, ("fp8", None)),
        ("quantization_config", {"quant_method": "mxfp4"}, ("mxfp4", None)),
        ("quantization_config", {"quant_method": "modelopt", "quant_algo": "NVFP4"}, ("nvfp4", None)),
        ("quantization", {"bits": 4, "group_size": 64}, ("mlx-4bit-g64", 64)),
        (
            "quantization_config",
            {"quant_method": "bitsandbytes", "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True},
            ("nf4-dq", None),
        ),
    ],
)
def test_a_checkpoint_says_how_it_is_stored(
    field: str, facts: dict[str, Any], expected: tuple[str, int | None]
) -> None:
    assert read_config(LLAMA | {field: facts}, "ours/small").quantization == Quantization(*expected)
