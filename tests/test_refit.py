"""Ranges of framework profiles are learnt by mechanism, and written without touching anything else."""

import pytest
import yaml
from fitting import Evidence, fitted, implied
from profile_constants import constants, rewritten, trying

from configurator.catalog.catalog import load_catalog
from configurator.catalog.framework import load_frameworks
from configurator.domain.ranges import Range
from configurator.domain.run import MeasuredRun

OLD = Range(low=1.0, likely=2.0, high=3.0)
PROFILE = """# a profile
id: some
context_gib:   # of one process
  low: 0.3
  likely: 0.55   # seen most often
  high: 1.4
activations: {low: 0.95, likely: 1.35, high: 2.8}
"""


def constant(name, profile):
    return next(one for one in constants() if one.name == name and profile in one.profiles)


def mlx_run(total_gib):
    run = MeasuredRun.model_validate(
        {
            "id": "by-hand",
            "source": "by hand",
            "workload": {
                "task": "inference",
                "model": "meta-llama/Llama-3.2-1B",
                "framework": "mlx-lm",
                "weights": "mlx-4bit-g64",
                "context": 2048,
            },
            "machine": {"gpus": [{"gpu": "unified", "vram_gib": 64.0}], "os": "macos"},
            "measured": {"total_gib": total_gib, "total_kind": "mlx_peak"},
        }
    )
    return Evidence(run, "mlx-lm", load_catalog())


def test_a_run_implies_the_value_that_would_have_predicted_it():
    workspace = constant("workspace_gib", "mlx-lm")
    with trying(workspace, Range(low=1.2, likely=1.2, high=1.2)):
        predicted = mlx_run(1.0).predicted()["total_gib"][1].likely
    assert implied(workspace, mlx_run(predicted / 2**30)) == pytest.approx(1.2, abs=0.001)
    assert load_frameworks()["mlx-lm"].workspace_gib == workspace.range


def test_a_constant_that_a_run_does_not_depend_on_learns_nothing_from_it():
    assert implied(constant("logits_bytes", "mlx-lm"), mlx_run(2.0)) is None


def test_few_runs_move_the_old_range_in_part_and_one_does_not():
    assert fitted(OLD, [9.0], 1) == OLD
    two = fitted(OLD, [4.0, 4.0], 2)  # two of the five runs that decide: 0.4 x 4 + 0.6 x old
    assert (two.low, two.likely, two.high) == pytest.approx((2.2, 2.8, 3.4))
    many = fitted(OLD, [4.0] * 9 + [5.0], 3)
    assert (many.low, many.likely) == pytest.approx((4.0, 4.0))
    assert many.high == pytest.approx(4.55)  # a tenth of the way into the last of nine steps: 4 + 0.55
    alone = fitted(OLD, [4.0] * 10, 1)
    assert alone.likely == pytest.approx(3.0)


@pytest.mark.parametrize("where", ["context_gib", "activations"])
def test_only_the_numbers_of_a_profile_change(where):
    text = rewritten(PROFILE, (where,), Range(low=0.5, likely=0.756, high=12.34))
    assert yaml.safe_load(text)[where] == {"low": 0.5, "likely": 0.76, "high": 12.3}
    assert [line.partition("#")[2] for line in text.splitlines()] == [
        line.partition("#")[2] for line in PROFILE.splitlines()
    ]


def test_a_range_that_a_profile_left_to_the_default_is_added():
    text = rewritten(PROFILE, ("logits_bytes",), Range(low=11, likely=12, high=14))
    assert text.startswith(PROFILE.rstrip())
    assert yaml.safe_load(text)["logits_bytes"] == {"low": 11.0, "likely": 12.0, "high": 14.0}


def test_equal_ranges_of_several_profiles_are_one_mechanism():
    shared = constant("context_gib", "transformers")
    assert {"transformers", "axolotl", "torchtune"} <= set(shared.profiles)
