"""GGUF files: the same layers as from the configuration, the file's own bytes, and no trust in strangers."""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from model_files import bytes_of, gguf_of, header, text, value, write_gguf

from configurator.catalog.importers.gguf import read_gguf
from configurator.catalog.importers.gguf_files import read_gguf_files, whole_header
from configurator.catalog.importers.gguf_header import read_header
from configurator.catalog.models import load_models
from configurator.domain.architecture import (
    Architecture,
    Attention,
    FeedForward,
    LatentAttention,
    Layer,
    Mamba2,
    MixtureOfExperts,
)
from configurator.domain.errors import BadInput
from configurator.memory.tensors import parameters
from configurator.texts import say_in

SHELF = load_models((Path(__file__).parents[1] / "data" / "model_configs",))
FAMILIES = {
    "meta-llama/Llama-3.1-8B": "llama",
    "mistralai/Mixtral-8x7B-v0.1": "llama",
    "reference/Mistral-Nemo-12B-6layers": "llama",
    "reference/SmolLM3-3B": "smollm3",
    "reference/Qwen2.5-7B-6layers": "qwen2",
    "reference/Qwen3-8B": "qwen3",
    "reference/Qwen3-30B-A3B-6layers": "qwen3moe",
    "reference/Qwen3-Next-80B-A3B-8layers": "qwen3next",
    "reference/Qwen3.5-9B-text": "qwen35",
    "reference/Qwen3.5-35B-A3B-text": "qwen35moe",
    "reference/Gemma-2-9B-6layers": "gemma2",
    "reference/Gemma-3-12B-text-6layers": "gemma3",
    "google/gemma-4-12B-it": "gemma4",
    "reference/Phi-3.5-mini-6layers": "phi3",
    "microsoft/phi-2": "phi2",
    "reference/gpt-oss-20b": "gpt-oss",
    "reference/GPT-2": "gpt2",
    "stabilityai/stablelm-base-alpha-3b": "gptneox",
    "reference/DeepSeek-V2-Lite-4layers": "deepseek2",
    "deepseek-ai/DeepSeek-V3": "deepseek2",
    "reference/Kimi-K2": "deepseek2",
    "reference/GLM-4.5-Air-6layers": "glm4moe",
    "reference/Granite-3.3-8B": "granite",
    "reference/Granite-4.0-H-Small": "granitehybrid",
    "reference/Nemotron-Nano-9B-v2": "nemotron_h",
    "reference/Minitron-4B-6layers": "nemotron",
    "reference/Falcon-7B": "falcon",
    "LiquidAI/LFM2-350M": "lfm2",
    "LiquidAI/LFM2-8B-A1B": "lfm2moe",
    "CohereForAI/c4ai-command-r-v01": "command-r",
    "MiniMaxAI/MiniMax-M2.5": "minimax-m2",
    "cyankiwi/Kimi-Linear-48B-A3B-Instruct-AWQ-4bit": "kimi-linear",
    "zai-org/GLM-4.7-Flash": "deepseek2",
    "arcee-ai/AFM-4.5B": "arcee",
    "swiss-ai/Apertus-8B-Instruct-2509": "apertus",
    "reference/OLMo-2-7B-6layers": "olmo2",
}


def tiny(**changes: Any) -> Architecture:
    layer = Layer(Attention(4, 2, 32), MixtureOfExperts(4, 2, 64))
    return Architecture("tiny", 128, 512, (layer,) * 3, **changes)


def plain(layer: Layer) -> Layer:
    """A layer without its bytes, and without what only the frameworks' own code knows: names, training."""
    if isinstance(layer.mixer, Attention):
        layer = replace(layer, mixer=replace(layer.mixer, output_name="o_proj", partial_rotary=False))
    if isinstance(layer.mixer, Mamba2):
        layer = replace(layer, mixer=replace(layer.mixer, chunk=256))
    if isinstance(layer.channel, FeedForward):
        layer = replace(layer, channel=replace(layer.channel, steps=0.0))
    if isinstance(layer.channel, MixtureOfExperts):
        layer = replace(layer, channel=replace(layer.channel, shared_fused=False, router_float=False))
    return replace(layer, stored=None)


def refused(data: bytes, size: int | None = None) -> str:
    with pytest.raises(BadInput) as caught:
        read_header(io.BytesIO(data), size or len(data), "x.gguf")
    return say_in("en")(caught.value.text)


