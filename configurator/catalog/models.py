"""The shelf of models: ids, aliases, and the layers of each, read when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configurator.catalog.importers import read_config
from configurator.catalog.importers.folder import read_json, read_model_folder
from configurator.catalog.importers.gguf_files import read_gguf_files
from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import CATALOGS
from configurator.domain.architecture import Architecture
from configurator.domain.base import DateText, Several, Word
from configurator.domain.errors import BadInput, unknown_id
from configurator.domain.message import message
from configurator.domain.workload import ModelFile


class ModelEntry(Word):
    """A model of the catalogue: where its facts come from and its configuration."""

    id: str
    aliases: Several[str] = ()
    source: str
    date: DateText
    inferred: Several[str] = ()
    """Fields that the source does not state and that were filled in."""
    missing: Several[str] = ()
    """Facts that no source gave: the model is known by name, but cannot be computed."""
    config: dict[str, Any]


_FORMAT = re.compile(r"[-.](ud-)?(i?q\d\w*|bf16|f16|mxfp4)$")


@dataclass(frozen=True, eq=False)
class ModelShelf:
    """Models by id; every architecture is made once."""

    configs: Mapping[str, Mapping[str, Any]]
    """Configuration by id."""
    aliases: Mapping[str, str]
    """Id by lower-case id, short name and alias."""
    incomplete: frozenset[str] = frozenset()
    """Ids of models that cannot be computed for want of facts."""
    _made: dict[str, Architecture] = field(default_factory=dict)

    @property
    def ids(self) -> list[str]:
        """Return all ids in order."""
        return sorted(self.configs)

    def knows(self, model: str | ModelFile) -> bool:
        """Whether a model is a language model of the shelf or a file of one."""
        return isinstance(model, ModelFile) or self.id_of(model) is not None

    def id_of(self, model: str) -> str | None:
        """Return the id that a name leads to, if it is a model of the shelf."""
        return next((self.aliases[name] for name in _readings(model) if name in self.aliases), None)

    def architecture(self, model: str | ModelFile) -> Architecture:
        """Return the layers of a model by id, alias or file. Raises BadInput."""
        if isinstance(model, ModelFile):
            return self._from_file(model)
        key = self.id_of(model)
        if key is None:
            raise unknown_id("model", model, self.aliases)
        if key not in self._made:
            self._made[key] = read_config(self.configs[key], key)
        return self._made[key]

    def _from_file(self, model: ModelFile) -> Architecture:
        path = Path(model.path)
        key = _as_it_is(path)
        if key not in self._made:
            read = read_gguf_files if model.gguf else read_model_folder
            self._made[key] = read(path)
        return self._made[key]


def _readings(model: str) -> Iterator[str]:
    """Yield what a name may mean: as written, and without the format that a GGUF file's name ends with."""
    name = model.lower().removesuffix(".gguf")
    yield name
    yield _FORMAT.sub("", name)


def _as_it_is(path: Path) -> str:
    """Return a key that changes when the file does, or what lies beside it."""
    try:
        return f"{path}|{path.stat().st_mtime_ns}|{path.parent.stat().st_mtime_ns}"
    except OSError:
        return str(path)


def load_models(folders: tuple[Path, ...] = (), catalog: Path = CATALOGS / "models") -> ModelShelf:
    """Read the catalogue's models and folders of `<org>--<name>.json`. Raises BadInput."""
    configs: dict[str, Mapping[str, Any]] = {}
    aliases: dict[str, str] = {}
    incomplete: set[str] = set()
    for path in sorted(catalog.glob("*.yaml")):
        for facts in read_catalog_file(path)["models"]:
            entry = ModelEntry.model_validate(facts)
            configs[entry.id] = entry.config
            if entry.missing:
                incomplete.add(entry.id)
            for name in (*entry.aliases, entry.id):
                aliases[name.lower()] = entry.id
    for folder in folders:
        if not folder.is_dir():
            raise BadInput(message("{folder}: is no folder of config.json files", folder=str(folder)))
        for path in sorted(folder.glob("*.json")):
            name = path.stem.replace("--", "/", 1)
            # What the folder's file leaves out, the catalogue's entry of the same id may know.
            configs[name] = {**configs.get(name, {}), **read_json(path)}
            aliases[name.lower()] = name
    return ModelShelf(configs, aliases, frozenset(incomplete))
