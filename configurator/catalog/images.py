"""The shelf of networks and pipelines for images, found by what people and model zoos call them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import CATALOGS
from configurator.domain.images import Network, Pipeline

_SCHEDULE = re.compile(r"\b[1-9]x\b.*")
"""How long a model zoo trained, and what follows it: '1x coco'."""


@dataclass(frozen=True, eq=False)
class ImageShelf:
    """Networks and pipelines by id, and ids by plain name."""

    networks: Mapping[str, Network]
    pipelines: Mapping[str, Pipeline]
    names: Mapping[str, tuple[str, ...]]

    @property
    def ids(self) -> list[str]:
        """Return all ids in order; a denoiser is asked for by its pipeline."""
        shown = [n.id for n in self.networks.values() if n.kind not in ("denoiser", "decoder")]
        return sorted([*dict.fromkeys(name.split("@")[0] for name in shown), *self.pipelines])

    def network(self, name: str, framework: str | None = None) -> Network | None:
        """Return a network by name, the variant of the framework first."""
        found = [self.networks[key] for key in self._ids(name) if key in self.networks]
        own = [network for network in found if framework in network.frameworks]
        free = [network for network in found if not network.frameworks]
        return next(iter(own + free + found), None)

    def pipeline(self, name: str) -> Pipeline | None:
        """Return a pipeline by name."""
        return next((self.pipelines[key] for key in self._ids(name) if key in self.pipelines), None)

    def find(self, name: str) -> Network | Pipeline | None:
        """Return what a name means: a pipeline, else a network."""
        return self.pipeline(name) or self.network(name)

    def _ids(self, name: str) -> tuple[str, ...]:
        """Return ids for a name; model zoos append schedule and crop: `mask_rcnn_r50_fpn_1x_coco`."""
        for written in _readings(name):
            words = written.split()
            for end in range(len(words), 0, -1):
                found = self.names.get(" ".join(words[:end]))
                if found:
                    return found
        return ()


def plain(name: str) -> str:
    """Return a name without case and punctuation: 'R_50-FPN' -> 'r50 fpn', 'ResNet-50' -> 'resnet50'."""
    text = _SCHEDULE.sub("", re.sub(r"[^a-z0-9.]+", " ", name.lower())).strip()
    return re.sub(r"(?<=[a-z]) (?=\d)", "", text)


def _readings(name: str) -> Iterable[str]:
    """Yield what a name may mean: as written, without its folder, without and inside its brackets."""
    outside = re.sub(r"\(.*?\)", " ", name)
    for text in (name, outside, outside.split("/")[-1], *re.findall(r"\((.*?)\)", name)):
        if plain(text):
            yield plain(text)


@lru_cache(maxsize=1)
def load_images(folder: Path = CATALOGS / "images") -> ImageShelf:
    """Read networks and pipelines."""
    networks: dict[str, Network] = {}
    pipelines: dict[str, Pipeline] = {}
    for path in sorted(folder.glob("*.yaml")):
        content = read_catalog_file(path)
        for facts in content.get("networks", ()):
            network = Network.model_validate(facts)
            networks[network.id] = network
        for facts in content.get("pipelines", ()):
            pipeline = Pipeline.model_validate(facts)
            pipelines[pipeline.id] = pipeline
    names: dict[str, tuple[str, ...]] = {}
    parts: list[Network | Pipeline] = [*networks.values(), *pipelines.values()]
    for part in parts:
        for name in {plain(name) for name in (part.id.split("@")[0], *part.aliases)}:
            names[name] = (*names.get(name, ()), part.id)
    return ImageShelf(networks, pipelines, names)
