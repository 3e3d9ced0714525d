"""What denoisers are given: noisy latents, a prompt's embeddings, a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

FRAMES = 4
"""Latent pictures of the recorded videos."""
Inputs = Callable[[int, int, torch.dtype], dict[str, Any]]
"""Number of images, their edge in pixels, and the format of the weights."""


def unet(tokens: int, width: int, pooled: bool = False) -> Inputs:
    """Return the inputs of a U-Net; SDXL's gets a pooled prompt and the sizes of the image as well."""

    def inputs(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
        found: dict[str, Any] = {
            "sample": torch.empty(images, 4, edge // 8, edge // 8, dtype=dtype),
            "timestep": torch.zeros(images, dtype=torch.long),
            "encoder_hidden_states": torch.empty(images, tokens, width, dtype=dtype),
        }
        if pooled:
            found["added_cond_kwargs"] = {
                "text_embeds": torch.empty(images, 1280, dtype=dtype),
                "time_ids": torch.empty(images, 6, dtype=dtype),
            }
        return found

    return inputs


def flux(tokens: int, width: int, pooled: bool = True) -> Inputs:
    """Return packed latents with positions; FLUX.1 gets a pooled prompt and its guidance as well."""

    def inputs(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
        found = _packed(images, edge, dtype, 64, tokens, width)
        found |= {"img_ids": torch.zeros((edge // 16) ** 2, 3), "txt_ids": torch.zeros(tokens, 3)}
        if pooled:
            found["pooled_projections"] = torch.empty(images, 768, dtype=dtype)
            found["guidance"] = torch.zeros(images, dtype=dtype)
        return found

    return inputs


def flux2(tokens: int, width: int) -> Inputs:
    """Return packed latents with positions in four dimensions."""

    def inputs(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
        found = _packed(images, edge, dtype, 128, tokens, width)
        found |= {"img_ids": torch.zeros((edge // 16) ** 2, 4), "txt_ids": torch.zeros(tokens, 4)}
        return found | {"guidance": None}

    return inputs


def qwen(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return packed latents with their shape."""
    shape = (1, edge // 16, edge // 16)
    return _packed(images, edge, dtype, 64, 256, 3584) | {"img_shapes": [[shape]] * images}


def stable_diffusion_3(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents and a pooled prompt."""
    found = _latents(images, edge, dtype, 16, 333, 4096)
    return found | {"pooled_projections": torch.empty(images, 2048, dtype=dtype)}


def pixart(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents."""
    found = _latents(images, edge, dtype, 4, 300, 4096)
    return found | {"added_cond_kwargs": {"resolution": None, "aspect_ratio": None}}


def z_image(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return lists of latents and prompts."""
    return {
        "x": [torch.empty(16, 1, edge // 8, edge // 8, dtype=dtype) for _ in range(images)],
        "t": torch.zeros(images, dtype=dtype),
        "cap_feats": [torch.empty(128, 2560, dtype=dtype) for _ in range(images)],
    }


def auraflow(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents."""
    return _latents(images, edge, dtype, 4, 256, 2048) | {"timestep": torch.zeros(images, dtype=dtype)}


def sana(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents of 32 x 32 pixels each."""
    found = _latents(images, edge // 4, dtype, 32, 300, 2304)
    return found | {"timestep": torch.zeros(images, dtype=dtype)}


def lumina(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents and which tokens count."""
    return _latents(images, edge, dtype, 16, 128, 2304) | {
        "timestep": torch.zeros(images, dtype=dtype),
        "encoder_attention_mask": torch.ones(images, 128, dtype=torch.bool),
    }


def amused(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return tokens of images, some of them masked."""
    return {
        "input_ids": torch.zeros(images, edge // 16, edge // 16, dtype=torch.long),
        "encoder_hidden_states": torch.empty(images, 77, 768, dtype=dtype),
        "pooled_text_emb": torch.empty(images, 768, dtype=dtype),
        "micro_conds": torch.empty(images, 5, dtype=dtype),
    }


def cogvideo(rotated: bool) -> Inputs:
    """Return latents of a video; the larger model gets the angles of its positions as well."""

    def inputs(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
        found = _latents(images, edge, dtype, 16, 226, 4096)
        found["hidden_states"] = torch.empty(images, FRAMES, 16, edge // 8, edge // 8, dtype=dtype)
        if rotated:
            tokens = FRAMES * (edge // 16) ** 2
            found["image_rotary_emb"] = (torch.empty(tokens, 64), torch.empty(tokens, 64))
        return found

    return inputs


def wan(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents of a video."""
    found = _latents(images, edge, dtype, 16, 512, 4096)
    return found | {"hidden_states": torch.empty(images, 16, FRAMES, edge // 8, edge // 8, dtype=dtype)}


def hunyuan(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return latents of a video, a pooled prompt, and which tokens count."""
    found = _latents(images, edge, dtype, 16, 256, 4096)
    return found | {
        "hidden_states": torch.empty(images, 16, FRAMES, edge // 8, edge // 8, dtype=dtype),
        "encoder_attention_mask": torch.ones(images, 256, dtype=torch.long),
        "pooled_projections": torch.empty(images, 768, dtype=dtype),
        "guidance": torch.zeros(images, dtype=dtype),
    }


def ltx(images: int, edge: int, dtype: torch.dtype) -> dict[str, Any]:
    """Return packed latents of a video, of 32 x 32 pixels each."""
    side = edge // 32
    return {
        "hidden_states": torch.empty(images, FRAMES * side**2, 128, dtype=dtype),
        "encoder_hidden_states": torch.empty(images, 128, 4096, dtype=dtype),
        "timestep": torch.zeros(images, dtype=torch.long),
        "encoder_attention_mask": None,
        "num_frames": FRAMES,
        "height": side,
        "width": side,
    }


def decoded(channels: int) -> Inputs:
    """Return the latents that a decoder turns into an image."""
    return lambda images, edge, dtype: {"z": torch.empty(images, channels, edge // 8, edge // 8, dtype=dtype)}


def _latents(
    images: int, edge: int, dtype: torch.dtype, channels: int, tokens: int, width: int
) -> dict[str, Any]:
    return {
        "hidden_states": torch.empty(images, channels, edge // 8, edge // 8, dtype=dtype),
        "encoder_hidden_states": torch.empty(images, tokens, width, dtype=dtype),
        "timestep": torch.zeros(images, dtype=torch.long),
    }


def _packed(
    images: int, edge: int, dtype: torch.dtype, channels: int, tokens: int, width: int
) -> dict[str, Any]:
    """Return latents of which 2 x 2 are one token."""
    return {
        "hidden_states": torch.empty(images, (edge // 16) ** 2, channels, dtype=dtype),
        "encoder_hidden_states": torch.empty(images, tokens, width, dtype=dtype),
        "timestep": torch.zeros(images, dtype=dtype),
    }
