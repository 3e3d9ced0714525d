"""The constants of `catalogs/speed.yaml` as words, read once."""

from __future__ import annotations

from functools import lru_cache

from configurator.catalog.loading import read_table
from configurator.domain.base import Several, Word
from configurator.domain.ranges import Range


class Family(Word):
    """Kind of chips whose efficiencies were measured together."""

    ids: str
    """Pattern of catalogue ids."""
    read: float
    """Share of the peak bandwidth that reading weights reaches while one answer is written."""
    launch_us: float
    """Microseconds to start and join the kernels of one layer."""
    train: float
    """Share of the peak rate in 16 bit that training reaches with fused kernels and packed samples."""
    compute: float = 1.0
    """Rate that reading a prompt reaches, over the law of power that all share."""
    few: bool = False
    """Hardly any run of this kind was measured."""


class Apple(Word):
    """Graphics of Apple's chips by size and generation."""

    clock_ghz: dict[str, float]
    cores: dict[str, dict[str, int]]
    bandwidth_gbs: dict[str, dict[str, float]]
    watts: dict[str, float]


class Decode(Word):
    """Writing an answer, token by token."""

    hop_ms: float
    spread: dict[str, Range]


class Prompt(Word):
    """Reading a prompt."""

    by_power: float
    unpacking: float
    expert_reading: float
    step_tokens: int
    line: float
    line_step: int
    spread: dict[str, Range]


class Serving(Word):
    """Many answers at once."""

    read: float
    launch_us: float
    compute: float
    alike: float
    spread: dict[str, Range]


class Training(Word):
    """Training a language model."""

    plain: float
    plain_frameworks: Several[str]
    experts: float
    launch_ms: float
    unpack_bytes: float
    overlap: float
    adam_bytes: float
    spread: dict[str, Range]


class Images(Word):
    """Networks for images."""

    compute: float
    bytes_per_value: float
    bytes_per_output: float
    train: float
    loader_per_core: Range
    spread: dict[str, Range]


class Denoising(Word):
    """Steps of a diffusion model."""

    compute: float
    launch_ms: float
    spread: Range


class Link(Word):
    """How cards exchange."""

    us: float
    """Microseconds of a message."""
    gbs: float
    """Gigabytes a second."""


class Host(Word):
    """What lies in the host's memory."""

    memory_gbs: float
    reached: float
    bus_gbs: float
    spread: Range


class Power(Word):
    """Power at the wall, by what is done."""

    card: dict[str, float]
    cpu: dict[str, float]
    rest_w: float
    efficiency: float
    spread: Range
    source: str


class SpeedConstants(Word):
    """All constants of speed with their source."""

    source: str
    date: str
    families: dict[str, Family]
    apple: Apple
    decode: Decode
    prompt: Prompt
    serving: Serving
    training: Training
    images: Images
    denoising: Denoising
    host: Host
    power: Power
    links: dict[str, Link]


@lru_cache(maxsize=1)
def constants() -> SpeedConstants:
    """Return the constants as the catalogue states them."""
    return SpeedConstants.model_validate(read_table("speed"))
