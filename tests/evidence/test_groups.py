"""Which quantities are scored together, and how, with rows made by hand."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.run import ScoredQuantity
from configurator.evidence import groups
from configurator.evidence.benchmark import Figures, figures
from configurator.evidence.summary import score

GIB = 2**30


def run(framework="llama.cpp", task="inference", gpu="geforce-rtx-4090", outcome="fits", **more):
    workload = {"task": task, "framework": framework} | more.pop("workload", {})
    machine = {"gpus": [{"gpu": gpu, "count": 1}]}
    return {"workload": workload, "machine": machine, "outcome": outcome, "measured": {}} | more


def row(quantity, measured, low, likely, high, **more):
    facts = {
        "id": "by-hand",
        "quantity": quantity,
        "measured": measured,
        "low": low,
        "likely": likely,
        "high": high,
        "inside": low <= measured <= high,
        "error_percent": 100 * (likely - measured) / measured,
        "outcome": "fits",
        "verdict": "fits",
    }
    return ScoredQuantity(**(facts | more))


@pytest.mark.parametrize(
    ("of", "quantity", "group"),
    [
        (run(), "weights_gib", groups.WEIGHTS_AND_CACHE),
        (run(), "gpu1 kv_mib", groups.WEIGHTS_AND_CACHE),
        (run(), "total_gib", groups.INFERENCE_TOTALS),
        (run(), "compute_buffer_mib", groups.BUFFERS),
        (run("vllm", "serving"), "weights_gib", groups.WEIGHTS_AND_CACHE),
        (run("vllm", "serving"), "kv_cache_gib", groups.POOL),
        (run("vllm", "serving"), "kv_cache_tokens", groups.POOL_TOKENS),
        (run("vllm", "serving"), "total_gib", groups.SERVER_TOTALS),
        (run("trl", "qlora"), "total_gib", groups.TRAINING_TOTALS),
        (run("trl", "qlora"), "activation_gib", groups.TRAINING_PARTS),
        (run("timm", "full"), "total_gib", groups.IMAGE_TOTALS),
        (run("mlx-lm", workload={"resolution": [1024, 1024]}), "total_gib", groups.IMAGE_TOTALS),
        (run("transformers", "lora", gpu="any"), "activation_gib", groups.ACTIVATIONS),
        (run("transformers", gpu="any"), "kv_cache_bytes", groups.CACHE),
        (run("transformers", gpu="any"), "lora_parameters q,v r8", groups.PARAMETERS),
        (
            run("x", "full", gpu="any", workload={"resolution": [224, 224]}),
            "total_gib",
            groups.IMAGE_ACTIVATIONS,
        ),
    ],
)
def test_a_quantity_counts_with_its_mechanism(of, quantity, group):
    assert groups.group_of(of, quantity) == group


def test_the_mean_width_counts_only_rows_that_are_scored():
    rows = [
        row("total_gib", 10, 8, 10, 12),  # (12 - 8) / 10 = 0.4
        row("total_gib", 10, 9, 20, 29),  # (29 - 9) / 20 = 1.0
        row("total_gib", 10, 0, 10, 90, skipped="shown, not scored"),
    ]
    result = score("by hand", rows)
    assert result.n == 2
    assert result.mean_relative_width == pytest.approx(0.7)
    assert result.median_abs_error_percent == pytest.approx(50)
    assert score("none", []).mean_relative_width is None


def test_a_pool_is_judged_by_the_memory_of_the_card():
    """A pool of 2 GiB predicted as 3: 50 % of itself, but 1 of the 20 GiB that the card has."""
    server = run("vllm", "serving", measured={"kv_cache_gib": 2})
    server["machine"] = {"gpus": [{"gpu": "any card", "vram_gib": 20.0}]}
    predicted = row("kv_cache_gib", 2 * GIB, 1 * GIB, 3 * GIB, 4 * GIB)
    pool, outcome = figures([(server, (predicted,))], load_catalog())
    assert pool.group == groups.POOL
    assert pool.median == pytest.approx(5)
    assert pool.holds == 1
    assert pool.width == pytest.approx(1)
    assert outcome.group == groups.OUTCOMES


def test_what_is_stated_but_not_predicted_counts_as_not_answered():
    answered = run(measured={"total_gib": 10})
    refused = run(measured={"total_gib": 12, "weights_gib": 8})
    doubtful = run(measured={"total_gib": 99}, quality="suspect")
    reason = ScoredQuantity(id="refused", outcome="fits", skipped="unknown model")
    rows = [(answered, (row("total_gib", 10, 9, 10, 11),)), (refused, (reason,)), (doubtful, (reason,))]
    found = {one.group: one for one in figures(rows, load_catalog())}
    assert (found[groups.INFERENCE_TOTALS].n, found[groups.INFERENCE_TOTALS].answered) == (2, 0.5)
    assert (found[groups.WEIGHTS_AND_CACHE].n, found[groups.WEIGHTS_AND_CACHE].answered) == (1, 0)
    assert (found[groups.OUTCOMES].n, found[groups.OUTCOMES].answered) == (2, 0.5)
    assert found[groups.WEIGHTS_AND_CACHE].missed == ("answered",)


def test_outcomes_are_also_told_for_what_ran_out_of_memory():
    """Who always says `fits` is right in most rows and in none of these."""
    fitted = (run(), (row(None, 1, 1, 1, 1),))
    died = (run(outcome="oom"), (row(None, 1, 1, 1, 1, outcome="oom"),))
    close = (run(outcome="oom"), (row(None, 1, 1, 1, 1, outcome="oom", verdict="tight"),))
    every, memory = figures([fitted, fitted, died, close], load_catalog())
    assert (every.n, every.holds) == (4, 0.75)
    assert (memory.n, memory.holds) == (2, 0.5)


def test_an_aim_is_missed_by_name():
    good = Figures(groups.TRAINING_TOTALS, 100, 0.99, 8.0, 30.0, 0.88, 0.6)
    assert good.missed == ()
    wide = Figures(groups.TRAINING_TOTALS, 100, 0.94, 8.0, 30.1, 0.88, 0.61)
    assert wide.missed == ("answered", "p90", "width")
    assert Figures(groups.BUFFERS, 3, 0.1, 99.0, 99.0, 0.0, 9.0).missed == ()
