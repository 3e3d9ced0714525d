"""Weights of models that are read from files: the file's own bytes, wherever the plan puts them."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

sys.path.append(str(Path(__file__).parents[1] / "catalog"))

from model_files import Tensors, bytes_of, gguf_of, write_gguf, write_safetensors

from configurator.catalog.catalog import load_catalog
from configurator.catalog.importers import read_config
from configurator.catalog.models import load_models
from configurator.cli import app
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.ledger import Entry
from configurator.memory.engine import predict

DATA = Path(__file__).parents[1] / "data" / "model_configs"
SHELF = load_models((DATA,))
GIB = 2**30


def weights(workload: dict[str, Any], gpus: int = 1, **plan: Any) -> list[Entry]:
    case: dict[str, Any] = {"workload": {"task": "inference"} | workload}
    case["machine"] = {"gpus": [{"gpu": "rtx-pro-6000-blackwell", "count": gpus}]}
    devices = predict(Case.model_validate(case | ({"plan": plan} if plan else {})), load_catalog())
    return [
        entry for one in devices.estimate.devices for entry in one.entries if entry.component == "weights"
    ]


def more_bits(layer: int, layers: int) -> bool:
    """llama.cpp's K mixes give more bits to the first and last eighth and to every third layer between."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def q4_k_m(tensors: Tensors, layers: int) -> Tensors:
    """Tensor types of Q4_K_M as llama.cpp's load logs count them."""
    tied = not any(name.startswith("output.w") for name, _, _ in tensors)
    return [(name, shape, _q4_k_m(name, shape, layers, tied)) for name, shape, _ in tensors]


def _q4_k_m(name: str, shape: tuple[int, ...], layers: int, tied: bool) -> str:
    if len(shape) == 1 or "ffn_gate_inp" in name:
        return "F32"
    if name.startswith("token_embd" if tied else "output.w"):
        return "Q6_K"
    wide = "attn_v." in name or "ffn_down" in name
    return "Q6_K" if wide and more_bits(int(name.split(".")[1]), layers) else "Q4_K"


GEMMA = {  # Gemma 3 4B, the language model
    "model_type": "gemma3_text",
    "hidden_size": 2560,
    "intermediate_size": 10240,
    "num_hidden_layers": 34,
    "sliding_window": 1024,
    "vocab_size": 262144,
}
MIXES = [
    # https://github.com/ggml-org/llama.cpp/issues/14235: 17.28 GiB, 4.86 bits per weight
    (SHELF.configs["Qwen/Qwen3-30B-A3B"], "qwen3moe", {"F32": 241, "Q4_K": 289, "Q6_K": 49}, 17.28),
    # https://github.com/ggml-org/llama.cpp/pull/22790: 2.31 GiB, 5.12 bits per weight
    (GEMMA, "gemma3", {"F32": 205, "Q4_K": 204, "Q6_K": 35}, 2.31),
]


@pytest.mark.parametrize(("config", "family", "types", "gib"), MIXES)
def test_mixes_have_the_size_that_llama_cpp_prints(
    config: dict[str, Any], family: str, types: dict[str, int], gib: float, tmp_path: Path
) -> None:
    metadata, tensors = gguf_of(read_config(config, "mix"), family)
    tensors = q4_k_m(tensors, metadata[f"{family}.block_count"])
    assert Counter(kind for _, _, kind in tensors) == types
    file = write_gguf(tmp_path / "m.gguf", metadata, tensors)
    (found,) = weights({"model": {"gguf": str(file)}, "framework": "transformers"})
    assert found.likely == sum(bytes_of(shape, kind) for _, shape, kind in tensors)
    assert found.likely / GIB == pytest.approx(gib, abs=0.005)
    assert "as the file stores them" in found.why.template
    assert "header" in found.source


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, int]]:
    """A Q4_K_M file of Qwen3-30B-A3B, and its bytes: all, embedding, experts, layer by layer."""
    metadata, tensors = gguf_of(SHELF.architecture("Qwen/Qwen3-30B-A3B"), "qwen3moe")
    tensors = q4_k_m(tensors, 48)
    sizes: Counter[str] = Counter()
    for name, shape, kind in tensors:
        size = bytes_of(shape, kind)
        sizes["all"] += size
        sizes["experts"] += size * ("_exps" in name)
        sizes["embedding"] += size * name.startswith("token_embd")
        sizes[".".join(name.split(".")[:2])] += size
    path = tmp_path_factory.mktemp("qwen") / "qwen.gguf"
    return str(write_gguf(path, metadata, tensors)), dict(sizes)


def test_llama_cpp_keeps_the_embedding_on_the_host(qwen: tuple[str, dict[str, int]]) -> None:
    file, sizes = qwen
    (found,) = weights({"model": {"gguf": file}, "framework": "llama.cpp"})
    assert found.likely == sizes["all"] - sizes["embedding"]
    # 166.92 MiB on the host in the load log of https://github.com/ikawrakow/ik_llama.cpp/issues/398
    assert sizes["embedding"] / 2**20 == pytest.approx(166.92, abs=0.005)


