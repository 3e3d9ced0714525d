"""Questions the customer has not answered yet: what is assumed instead, and that it is assumed."""

from __future__ import annotations

from configurator.catalog.framework import Framework, load_frameworks, resolve_framework
from configurator.domain.architecture import Architecture
from configurator.domain.errors import BadInput, unknown_id
from configurator.domain.message import message
from configurator.domain.workload import ADAPTERS, Lora, ModelFile, Workload
from configurator.memory.formats import is_ggml, is_quantized, plain

_USUAL = {
    "inference": "llama.cpp",
    "serving": "vllm",
    "lora": "transformers",
    "qlora": "transformers",
    "full": "transformers",
    "pretrain": "transformers",
}


def framework_of(workload: Workload, apple: bool) -> Framework:
    """Return the framework's profile; where none is named, the usual one for the task."""
    name = workload.framework or ("mlx-lm" if apple else _USUAL[workload.task])
    profile = resolve_framework(name)
    if profile is None:
        raise BadInput(unknown_id("framework", name, load_frameworks()).text)
    if profile.models == "images":
        raise BadInput(
            message(
                "'{model}' is no network for images that the catalogue knows, and {framework} runs only those; "
                "name one of 'catalog list images', or state options.params_m, "
                "options.activations_m_per_image and resolution",
                model=str(workload.model),
                framework=profile.name,
            )
        )
    if workload.task not in profile.tasks and not (
        workload.task == "serving" and "inference" in profile.tasks
    ):
        raise BadInput(
            message(
                "{framework} does not do '{task}'; choose one of: {others}",
                framework=profile.name,
                task=workload.task,
                others=", ".join(f.id for f in load_frameworks().values() if workload.task in f.tasks),
            )
        )
    return profile


def _weights(workload: Workload, profile: Framework, model: Architecture) -> str:
    """Return the format of the weights: as stated, as the model's file holds them, or the usual one.

    A GGUF file is read as it is, whatever name is given to its mix.
    """
    usual = profile.default_weights.get(workload.task, "bf16")
    if model.stored is None:
        return workload.weights or usual
    file = model.stored.format
    if isinstance(workload.model, ModelFile) and workload.model.gguf:
        if workload.weights and not is_ggml(workload.weights):
            raise BadInput(
                message(
                    "workload.weights is {stated}, but the GGUF file holds {file}; leave weights out",
                    stated=workload.weights,
                    file=file,
                )
            )
        return file
    if workload.weights:
        return file if plain(workload.weights) == plain(file) else workload.weights
    # QLoRA quantises while it loads, unless the checkpoint is quantised already.
    return file if workload.task != "qlora" or is_quantized(file) else usual


def _compute(workload: Workload, profile: Framework, weights: str) -> str:
    """Return the type of the arithmetic: as a switch or the profile says, else as the weights."""
    if "mixed" in str(workload.options.get("precision", "")):
        return "bf16"
    if profile.compute and workload.trains:
        return profile.compute
    return weights if weights in ("fp32", "fp16", "bf16") else "bf16"


def completed(workload: Workload, profile: Framework, model: Architecture) -> tuple[Workload, frozenset[str]]:
    """Return the workload without open questions, and the names of the fields that were assumed."""
    weights = _weights(workload, profile, model)
    defaults: dict[str, object] = {
        "framework": profile.id,
        "weights": weights,
        "compute": _compute(workload, profile, weights),
        "kv_cache": "bf16" if not is_quantized(weights) or profile.workspace != "llama.cpp" else "fp16",
        "context": 2048 if workload.trains else 4096,
        "batch": 1,
        "attention": "flash",
    }
    if workload.task == "serving":
        defaults |= {"concurrency": 1, "growth": 1.0}
    if workload.trains:
        defaults |= {
            "grad_accum": 1,
            "optimizer": profile.optimizer,
            "checkpointing": profile.checkpointing,
        }
    if workload.task in ADAPTERS:
        defaults |= {"lora": Lora(), "adapter_dtype": profile.adapter_dtype}
    open_fields = {name: value for name, value in defaults.items() if getattr(workload, name) is None}
    # The framework's id replaces an alias, and a GGUF file's own type the name of its mix: the rest of the
    # engine meets one name.
    fixed = {"framework": profile.id, "weights": weights}
    return workload.model_copy(update=open_fields | fixed), frozenset(open_fields)