@pytest.mark.parametrize(("name", "family"), FAMILIES.items())
def test_a_file_has_the_layers_of_its_configuration(name: str, family: str, tmp_path: Path) -> None:
    model = SHELF.architecture(name)
    metadata, tensors = gguf_of(model, family)
    read = read_gguf_files(write_gguf(tmp_path / "model.gguf", metadata, tensors))
    assert [plain(layer) for layer in read.layers] == [plain(layer) for layer in model.layers]
    assert len(read.mtp_layers) == len(model.mtp_layers)
    assert (read.hidden, read.vocab, read.tied, read.max_context) == (
        model.hidden,
        model.vocab,
        model.tied,
        model.max_context,
    )
    predicting = {f"blk.{len(model.layers) + n}." for n in range(len(model.mtp_layers))}
    counted = [shape for name, shape, _ in tensors if not any(name.startswith(blk) for blk in predicting)]
    towers = sum(tower.parameters for tower in model.towers)
    assert parameters(read) == sum(bytes_of(shape, "F16") // 2 for shape in counted)
    assert parameters(model) - towers == pytest.approx(parameters(read), rel=1e-5)


HEAD = Attention(4, 2, 32)
BIASED = Attention(4, 2, 32, qkv_bias=True)
TWO = FeedForward(256, gated=False, bias=True)
MAMBA = Mamba2(4, 64, 1, 16, 4)
OTHERS = {
    "qwen2moe": Layer(BIASED, MixtureOfExperts(4, 2, 64, shared_intermediate=128, shared_gate=True)),
    "granitemoe": Layer(HEAD, MixtureOfExperts(4, 2, 64, shared_intermediate=128)),
    "glm4": Layer(BIASED, FeedForward(256, fused_gate_up=True), norms=4),
    "starcoder2": Layer(Attention(4, 2, 32, qkv_bias=True, output_bias=True), TWO),
    "stablelm": Layer(Attention(4, 4, 32), FeedForward(256)),
    "cohere2": Layer(HEAD, FeedForward(256), norms=1, parallel=True),
    "nemotron_h_moe": Layer(None, MixtureOfExperts(4, 2, 64, shared_intermediate=128, gated=False), norms=1),
    "granitehybrid": Layer(MAMBA, MixtureOfExperts(4, 2, 64, shared_intermediate=128)),
    "glm-dsa": Layer(LatentAttention(4, 64, 32, 24, 8, 32), FeedForward(256)),
}


@pytest.mark.parametrize(("family", "layer"), OTHERS.items())
def test_layers_of_families_without_a_configuration_here(family: str, layer: Layer, tmp_path: Path) -> None:
    kind: Any = "layer" if family in ("starcoder2", "stablelm", "cohere2") else "rms"
    model = tiny(norm=kind, norm_bias=family != "cohere2")
    # A first layer with attention, so that the metadata state heads.
    first = Layer(HEAD, FeedForward(256))
    model = replace(model, layers=(first, layer) if family == "nemotron_h_moe" else (layer, layer))
    metadata, tensors = gguf_of(model, family)
    read = read_gguf_files(write_gguf(tmp_path / "model.gguf", metadata, tensors))
    assert [plain(one) for one in read.layers] == list(model.layers)
    assert (read.norm, read.norm_bias) == (model.norm, model.norm == "layer" and model.norm_bias)


def test_every_byte_of_the_file_is_counted_once(tmp_path: Path) -> None:
    metadata, tensors = gguf_of(tiny(), "qwen3moe")
    kinds = {"attn_v": "Q6_K", "ffn_down_exps": "Q5_0", "output.": "Q6_K", "token_embd": "Q4_K"}
    mixed = []
    for name, shape, kind in tensors:
        wanted = next((k for part, k in kinds.items() if part in name), kind)
        # Blocks of 256 do not fit into narrow matrices; then the converter takes blocks of 32.
        mixed.append((name, shape, "Q8_0" if wanted.endswith("_K") and shape[-1] % 256 else wanted))
    model = read_gguf_files(write_gguf(tmp_path / "model.gguf", metadata, mixed))
    stored = [layer.stored for layer in model.layers]
    assert model.stored
    assert all(stored)
    whole = model.stored.size + sum(part.size for part in stored if part)
    assert whole == sum(bytes_of(shape, kind) for _, shape, kind in mixed)
    # experts: gate and up in fp16, down in Q5_0 of 22 bytes per 32 values
    experts = 2 * (4 * 64 * 128 * 2) + 4 * 128 * 64 * 22 // 32
    assert stored[0]
    assert dict(stored[0].sizes)["expert"] == experts


def test_parts_are_read_together_and_a_missing_one_is_named(tmp_path: Path) -> None:
    metadata, tensors = gguf_of(tiny(), "qwen3moe")
    names = [tmp_path / f"m-0000{n}-of-00003.gguf" for n in (1, 2, 3)]
    for number, path in enumerate(names):
        own = metadata if number == 0 else {}
        part = {"split.no": number, "split.count": 3, "split.tensors.count": len(tensors)}
        write_gguf(path, own | part, tensors[number * 12 : 12 * (number + 1) if number < 2 else None])
    assert parameters(read_gguf_files(names[1])) == parameters(tiny())
    names[2].unlink()
    with pytest.raises(BadInput) as caught:
        read_gguf_files(names[0])
    assert caught.value.text.values["missing"] == "m-00003-of-00003.gguf"
    lonely = names[0].rename(tmp_path / "m.gguf")
    with pytest.raises(BadInput, match="is one of"):
        read_gguf_files(lonely)


class Counting(io.BytesIO):
    """A file that counts what is read of it."""

    read_bytes = 0

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        self.read_bytes += len(piece)
        return piece


def test_of_twenty_gigabytes_only_the_header_is_read(tmp_path: Path) -> None:
    metadata, tensors = gguf_of(SHELF.architecture("meta-llama/Llama-3.1-8B"), "llama")
    metadata["tokenizer.ggml.tokens"] = [f"word{n}" for n in range(20_000)]
    top = header(metadata, tensors)
    size = len(top) + 20 * 10**9
    # 4 MiB of holes stand for the rest of the file.
    file = Counting(top + bytes(4 << 20))
    read_header(file, size, "large.gguf")
    assert len(top) <= file.read_bytes <= len(top) + (1 << 20)
    path = write_gguf(tmp_path / "large.gguf", metadata, tensors)
    assert path.stat().st_size > 15 * 10**9
    assert whole_header(path).metadata["tokenizer.ggml.tokens"] is None


def _with(metadata: dict[str, Any], kind: str = "F16", shape: tuple[int, ...] = (64, 64)) -> bytes:
    return header({"general.architecture": "llama"} | metadata, [("token_embd.weight", shape, kind)])


HOSTILE = {
    "no file": (b"", "ends early"),
    "another file": (b"PK\x03\x04" + bytes(60), "no GGUF"),
    "big-endian": (b"GGUF" + struct.pack(">I", 3) + bytes(60), "version"),
    "endless tensors": (b"GGUF" + struct.pack("<IQQ", 3, 2**63, 1) + bytes(60), "more than it can hold"),
    "endless keys": (b"GGUF" + struct.pack("<IQQ", 3, 1, 2**40) + bytes(60), "more than it can hold"),
    "endless name": (b"GGUF" + struct.pack("<IQQQ", 3, 1, 1, 2**62) + bytes(60), "bytes long"),
    "endless text": (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IQ", 8, 2**60) + bytes(60),
        "ends early",
    ),
    "endless list": (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 4, 2**60) + bytes(60),
        "more than it can hold",
    ),
    "lists of lists": (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + text("a") + struct.pack("<IIQ", 9, 9, 1) + bytes(60),
        "unknown type 9",
    ),
    "no text": (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 2) + b"\xff\xfe" + value(1), "no text"),
    "twice": (
        b"GGUF" + struct.pack("<IQQ", 3, 0, 2) + (text("a") + value(1)) * 2,
        "stands there twice",
    ),
    "alignment": (_with({"general.alignment": 0}), "aligns"),
}