def test_layers_dealt_out_carry_their_own_bytes(qwen: tuple[str, dict[str, int]]) -> None:
    file, sizes = qwen
    first, second = weights({"model": {"gguf": file}, "framework": "llama.cpp"}, 2, pp=2, split=[1, 2])
    # A third of 48 layers and the output: 16.3 items, so 17 layers.
    assert first.likely == sum(sizes[f"blk.{number}"] for number in range(17))
    assert first.likely + second.likely == sizes["all"] - sizes["embedding"]


def test_experts_on_the_host_leave_the_rest(qwen: tuple[str, dict[str, int]]) -> None:
    file, sizes = qwen
    asked = {"model": {"gguf": file}, "framework": "llama.cpp", "offload": "experts->CPU"}
    (found,) = weights(asked)
    assert found.likely == sizes["all"] - sizes["embedding"] - sizes["experts"]


def test_a_shared_embedding_has_its_copy_where_the_head_computes(tmp_path: Path) -> None:
    metadata, tensors = gguf_of(read_config(GEMMA, "gemma"), "gemma3")
    tensors = q4_k_m(tensors, 34)
    file = write_gguf(tmp_path / "m.gguf", metadata, tensors)
    (found,) = weights({"model": {"gguf": str(file)}, "framework": "llama.cpp"})
    assert found.likely == sum(bytes_of(shape, kind) for _, shape, kind in tensors)


def test_the_name_of_a_mix_does_not_change_what_the_file_holds(qwen: tuple[str, dict[str, int]]) -> None:
    file, _ = qwen
    plain = weights({"model": {"gguf": file}})
    assert weights({"model": {"gguf": file}, "weights": "UD-Q4_K_XL"}) == plain
    with pytest.raises(BadInput, match="leave weights out"):
        weights({"model": {"gguf": file}, "weights": "nf4"})


def test_a_case_with_a_file_is_answered_from_the_command_line(
    qwen: tuple[str, dict[str, int]], tmp_path: Path
) -> None:
    file, sizes = qwen
    case = {"format": "case/1", "workload": {"task": "inference", "model": {"gguf": file}}}
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(case | {"machine": {"gpus": [{"gpu": "geforce-rtx-4090"}]}}))
    answer = CliRunner().invoke(app, ["estimate", str(path), "--json"])
    assert answer.exit_code == 0, answer.stderr
    entries = json.loads(answer.stdout)["devices"][0]["entries"]
    (found,) = [entry for entry in entries if entry["component"] == "weights"]
    assert found["likely"] == sizes["all"] - sizes["embedding"]
    assert "Q4_K" in found["why"]
    shown = json.loads(CliRunner().invoke(app, ["catalog", "show", file]).stdout)
    assert (shown["bytes"], shown["weights"]) == (sizes["all"], "Q4_K")
    assert [kind["count"] for kind in shown["layers"]] == [48]
    for wrong in ({}, {"gguf": file, "config": file}, {"gguf": str(tmp_path / "none.gguf")}):
        case["workload"] = {"task": "inference", "model": wrong}
        path.write_text(yaml.safe_dump(case | {"machine": {"gpus": [{"gpu": "geforce-rtx-4090"}]}}))
        answer = CliRunner().invoke(app, ["estimate", str(path)])
        assert answer.exit_code == 2
        assert len(answer.stderr.strip().splitlines()) == 1


LLAMA = {
    "model_type": "llama",
    "hidden_size": 256,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 512,
    "vocab_size": 1024,
}
AWQ = {"quant_method": "awq", "bits": 4, "group_size": 128}
OUTER = [("model.embed_tokens.weight", (1024, 256), "F16", 2), ("lm_head.weight", (1024, 256), "F16", 2)]
OUTER += [("model.norm.weight", (256,), "F16", 2)]


