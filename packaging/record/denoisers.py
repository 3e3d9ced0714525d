"""The denoisers and decoders of the catalogue, from their published configurations."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import diffusers as library
import torch
from torch import nn

from record import latents
from record.diffusion import DECODER, UNET, Denoiser

SDXL: dict[str, Any] = {
    "block_out_channels": (320, 640, 1280),
    "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
    "up_block_types": ("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
    "transformer_layers_per_block": [1, 2, 10],
    "attention_head_dim": [5, 10, 20],
    "cross_attention_dim": 2048,
    "addition_embed_type": "text_time",
    "addition_time_embed_dim": 256,
    "projection_class_embeddings_input_dim": 2816,
    "use_linear_projection": True,
    "sample_size": 128,
}
VIDEO = (256, 512)
"""Edges at which videos are recorded."""


class Decoder(nn.Module):
    """The half of an autoencoder that turns latents into an image; its weights are those of both halves."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        first = channels == 4  # Stable Diffusion's own wraps its latents in two more convolutions
        self.autoencoder = library.AutoencoderKL(
            latent_channels=channels,
            block_out_channels=(128, 256, 512, 512),
            layers_per_block=2,
            down_block_types=("DownEncoderBlock2D",) * 4,
            up_block_types=("UpDecoderBlock2D",) * 4,
            use_quant_conv=first,
            use_post_quant_conv=first,
            sample_size=1024,
        )

    def forward(self, z: torch.Tensor) -> Any:
        """Return the image."""
        return self.autoencoder.decode(z)


def networks() -> Iterator[Denoiser]:
    """Yield all denoisers and decoders."""
    yield from _unets()
    yield from _stable_diffusion_3()
    yield from _flux()
    yield from _other_images()
    yield from _videos()
    for channels in (4, 16):
        yield Denoiser(
            f"autoencoder-{channels}",
            partial(Decoder, channels),
            latents.decoded(channels),
            passes=DECODER,
            kind="decoder",
        )


def _unets() -> Iterator[Denoiser]:
    make = library.UNet2DConditionModel
    yield Denoiser(
        "stable-diffusion-1.5-unet",
        partial(make, sample_size=64, cross_attention_dim=768),
        latents.unet(77, 768),
        passes=UNET,
        image=512,
        aliases=("sd15 UNet", "sd 1.5 unet"),
    )
    second = {"attention_head_dim": [5, 10, 20, 20], "use_linear_projection": True}
    yield Denoiser(
        "stable-diffusion-2.1-unet",
        partial(make, sample_size=96, cross_attention_dim=1024, **second),
        latents.unet(77, 1024),
        passes=UNET,
        image=768,
    )
    yield Denoiser(
        "stable-diffusion-xl-unet",
        partial(make, **SDXL),
        latents.unet(77, 2048, pooled=True),
        passes=UNET,
        aliases=("sdxl unet",),
    )


def _stable_diffusion_3() -> Iterator[Denoiser]:
    for size, layers, heads, more in (
        ("3-medium", 24, 24, {}),
        ("3.5-large", 38, 38, {"qk_norm": "rms_norm"}),
    ):
        make = partial(
            library.SD3Transformer2DModel,
            num_attention_heads=heads,
            caption_projection_dim=64 * heads,
            pos_embed_max_size=192,
            **more,
        )
        yield Denoiser(
            f"stable-diffusion-{size}-transformer",
            lambda count, make=make: make(num_layers=count),
            latents.stable_diffusion_3,
            (layers,),
        )


def _flux() -> Iterator[Denoiser]:
    yield Denoiser(
        "flux-1-transformer",
        _two_kinds(library.FluxTransformer2DModel, guidance_embeds=True),
        latents.flux(512, 4096),
        (19, 38),
        aliases=("FLUX.1-dev transformer", "flux transformer"),
    )
    yield Denoiser(
        "chroma-transformer",
        _two_kinds(library.ChromaTransformer2DModel),
        latents.flux(512, 4096, pooled=False),
        (19, 38),
    )
    for size, layers, heads, width in (
        ("-klein-4b", (5, 20), 24, 7680),
        ("-klein-9b", (8, 24), 32, 12288),
        ("", (8, 48), 48, 15360),
    ):
        make = _two_kinds(
            library.Flux2Transformer2DModel,
            num_attention_heads=heads,
            joint_attention_dim=width,
            guidance_embeds=False,
        )
        yield Denoiser(f"flux-2{size}-transformer", make, latents.flux2(512, width), layers)


def _two_kinds(make: Any, **facts: Any) -> Any:
    """Return how to build a transformer of layers that join two streams, and of layers of one stream."""
    return lambda joined, single: make(num_layers=joined, num_single_layers=single, **facts)


def _one_kind(make: Any, **facts: Any) -> Any:
    return lambda layers: make(num_layers=layers, **facts)


def _other_images() -> Iterator[Denoiser]:
    pixart = {"caption_channels": 4096, "use_additional_conditions": False}
    yield Denoiser(
        "pixart-sigma-transformer",
        _one_kind(library.PixArtTransformer2DModel, **pixart),
        latents.pixart,
        (28,),
    )
    yield Denoiser(
        "z-image-transformer",
        lambda layers: library.ZImageTransformer2DModel(n_layers=layers),
        latents.z_image,
        (30,),
    )
    yield Denoiser(
        "qwen-image-transformer", _one_kind(library.QwenImageTransformer2DModel), latents.qwen, (60,)
    )
    yield Denoiser(
        "auraflow-transformer",
        lambda joined, single: library.AuraFlowTransformer2DModel(
            num_mmdit_layers=joined, num_single_dit_layers=single
        ),
        latents.auraflow,
        (4, 32),
    )
    yield Denoiser("sana-1.6b-transformer", _one_kind(library.SanaTransformer2DModel), latents.sana, (20,))
    yield Denoiser(
        "lumina-2-transformer",
        _one_kind(library.Lumina2Transformer2DModel, cap_feat_dim=2304),
        latents.lumina,
        (26,),
    )
    yield Denoiser(
        "amused-transformer",
        lambda layers: library.UVit2DModel(sample_size=16, num_hidden_layers=layers),
        latents.amused,
        (22,),
        edges=(256, 512),
        image=256,
    )


def _videos() -> Iterator[Denoiser]:
    cogvideo, wan = library.CogVideoXTransformer3DModel, library.WanTransformer3DModel
    large = {"num_attention_heads": 48, "use_rotary_positional_embeddings": True}
    small_wan = {"num_attention_heads": 12, "ffn_dim": 8960}
    for name, make, inputs, layers, image in (
        ("cogvideox-2b", _one_kind(cogvideo), latents.cogvideo(rotated=False), (30,), 720),
        ("cogvideox-5b", _one_kind(cogvideo, **large), latents.cogvideo(rotated=True), (42,), 720),
        ("wan-2.1-1.3b", _one_kind(wan, **small_wan), latents.wan, (30,), 832),
        ("wan-2.1-14b", _one_kind(wan), latents.wan, (40,), 832),
        ("ltx-video", _one_kind(library.LTXVideoTransformer3DModel), latents.ltx, (28,), 704),
        (
            "hunyuan-video",
            _two_kinds(library.HunyuanVideoTransformer3DModel),
            latents.hunyuan,
            (20, 40),
            960,
        ),
    ):
        yield Denoiser(
            f"{name}-transformer", make, inputs, layers, edges=VIDEO, image=image, frames=latents.FRAMES
        )
