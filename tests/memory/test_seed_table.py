"""The rule of thumb of a training course, in GB, against the engine."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict

TABLE = [
    ("meta-llama/Llama-3.2-1B", (18, 3, 1.5)),
    ("Qwen/Qwen3-4B-Instruct-2507", (70, 10, 4)),
    ("meta-llama/Llama-3.1-8B", (140, 18, 7)),
    ("Qwen/Qwen3-14B", (250, 32, 12)),
    ("Qwen/Qwen3-32B", (550, 70, 24)),
    ("meta-llama/Llama-3.1-70B-Instruct", (1200, 150, 48)),
]


def needed_gb(model, task):
    workload = {"task": task, "model": model, "framework": "transformers", "context": 512, "batch": 1}
    if task == "full":
        workload |= {"optimizer": "adamw", "optimizer_states": "fp32"}
    case = Case.model_validate({"workload": workload, "machine": {"gpus": [{"gpu": "any"}]}})
    return predict(case, load_catalog()).estimate.devices[0].total.likely / 1e9


@pytest.mark.parametrize(("model", "rules"), TABLE)
def test_the_rule_of_thumb_holds_within_the_factor_that_the_readme_explains(model, rules):
    most = 1.85 if model.endswith("1B") else 1.3
    for task, rule in zip(("full", "lora", "qlora"), rules, strict=True):
        assert 0.95 <= needed_gb(model, task) / rule <= most