def awq(layer: int) -> list[tuple[str, tuple[int, ...], str, int]]:
    """One layer of an AWQ checkpoint: eight 4-bit values in an int32, one scale and zero per group of 128."""
    widths = {"self_attn.q_proj": (256, 256), "self_attn.k_proj": (256, 128), "self_attn.v_proj": (256, 128)}
    widths |= {"self_attn.o_proj": (256, 256), "mlp.gate_proj": (256, 512), "mlp.up_proj": (256, 512)}
    widths |= {"mlp.down_proj": (512, 256)}
    result: list[tuple[str, tuple[int, ...], str, int]] = []
    for name, (cols, rows) in widths.items():
        whole = f"model.layers.{layer}.{name}"
        result.append((f"{whole}.qweight", (cols, rows // 8), "I32", 4))
        result.append((f"{whole}.qzeros", (cols // 128, rows // 8), "I32", 4))
        result.append((f"{whole}.scales", (cols // 128, rows), "F16", 2))
    for name in ("input_layernorm", "post_attention_layernorm"):
        result.append((f"model.layers.{layer}.{name}.weight", (256,), "F16", 2))
    return result


def folder(path: Path, config: dict[str, Any]) -> Path:
    (path / "config.json").write_text(json.dumps(config))
    return path


MATRICES = 256 * 256 * 2 + 256 * 128 * 2 + 3 * 256 * 512
"""Weights of one layer's matrices: 589,824."""
LAYER = MATRICES // 2 + MATRICES // 128 * (2 + 0.5) + 2 * 256 * 2
"""Bytes of one layer in AWQ: half a byte each, a scale and half a byte of zero a group, two norms."""


def test_a_quantised_checkpoint_has_the_bytes_of_its_file(tmp_path: Path) -> None:
    config = folder(tmp_path, LLAMA | {"quantization_config": AWQ})
    write_safetensors(tmp_path / "model.safetensors", [*OUTER, *awq(0), *awq(1)])
    for place in (config, config / "config.json"):
        (found,) = weights({"model": {"config": str(place)}, "framework": "vllm"})
        assert found.likely == 2 * LAYER + 2 * (2 * 1024 * 256) + 2 * 256
        assert found.why.values["format"] == "awq4"
        assert weights({"model": {"config": str(place)}, "framework": "vllm", "weights": "AWQ"}) == [found]
    # Asked for in another format, the file is converted while it is loaded: the rules of that format hold.
    (other,) = weights({"model": {"config": str(config)}, "framework": "vllm", "weights": "bf16"})
    assert other.likely == 2 * (2 * (MATRICES + 512) + 2 * 1024 * 256 + 256)


def test_the_index_names_the_files(tmp_path: Path) -> None:
    config = folder(tmp_path, LLAMA | {"quantization_config": AWQ})
    parts = {"model-1.safetensors": [*OUTER, *awq(0)], "model-2.safetensors": awq(1)}
    total = int(2 * LAYER + 2 * (2 * 1024 * 256) + 2 * 256)
    where = {tensor[0]: name for name, tensors in parts.items() for tensor in tensors}
    index = {"metadata": {"total_size": total + 4096}, "weight_map": where}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index))
    asked = {"model": {"config": str(config)}, "framework": "vllm"}
    # Without the files the index gives the whole, here with 4 KiB more than the tensors of the files.
    (found,) = weights(asked)
    assert found.likely == pytest.approx(total + 4096, abs=20)
    for name, tensors in parts.items():
        write_safetensors(tmp_path / name, tensors)
    (found,) = weights(asked)
    assert found.likely == total


def test_qlora_quantises_a_16_bit_file_while_it_loads(tmp_path: Path) -> None:
    plain = [(name, shape, "BF16", 2) for name, shape, _, _ in OUTER]
    for layer in (0, 1):
        for name, shape, kind, _ in awq(layer):
            if "norm" in name or "qweight" in name:
                wide = (shape[0], shape[1] * 8) if kind == "I32" else shape
                plain.append((name.replace("qweight", "weight"), wide, "BF16", 2))
    write_safetensors(tmp_path / "model.safetensors", plain)
    asked = {"model": {"config": str(folder(tmp_path, LLAMA))}, "framework": "transformers"}
    (found,) = weights(asked)
    assert found.likely == 2 * (2 * (MATRICES + 512) + 2 * 1024 * 256 + 256)
    (small,) = weights(asked | {"task": "qlora"})
    assert small.likely < 0.75 * found.likely
    (tuned,) = weights(asked | {"task": "lora"})
    assert tuned.likely == found.likely
    assert "as the file stores them" in tuned.why.template


BROKEN = {
    "empty": b"",
    "endless": (2**60).to_bytes(8, "little") + b"{}",
    "no json": (4).to_bytes(8, "little") + b"{{{{",
    "a list": (2).to_bytes(8, "little") + b"[]",
    "no offsets": (9).to_bytes(8, "little") + b'{"a": {}}',
    "backwards": (63).to_bytes(8, "little")
    + b'{"a":{"dtype":"F16","shape":[2,2],"data_offsets":[8,       0]}}'
    + bytes(8),
    "too little": (63).to_bytes(8, "little")
    + b'{"a":{"dtype":"F16","shape":[9999],"data_offsets":[0,      8]}}'
    + bytes(8),
    "cut off": (63).to_bytes(8, "little")
    + b'{"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,       8]}}'
    + bytes(7),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_safetensors_header_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(BadInput, match=r"header cannot be used|not loaded completely"):
        weights({"model": {"config": str(folder(tmp_path, LLAMA))}})


def test_files_of_another_model_are_refused(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model.safetensors", [*OUTER, *awq(0)])
    with pytest.raises(BadInput, match="no tensors of layer"):
        weights({"model": {"config": str(folder(tmp_path, LLAMA | {"quantization_config": AWQ}))}})
    with pytest.raises(BadInput, match="does not say how to read them"):
        weights({"model": {"config": str(folder(tmp_path, LLAMA))}})
