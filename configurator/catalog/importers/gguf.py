"""From the header of a GGUF file to the layers of a model, with the bytes that the file holds of each."""

from __future__ import annotations

from configurator.catalog.importers.gguf_blocks import channel, mixer
from configurator.catalog.importers.gguf_fields import GgufFields, not_there, not_understood
from configurator.catalog.importers.gguf_header import Header, broken
from configurator.catalog.importers.stored import FileTensor, shared, stored, usual_type
from configurator.domain.architecture import Architecture, Layer
from configurator.domain.message import message
from configurator.domain.tensor import Role

_NORMS = (
    "attn_norm",
    "attn_norm_2",
    "post_attention_norm",
    "ffn_norm",
    "post_ffw_norm",
    "post_ffw_norm_1",
    "pre_ffw_norm_2",
    "post_ffw_norm_2",
)
_PREDICTION = ("eh_proj", "embed_tokens", "enorm", "hnorm", "shared_head_head", "shared_head_norm")
"""What a layer for multi-token prediction has beside a layer's own tensors."""
_OUTER: dict[str, Role] = {"token_embd": "embedding", "position_embd": "embedding", "output": "head"}
_REST = ("output_norm", "token_embd_norm", "output.bias", "output_norm.bias", "token_embd_norm.bias")
_FREQUENCIES = ("rope_freqs", "rope_factors_long", "rope_factors_short")
_PLAIN = {"F32": "fp32", "F16": "fp16", "BF16": "bf16"}
_SMALL = ("norm", "ssm_a", "ssm_d", "ssm_conv", "shortconv.conv", "ffn_gate_inp", "exp_probs_b")
"""Parts of names of what is no matrix for a quantiser."""


def read_gguf(header: Header, name: str) -> Architecture:
    """Return the architecture that a GGUF header describes.

    Raises BadInput for an architecture, key or tensor that is not understood, and for a contradiction.
    """
    f = GgufFields(header, name)
    try:
        return _model(f, header)
    except (TypeError, ValueError, ZeroDivisionError) as problem:
        # Widths that do not divide, shapes of another number of sides; what is missing is named where it is read.
        said = message("its metadata and the shapes of its tensors contradict each other")
        raise broken(name, said) from problem


def _model(f: GgufFields, header: Header) -> Architecture:
    for tensor in f.outer:
        if tensor not in (*_OUTER, *_REST, *_FREQUENCIES):
            raise not_understood(f.name, tensor)
    if "token_embd" not in f.outer:
        raise not_there(f.name, "token_embd.weight")
    embedding, hidden = f.outer["token_embd"], f.need("embedding_length")
    f.must_be(embedding, -1, hidden)
    form = usual_type(header.tensors)
    form = _PLAIN.get(form, form)
    count, extra = f.need("block_count"), f.number("nextn_predict_layers") or 0
    if extra >= count:
        raise not_there(f.name, f"{f.family}.nextn_predict_layers")
    count -= extra
    layers = shared(_layer(f, number, count, form) for number in range(count))
    predicting = (number for number in range(count, count + extra) if f.has(number))
    positions = f.outer.get("position_embd")
    return Architecture(
        family=f.family,
        hidden=hidden,
        vocab=embedding.shape[0],
        layers=layers,
        tied="output" not in f.outer,
        norm="layer" if f.value("attention.layer_norm_epsilon") is not None else "rms",
        norm_bias="output_norm.bias" in f.outer,
        norm_offset_float=bool(f.rules.get("offset")),
        learned_positions=positions.shape[0] if positions else 0,
        head_bias="output.bias" in f.outer,
        logit_softcap=bool(f.value("final_logit_softcapping")),
        max_context=f.number("context_length") or None,
        mtp_layers=tuple(_layer(f, number, count, form) for number in predicting),
        stored=stored(form, ((_OUTER.get(key, "norm"), tensor.size) for key, tensor in f.outer.items())),
    )


def _layer(f: GgufFields, number: int, count: int, form: str) -> Layer:
    t = f.layer(number)
    block, feed = mixer(f, t, _window(f, number, count)), channel(f, t)
    norms = [key for key in _NORMS if key in t]
    t.all_of(*norms, *(f"{key}.bias" for key in norms), "layer_output_scale")
    if number >= count:
        t.all_of(*(f"nextn.{key}" for key in _PREDICTION))
    t.refuse_rest()
    parallel = bool(f.value("use_parallel_residual")) or len(norms) == 1 or "attn_norm_2" in norms
    return Layer(
        block,
        feed,
        norms=len(norms),
        parallel=parallel and block is not None and feed is not None,
        stored=stored(form, ((_role(key, t[key]), t[key].size) for key in t)),
    )


def _role(key: str, tensor: FileTensor) -> Role:
    """Return the kind of a layer's tensor."""
    if "_exps" in key:
        return "expert"
    if len(tensor.shape) == 1 or any(part in key for part in _SMALL):
        return "norm"
    return "linear"


def _window(f: GgufFields, number: int, count: int) -> int | None:
    """Return the sliding window that llama.cpp keeps for a layer, or None for the whole context."""
    every, pattern = f.rules.get("full_every"), f.value("attention.sliding_window_pattern")
    if every is None:
        return None
    if isinstance(pattern, list):
        slides = number < len(pattern) and bool(pattern[number])
    else:
        every = pattern if isinstance(pattern, int) and pattern > 0 else every
        slides = bool((number + 1) % every)
    window = f.number("attention.sliding_window")
    if window is None:
        window = f.rules.get("window", 0)
    return window if slides and window and number < count else None
