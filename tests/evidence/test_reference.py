"""Exact figures of the frameworks' own code, carried in tests/data."""

from pathlib import Path

import pytest

from configurator.evidence.validate import validate
from configurator.texts import say_in

DATA = Path(__file__).parents[1] / "data" / "reference"


def scores(name):
    result = validate([DATA / f"{name}.yaml"], (), say_in("en"))
    return result, {group.group.removeprefix(f"{name} "): group for group in result.summary}


@pytest.mark.parametrize("name", ["parameters", "kv_cache"])
def test_parameters_and_cache_are_exact(name):
    result, groups = scores(name)
    assert groups["answered"].coverage == 1
    errors = sorted(abs(row.error_percent) for row in result.runs if row.error_percent is not None)
    assert errors[len(errors) // 2] < 0.001
    assert errors[-1] < 0.1


def test_activations_follow_the_code():
    _, groups = scores("activations")
    assert groups["answered"].coverage >= 0.9
    assert groups["activation_gib"].median_abs_error_percent < 2
    assert groups["total_gib"].median_abs_error_percent < 2


def test_measured_runs_are_answered_or_refused_with_a_reason():
    folder = Path(__file__).parents[2] / "catalogs" / "evidence"
    result = validate([folder / "inference.yaml", folder / "training.yaml"], (), say_in("en"))
    answered = {group.group: group.coverage for group in result.summary if group.group.endswith("answered")}
    assert all(share >= 0.7 for share in answered.values()), answered
    for row in result.runs:
        assert row.verdict is not None or row.skipped
