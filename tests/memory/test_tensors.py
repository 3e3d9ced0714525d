"""Parameter counts against the frameworks' own code, and by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from configurator.catalog.models import load_models
from configurator.domain.architecture import Attention, FeedForward, Layer, MixtureOfExperts
from configurator.domain.workload import Lora
from configurator.memory.adapters import lora_parameters, lora_tensors
from configurator.memory.tensors import block_tensors, model_tensors, outer_tensors, parameters

DATA = Path(__file__).parents[1] / "data"
SHELF = load_models((DATA / "model_configs",))
RUNS = yaml.load((DATA / "reference" / "parameters.yaml").read_bytes(), Loader=yaml.CSafeLoader)["runs"]


def _by_role(model: str, role: str) -> int:
    return sum(t.parameters * n for t, n in model_tensors(SHELF.architecture(model)) if t.role == role)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["id"])
def test_every_parameter_of_the_frameworks_code_is_counted(run: dict[str, Any]) -> None:
    model, measured = run["workload"]["model"], run["measured"]
    architecture = SHELF.architecture(model)
    embedding = sum(t.parameters for t in outer_tensors(architecture) if t.module == "embed_tokens")
    assert parameters(architecture) == measured["parameters"]
    assert embedding == measured["embedding_parameters"]
    assert _by_role(model, "linear") == measured["linear_parameters_without_head"]
    assert _by_role(model, "expert") == measured["fused_expert_parameters"]


def _adapter_counts() -> Iterator[Any]:
    for run in RUNS:
        for targets, ranks in run["measured"].get("lora_parameters", {}).items():
            # With the experts as targets, each of their matrices carries its own adapter.
            ours = "all-linear+experts" if "expert" in targets else targets
            model = run["workload"]["model"]
            yield pytest.param(model, ours, ranks, id=f"{run['id']}-{ours}")


@pytest.mark.parametrize(("model", "targets", "ranks"), list(_adapter_counts()))
def test_every_trainable_parameter_of_adapters_is_counted(
    model: str, targets: str, ranks: dict[str, int]
) -> None:
    architecture = SHELF.architecture(model)
    ours = {rank: lora_parameters(architecture, Lora(rank=int(rank), targets=targets)) for rank in ranks}
    assert ours == ranks


def test_attention_of_llama_8b_by_hand() -> None:
    q, k, v, o = block_tensors(Attention(heads=32, kv_heads=8, head_dim=128), 4096)
    assert [t.module for t in (q, k, v, o)] == ["q_proj", "k_proj", "v_proj", "o_proj"]
    assert (q.parameters, k.parameters, o.parameters) == (4096 * 4096, 1024 * 4096, 4096 * 4096)
    assert (q.cut, k.cut, k.units, o.cut) == ("column", "kv", 8, "row")


def test_experts_are_told_from_their_router() -> None:
    roles = {t.module: t for t in block_tensors(MixtureOfExperts(8, 2, 100), 64)}
    assert roles["router"].parameters == 8 * 64
    assert roles["experts.gate_up_proj"].parameters == 8 * 200 * 64
    assert roles["experts.down_proj"].role == "expert"


def test_adapters_name_their_matrices() -> None:
    llama = SHELF.architecture("llama-3.1-8b")
    rows = lora_tensors(llama, Lora(targets=("q_proj", "down_proj")))
    assert rows == (("q_proj", 4096, 4096, 32), ("down_proj", 14336, 4096, 32))


def test_adapters_on_the_last_layers_only() -> None:
    llama = SHELF.architecture("llama-3.1-8b")
    whole, half = Lora(rank=8), Lora(rank=8, layers=16)
    assert 2 * lora_parameters(llama, half) == lora_parameters(llama, whole)


def test_only_the_named_modules_are_saved_whole() -> None:
    llama = SHELF.architecture("llama-3.1-8b")
    plain = lora_parameters(llama, Lora(rank=8))
    head = lora_parameters(llama, Lora(rank=8, modules_to_save=("lm_head",)))
    both = lora_parameters(llama, Lora(rank=8, modules_to_save=("wte", "lm_head")))
    assert (head - plain, both - plain) == (128256 * 4096, 2 * 128256 * 4096)


def test_an_unnamed_block_is_a_program_error() -> None:
    with pytest.raises(TypeError, match="Layer"):
        block_tensors(Layer(None, FeedForward(1)), 1)
