"""Software against cards: versions, formats, engines, vendors, operating systems."""

from __future__ import annotations

from typing import Any

import pytest
from asking import ADAPTERS, SERVING, asked, told

from configurator.catalog.framework import load_frameworks
from configurator.system.support import engine, fact, family, older, version

TINY = {"model": "Qwen/Qwen3-0.6B", "context": 512}
QLORA = {"task": "qlora", "framework": "unsloth", "weights": "nf4", **TINY}
SERVE = SERVING | TINY


@pytest.mark.parametrize(
    ("gpu", "workload", "severity", "words"),
    [
        ("geforce-rtx-5090", SERVE, "info", "CUDA 12.8"),
        ("geforce-rtx-5090", SERVE | {"framework_version": "0.8.5"}, "error", "0.9.0 or newer"),
        ("geforce-rtx-5090", SERVE | {"framework_version": "0.24.0"}, "ok", ""),
        ("geforce-rtx-5090", SERVE | {"options": {"torch": "2.6.0+cu124"}}, "error", "no kernel image"),
        ("geforce-rtx-5090", SERVE | {"options": {"cuda": "12.4"}}, "error", "too old"),
        ("geforce-rtx-5090", QLORA | {"options": {"bitsandbytes": "0.45.0"}}, "error", "0.45.3"),
        ("geforce-rtx-4090", SERVE | {"options": {"cuda": "12.4"}}, "ok", ""),
        ("tesla-v100-32gb", SERVE | {"options": {"cuda": "13.0"}}, "error", "12.9"),
        ("tesla-v100-32gb", SERVE | {"framework": "sglang"}, "error", "7.5"),
    ],
)
def test_versions_must_know_the_architecture(
    gpu: str, workload: dict[str, Any], severity: str, words: str
) -> None:
    found = asked({"gpus": [{"gpu": gpu}], "os": "linux"}, workload)["software.gpu"]
    assert found.severity == severity
    assert words in told(found)


@pytest.mark.parametrize(
    ("gpu", "workload", "severity"),
    [
        ("tesla-t4", SERVE | {"weights": "bf16"}, "error"),  # the server refuses to start
        ("tesla-t4", SERVE | {"weights": "fp16", "compute": "fp16"}, "ok"),
        ("tesla-t4", ADAPTERS | TINY | {"weights": "bf16"}, "warn"),
        ("geforce-rtx-3090", SERVE | {"weights": "fp8"}, "warn"),  # stored, not computed
        ("geforce-rtx-4090", SERVE | {"weights": "fp8"}, "ok"),
        ("geforce-rtx-4090", SERVE | {"weights": "nvfp4"}, "warn"),
        ("geforce-rtx-5090", SERVE | {"weights": "nvfp4"}, "ok"),
        ("geforce-rtx-3090", SERVE | {"kv_cache": "fp8"}, "info"),
        ("radeon-rx-7900-xtx", SERVE, "ok"),
        ("instinct-mi50", SERVE, "error"),
    ],
)
def test_formats_are_computed_or_only_stored(gpu: str, workload: dict[str, Any], severity: str) -> None:
    assert asked({"gpus": [{"gpu": gpu}], "os": "linux"}, workload)["software.precision"].severity == severity


@pytest.mark.parametrize(
    ("machine", "workload", "severity", "change"),
    [
        ({"os": "windows"}, SERVE, "error", {"os": "wsl2"}),
        ({"os": "wsl2"}, SERVE, "ok", None),
        ({}, SERVE, "ok", None),
        ({"gpus": [{"gpu": "radeon-pro-w7900"}]}, SERVE | {"weights": "awq4"}, "error", None),
        ({"gpus": [{"gpu": "radeon-pro-w7900"}]}, SERVE | {"framework": "tensorrt-llm"}, "error", None),
        ({"gpus": [{"gpu": "radeon-pro-w7900"}]}, QLORA | {"framework": "transformers"}, "warn", None),
        ({}, SERVE | {"weights": "mlx-4bit-g64"}, "error", None),
        ({}, {"task": "inference", "framework": "llama.cpp", "weights": "Q4_K_M", **TINY}, "ok", None),
        ({"gpus": [{"gpu": "tesla-v100-16gb"}]}, SERVE | {"weights": "awq4"}, "error", None),
        ({}, {"task": "full", "framework": "unsloth", "offload": "optimizer", **TINY}, "warn", None),
    ],
)
def test_engines_run_somewhere_and_read_something(
    machine: dict[str, Any], workload: dict[str, Any], severity: str, change: dict[str, str] | None
) -> None:
    found = asked({"gpus": [{"gpu": "geforce-rtx-4090"}], **machine}, workload)["software.engine"]
    assert (found.severity, found.change) == (severity, change)


def test_every_engine_of_the_table_is_a_framework() -> None:
    assert all(engine(name) for name in fact("engines"))
    assert set(fact("engines")) <= set(load_frameworks())


def test_versions_are_compared_number_by_number() -> None:
    assert version("2.6.0+cu124") == (2, 6, 0)
    assert older("0.9.2", "0.10") and not older("0.10", "0.9.0") and not older(None, "1.0")
    assert family("Q4_K_M") == "gguf" and family("nf4-dq") == "bnb4" and family("exl3-4.0bpw") == "exl"
