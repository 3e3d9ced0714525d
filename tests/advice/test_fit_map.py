"""The map of contexts and batches says what the engine says, and asks it rarely."""

from __future__ import annotations

import random

import pytest

from configurator.advice.fit_map import fit_map, verdict_at
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict

CONTEXTS = [512 * step for step in range(1, 101)]
BATCHES = list(range(1, 101))


def case(task: str, model: str, framework: str, count: int = 1, **more: object) -> Case:
    workload = {"task": task, "model": model, "framework": framework, **more}
    return Case.model_validate({"workload": workload, "machine": {"gpus": [{"gpu": "4090", "count": count}]}})


@pytest.mark.parametrize(
    "asked",
    [
        case("qlora", "meta-llama/Llama-3.1-8B", "unsloth"),
        case("inference", "google/gemma-3-27b-it", "llama.cpp", weights="Q4_K_M"),
        case("serving", "Qwen/Qwen3-14B", "vllm", weights="fp8"),
        case("lora", "Qwen/Qwen3-8B", "transformers", attention="eager", checkpointing=False),
        case("full", "meta-llama/Llama-3.2-1B", "transformers", count=2),
    ],
    ids=lambda asked: f"{asked.workload.task} {asked.workload.framework}",
)
def test_ten_thousand_points_from_a_few_hundred_questions(asked: Case) -> None:
    found = fit_map(asked, load_catalog(), CONTEXTS, BATCHES)
    assert found.asked < len(CONTEXTS) * len(BATCHES) / 25
    dice = random.Random(7)
    for _ in range(60):
        context, batch = dice.choice(CONTEXTS), dice.choice(BATCHES)
        name = "concurrency" if asked.workload.task == "serving" else "batch"
        workload = asked.workload.model_copy(update={"context": context, name: batch})
        answer = predict(asked.model_copy(update={"workload": workload}), load_catalog()).estimate
        share = max(device.total.likely / device.usable for device in answer.devices)
        mapped = found.share[BATCHES.index(batch), CONTEXTS.index(context)]
        assert mapped == pytest.approx(share, rel=0.01)
        if not 0.98 < share < 1.02:
            drawn = "exceeds" if answer.verdict == "spills" else answer.verdict
            if drawn != "tight" and verdict_at(found, context, batch) != "tight":
                assert verdict_at(found, context, batch) == drawn


def test_a_map_of_one_point_is_one_question() -> None:
    asked = case("inference", "Qwen/Qwen3-14B", "llama.cpp", weights="Q4_K_M")
    found = fit_map(asked, load_catalog(), [4096], [1])
    assert found.asked == 1
    assert verdict_at(found, 4096, 1) == "fits"
