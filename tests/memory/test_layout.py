"""Unequal cards: each device carries its own share."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict

GIB = 2**30
CARDS = [{"gpu": "any", "vram_gib": 24}, {"gpu": "any", "vram_gib": 16}]


def caches(workload, plan=None, cards=CARDS):
    case = Case.model_validate(
        {
            "workload": {"task": "inference", "model": "Qwen/Qwen3-32B", "context": 4096} | workload,
            "machine": {"gpus": cards},
            "plan": plan or {"pp": 2},
        }
    )
    return [view.kv_cache.likely for view in predict(case, load_catalog()).devices]


def test_a_device_map_looks_at_the_memory():
    # 64 layers, 16 MiB of cache each: 24 : 16 is 38.4 and 25.6 layers.
    layer = 4096 * 2 * 8 * 128 * 2
    found = caches({"framework": "transformers", "weights": "awq4"})
    assert found == [38 * layer, 26 * layer]
    # A stated split holds, and servers deal evenly.
    assert caches({"framework": "transformers"}, {"pp": 2, "split": [1, 3]}) == [16 * layer, 48 * layer]
    assert caches({"framework": "vllm"}) == [32 * layer, 32 * layer]


def test_exllama_fills_card_after_card():
    workload = {"framework": "exllamav3", "weights": "exl3-4.0bpw"}
    layer = 4096 * 2 * 8 * 128 * 2
    # 4 bits for 31.2 billion parameters, a 16-bit embedding, a 6-bit head and 1 GiB of cache: all on the first card.
    assert caches(workload) == [64 * layer, 0]
    # Stated: 10 GiB on the first card, the rest on the second.
    first, second = caches(workload | {"options": {"gpu_split": [10, 16]}})
    assert first + second == 64 * layer
    # 17.3 GiB in 64 layers, embedding and head shared out: 0.271 GiB each, 36 of them in 10 GiB.
    assert first == 36 * layer


def test_loading_is_a_phase_of_its_own():
    # bitsandbytes gets Qwen3-32B's largest matrix, 25,600 x 5,120, in 16 bit: 250 MiB beside the weights.
    workload = {"task": "inference", "model": "Qwen/Qwen3-32B", "framework": "transformers", "context": 128}
    machine = {"gpus": [{"gpu": "any", "vram_gib": 80}]}

    def load(weights):
        case = Case.model_validate({"workload": workload | {"weights": weights}, "machine": machine})
        found = predict(case, load_catalog())
        (total,) = (phase.total for phase in found.estimate.phases if phase.phase == "load")
        return total.likely - found.devices[0].weights.likely

    assert load("nf4") - load("bf16") == pytest.approx(2 * 25_600 * 5120 * 1.02, rel=1e-3)
