"""Entries of the catalogue as YAML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version

from record.moments import Figures

HEAD = """# {what}: live memory beside the weights, recorded operation by operation from the network's own
# code on tensors without data (packaging/record). Rows: gradients, fixed, per image, per image and million
# pixels; in bytes.{more}
networks:
"""
NETWORKS = HEAD.format(what="Networks for images", more="")
DENOISERS = HEAD.format(
    what="Denoisers and decoders of diffusion pipelines",
    more=" Adapters: rank 16 on the attention projections.",
)
FILES = {
    "classification": ("classification.yaml", NETWORKS),
    "detection": ("detection.yaml", NETWORKS),
    "segmentation": ("segmentation.yaml", NETWORKS),
    "denoiser": ("denoisers.yaml", DENOISERS),
    "decoder": ("denoisers.yaml", DENOISERS),
}
"""File and its head by kind of network."""
DIGITS = 5
NOTHING = 1024
"""Bytes below which a part is left out: sums and scalars that no allocator notices."""
_START = "- id: "


@dataclass(frozen=True)
class Entry:
    """A network as the catalogue has it."""

    id: str
    kind: str
    parameters: int
    image: int
    passes: Mapping[str, Figures]
    source: str
    aliases: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    classes: int | None = None
    adapter_parameters: int | None = None

    @property
    def text(self) -> str:
        """Return the entry as YAML."""
        facts = {
            "aliases": _list(self.aliases) if self.aliases else None,
            "frameworks": _list(self.frameworks) if self.frameworks else None,
            "kind": self.kind,
            "parameters": self.parameters,
            "image": self.image,
            "classes": self.classes,
            "adapter_parameters": self.adapter_parameters,
        }
        lines = [f"  {name}: {value}" for name, value in facts.items() if value is not None]
        passes = [f"    {name}: {pass_text(figures)}" for name, figures in self.passes.items()]
        torch = version("torch").partition("+")[0]
        origin = [
            f"  source: recorded from {self.source} on torch {torch}",
            f"  date: {date.today():%Y-%m}",
        ]
        return "\n".join([_START + self.id, *lines, "  passes:", *passes, *origin]) + "\n"


def pass_text(figures: Figures) -> str:
    """Return a pass in one line, without moments that another one exceeds in every part."""
    rows = list(dict.fromkeys(tuple(map(rounded, row)) for row in figures.moments))
    kept = [row for row in rows if not any(other != row and _covers(other, row) for other in rows)]
    moments = _list(map(_list, kept))
    parts = [f"moments: {moments}", f"saved: {_list(map(rounded, figures.saved))}"]
    if rounded(figures.per_class):
        parts.append(f"per_class: {rounded(figures.per_class)}")
    return "{" + ", ".join(parts) + "}"


def rounded(value: float) -> int:
    """Return whole bytes of five significant digits, or nothing."""
    return 0 if abs(round(value)) < NOTHING else int(float(f"{round(value):.{DIGITS}g}"))


def merged(text: str, entries: Iterable[Entry]) -> str:
    """Return a file of the catalogue with entries replaced by id, and new ones at its end."""
    head, *old = text.split("\n" + _START)
    kept = {one.partition("\n")[0]: _START + one.rstrip("\n") + "\n" for one in old}
    kept |= {entry.id: entry.text for entry in entries}
    return head + "\n" + "".join(kept.values())


def _covers(other: tuple[int, ...], row: tuple[int, ...]) -> bool:
    return all(large >= small for large, small in zip(other, row, strict=True))


def _list(values: Iterable[object]) -> str:
    return f"[{', '.join(map(str, values))}]"
