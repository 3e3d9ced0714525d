"""What a question allows in this project: short lists of what is usual, whole shelves to search. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from configurator.catalog.catalog import Catalog
from configurator.catalog.framework import resolve_framework
from configurator.catalog.images import load_images
from configurator.domain.project import Project
from configurator.gui.question import Choice

Choices = Callable[[Project, Catalog], tuple[Choice, ...]]

_GGUF = ("Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M")
_MLX = ("bf16", "mlx-8bit-g64", "mlx-6bit-g64", "mlx-4bit-g64")
_SERVED = ("bf16", "fp8", "awq4", "gptq4", "nvfp4", "mxfp4")
_TRAINED = {"qlora": ("nf4", "nf4-dq", "int8"), "lora": ("bf16", "fp16", "fp8")}
_IMAGES = {"full": ("fp32", "bf16"), "lora": ("bf16", "fp16", "fp8"), "qlora": ("nf4", "int8")}
_GGUF_READERS = {"llama.cpp", "ik-llama.cpp", "ollama", "koboldcpp"}


def fixed(*pairs: tuple[Any, str]) -> Choices:
    """Return a list that is the same in every project."""
    answers = tuple(Choice(value, label) for value, label in pairs)
    return lambda project, catalog: answers


def sees(project: Project) -> bool:
    """Whether the model is a network for images, by its name or by the framework."""
    workload = project.workloads[0].workload
    profile = resolve_framework(workload.framework) if workload.framework else None
    named = isinstance(workload.model, str) and load_images().find(workload.model) is not None
    return named or (profile is not None and profile.models == "images")


def models(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return every model of the catalogue."""
    return tuple(Choice(name, name) for name in (*catalog.models.ids, *catalog.images.ids))


def frameworks(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return the frameworks that do the task with this kind of model."""
    task = project.workloads[0].workload.task
    kind = "images" if sees(project) else "language"
    fitting = (one for one in catalog.frameworks.values() if task in one.tasks and one.models == kind)
    return tuple(Choice(one.id, one.name) for one in fitting)


def weights(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return the usual weight formats of task and framework, and the one that is chosen."""
    workload = project.workloads[0].workload
    profile = resolve_framework(workload.framework) if workload.framework else None
    name = profile.id if profile else ""
    if sees(project):
        usual: tuple[str, ...] = _IMAGES.get(workload.task, ("fp16", "bf16", "fp32", "nf4", "fp8"))
    elif name == "mlx-lm" or (not name and project.machines[0].machine.os == "macos"):
        usual = _MLX
    elif workload.trains:
        usual = _TRAINED.get(workload.task, ("bf16", "fp16", "fp32"))
    elif name in _GGUF_READERS or (not name and workload.task == "inference"):
        usual = _GGUF
    else:
        usual = _SERVED
    return _plain(usual, workload.weights)


def caches(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return the usual formats of the KV cache, and the one that is chosen."""
    return _plain(("bf16", "fp8", "q8_0", "q4_0"), project.workloads[0].workload.kv_cache)


def devices(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return every graphics card and every system with unified memory."""
    return (*_named(catalog.gpus.values()), *_named(catalog.systems.values()))


def monitors(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return the cards that could drive the monitors, at most eight."""
    count = min(project.machines[0].machine.gpu_count, 8)
    return tuple(Choice(place, f"GPU {place}") for place in range(count))


def layouts(project: Project, catalog: Catalog) -> tuple[Choice, ...]:
    """Return the ways of laying the work over several cards."""
    ways = [Choice("dp", "a copy on each"), Choice("tp", "cut layers"), Choice("pp", "dealt layers")]
    return (*ways, Choice("zero3", "sharded")) if project.workloads[0].workload.trains else tuple(ways)


def parts(kind: str) -> Choices:
    """Return a shelf of the catalogue: cpus, boards, psus, cases."""
    return lambda project, catalog: _named(getattr(catalog, kind).values())


def _named(found: Iterable[Any]) -> tuple[Choice, ...]:
    return tuple(Choice(part.id, part.name) for part in found)


def _plain(usual: tuple[str, ...], chosen: str | None) -> tuple[Choice, ...]:
    names = usual if chosen is None or chosen in usual else (*usual, chosen)
    return tuple(Choice(name, name) for name in names)
