"""Plans over several cards: heads, copies, shards, unequal cards, loading."""

from __future__ import annotations

from typing import Any

import pytest
from asking import SERVING, asked, told
from hypothesis import given, settings
from hypothesis import strategies as st


def cards(count: int, name: str = "geforce-rtx-3090") -> dict[str, Any]:
    return {"gpus": [{"gpu": name, "count": count}], "os": "linux"}


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 8))
def test_tensor_parallel_is_refused_exactly_where_heads_do_not_divide(degree: int) -> None:
    # Llama 3.1 8B: 32 heads, 8 cached.
    found = asked(cards(degree), SERVING, plan={"tp": degree})["plan.tensor_parallel"]
    assert (found.severity == "error") == (32 % degree != 0)


def test_cached_heads_are_repeated_where_there_are_fewer() -> None:
    small = SERVING | {"model": "Qwen/Qwen3-30B-A3B", "context": 512}
    # 32 heads, 4 cached, over 8 cards.
    found = asked(cards(8), small, plan={"tp": 8})["plan.tensor_parallel"]
    assert found.severity == "info" and "shrinks by 4" in told(found)


def test_groups_of_quantised_weights_must_stay_whole() -> None:
    # 13,824 columns / 8 = 1,728 = 13.5 groups of 128.
    work = SERVING | {"model": "meta-llama/Llama-2-13b-hf", "weights": "awq4", "context": 1024}
    found = asked(cards(8), work, plan={"tp": 8})["plan.tensor_parallel"]
    assert found.severity == "error" and "whole groups of 128" in told(found)
    assert asked(cards(4), work, plan={"tp": 4})["plan.tensor_parallel"].severity == "ok"


def test_cards_without_work_are_named() -> None:
    found = asked(cards(3), SERVING, plan={"tp": 2})["plan.sharding"]
    assert found.severity == "warn" and "1 card(s) have no work" in told(found)


@pytest.mark.parametrize(("weights", "severity"), [("nf4", "ok"), ("gptq4", "error"), ("bf16", "ok")])
def test_only_some_formats_are_divided_by_full_sharding(weights: str, severity: str) -> None:
    work = {"task": "qlora" if weights != "bf16" else "lora", "model": "meta-llama/Meta-Llama-3-70B"}
    work |= {"framework": "llama-factory", "weights": weights, "context": 512}
    found = asked(cards(4), work, plan={"dp": 4, "zero": 3})["plan.sharding"]
    assert found.severity == severity


def test_loading_a_sharded_model_needs_the_whole_file_in_ram() -> None:
    work = {
        "task": "qlora",
        "model": "meta-llama/Meta-Llama-3-70B",
        "framework": "transformers",
        "context": 512,
    }
    every = asked(cards(4) | {"ram_gb": 128}, work | {"weights": "nf4"}, plan={"dp": 4, "zero": 3})
    assert every["memory.load_phase"].severity == "warn"
    # 70.6 billion parameters in 16 bit: 131.4 GiB.
    assert every["ram.capacity"].severity == "error"
    assert every["ram.capacity"].numbers["needed_gb"] == pytest.approx(131.4, abs=0.2)


def test_unequal_cards_share_by_the_smallest_or_by_layers() -> None:
    mixed = {"gpus": [{"gpu": "geforce-rtx-3090"}, {"gpu": "geforce-rtx-3060-12-gb"}], "os": "linux"}
    even = asked(mixed, SERVING | {"weights": "fp16"}, plan={"tp": 2})["plan.unequal_gpus"]
    assert even.numbers["pool"] == 2 * even.numbers["smallest"]
    layers = {
        "task": "inference",
        "model": "meta-llama/Llama-3.1-8B",
        "framework": "llama.cpp",
        "weights": "Q4_K_M",
    }
    dealt = asked(mixed, layers, plan={"pp": 2, "split": [0.7, 0.3]})["plan.unequal_gpus"]
    assert (dealt.severity, dealt.numbers["pool"]) == (
        "info",
        dealt.numbers["smallest"] + dealt.numbers["largest"],
    )
    assert "plan.unequal_gpus" not in asked(cards(2), SERVING)