@pytest.mark.parametrize(("data", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_broken_header_is_one_sentence(data: bytes, words: str) -> None:
    assert words in refused(data)


def test_impossible_tensors_are_refused() -> None:
    good = _with({})
    assert "not loaded completely" in refused(good + bytes(100))
    known = struct.pack("<IQQ", 2, 64, 64)
    for shape in (struct.pack("<IQQ", 2, 0, 64), struct.pack("<IQQ", 2, 2**40, 2**40)):
        assert "impossible shape" in refused(good.replace(known, shape) + bytes(9000))
    assert "has 9 dimensions" in refused(good.replace(known, struct.pack("<IQQ", 9, 64, 64)) + bytes(9000))
    place = good.rindex(struct.pack("<IQ", 1, 0))
    assert "unknown type 77" in refused(good[:place] + struct.pack("<IQ", 77, 0) + bytes(9000))
    assert "does not begin where" in refused(good[:place] + struct.pack("<IQ", 1, 64) + bytes(9000))
    assert "impossible shape" in refused(good[:place] + struct.pack("<IQ", 12, 0) + bytes(9000))


def test_every_cut_of_a_header_is_refused_in_words() -> None:
    metadata, tensors = gguf_of(tiny(), "qwen3moe")
    top = header(metadata | {"tokenizer.ggml.tokens": ["a"] * 5000}, tensors)
    for length in range(0, len(top), 97):
        assert refused(top[:length])


MIXED = {
    family: gguf_of(SHELF.architecture(name), family)
    for name, family in FAMILIES.items()
    if name.endswith("layers") or family in ("lfm2", "kimi-linear")
}
STRANGE = st.one_of(
    st.integers(0, 2**32 - 1),
    st.integers(0, 300),
    st.text(max_size=5),
    st.booleans(),
    st.lists(st.integers(0, 200), min_size=1, max_size=9),
)


@given(st.sampled_from(sorted(MIXED)), st.data())
@settings(max_examples=60, deadline=None)
def test_strange_values_and_bytes_are_refused_or_read(family: str, data: st.DataObject) -> None:
    """No value of a key and no changed byte leads to anything but a model or one sentence."""
    metadata, tensors = MIXED[family]
    key = data.draw(st.sampled_from(sorted(metadata)))
    top = bytearray(header(metadata | {key: data.draw(STRANGE)}, tensors))
    for place in data.draw(st.lists(st.integers(0, len(top) - 1), max_size=2)):
        top[place] = data.draw(st.integers(0, 255))
    try:
        found = read_gguf(read_header(io.BytesIO(top), 10**14, "x.gguf"), "x.gguf")
    except BadInput:
        return
    assert parameters(found) > 0
    for layer in found.layers:
        for block in (layer.mixer, layer.channel):
            sizes = vars_of(block)
            assert all(size >= 0 for size in sizes)


def vars_of(block: object) -> list[int]:
    names = getattr(block, "__slots__", ())
    return [size for size in (getattr(block, name) for name in names) if isinstance(size, int)]


def read(tmp_path: Path, metadata: dict[str, Any], tensors: list[Any]) -> Architecture:
    return read_gguf_files(write_gguf(tmp_path / "model.gguf", metadata, tensors))


def test_what_is_not_understood_is_refused_by_its_name(tmp_path: Path) -> None:
    metadata, tensors = gguf_of(tiny(), "qwen3moe")
    cases: list[tuple[dict[str, Any], list[Any], str]] = [
        (metadata | {"general.architecture": "qwen9"}, tensors, "qwen9"),
        (metadata | {"qwen3moe.attention.mystery": 3}, tensors, "qwen3moe.attention.mystery"),
        (metadata, [*tensors, ("blk.1.altup.weight", (4, 4), "F16")], "blk.1.altup"),
        (metadata, [*tensors, ("per_layer_token_embd.weight", (4, 4), "F16")], "per_layer_token_embd"),
        (metadata, [t for t in tensors if "blk.1.attn_k." not in t[0]], "attn_k"),
        (metadata, [t for t in tensors if "blk.2." not in t[0]], "layer 2"),
        (metadata | {"qwen3moe.attention.head_count": 3}, tensors, "blk.0.attn_q.weight"),
        ({k: v for k, v in metadata.items() if "block_count" not in k}, tensors, "qwen3moe.block_count"),
        (metadata | {"qwen3moe.block_count": "three"}, tensors, "qwen3moe.block_count"),
        (metadata | {"qwen3moe.block_count": 2**31}, tensors, "layer 3"),
    ]
    for keys, parts, words in cases:
        with pytest.raises(BadInput) as caught:
            read(tmp_path, keys, parts)
        assert words in say_in("en")(caught.value.text)


def test_a_latent_cache_needs_its_lengths(tmp_path: Path) -> None:
    model = SHELF.architecture("reference/DeepSeek-V2-Lite-4layers")
    metadata, tensors = gguf_of(model, "deepseek2")
    assert isinstance(read(tmp_path, metadata, tensors).layers[0].mixer, LatentAttention)
    del metadata["deepseek2.attention.key_length_mla"]
    with pytest.raises(BadInput) as caught:
        read(tmp_path, metadata, tensors)
    assert "key_length_mla" in say_in("en")(caught.value.text)


def test_windows_follow_the_list_in_the_file_or_the_architecture(tmp_path: Path) -> None:
    layer = Layer(Attention(4, 2, 32, window=256), MixtureOfExperts(4, 2, 64))
    metadata, tensors = gguf_of(replace(tiny(), layers=(layer,) * 3), "gpt-oss")

    def windows(more: dict[str, Any]) -> list[int | None]:
        layers = read(tmp_path, metadata | more, tensors).layers
        return [layer.mixer.window for layer in layers if isinstance(layer.mixer, Attention)]

    assert windows({}) == [256, None, 256]
    assert windows({"gpt-oss.attention.sliding_window_pattern": 3}) == [256, 256, None]
    assert windows({"gpt-oss.attention.sliding_window_pattern": [False, True, False]}) == [None, 256, None]
