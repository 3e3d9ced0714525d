"""The constants of speed are learnt by mechanism and judged on sources that they were not learnt from."""

import pytest
from fit_speed import Speed, error, fit, halves, speeds
from speed_constants import MECHANISMS, places, put, restored, value

from configurator.catalog.places import CATALOGS
from configurator.speed.constants import constants


@pytest.fixture(scope="module")
def prompts() -> list[Speed]:
    return [row for row in speeds([CATALOGS / "evidence" / "speed.yaml"]) if row.mechanism == "prefill"]


def test_no_source_lies_in_both_parts(prompts):
    here, there = halves(prompts)
    assert not {row.source for row in here} & {row.source for row in there}
    assert len(here) + len(there) == len(prompts)
    assert abs(len(here) - len(there)) < 0.2 * len(prompts)


def test_a_search_that_knows_nothing_finds_the_rate_that_prompts_reach(prompts):
    """From any start the law of power comes out near 0.3, and nothing stays changed."""
    before = constants()
    with restored():
        put(("prompt", "by_power"), 1.0)
        far = error(prompts)
        fit("prefill", prompts, ignorant=True)
        assert error(prompts) < 0.5 * far
        assert value(("prompt", "by_power")) == pytest.approx(0.31, rel=0.15)
    assert constants() == before


def test_every_place_of_a_mechanism_is_a_number_of_the_file():
    for wheres in MECHANISMS.values():
        for where, _ in wheres:
            for place in places(where):
                assert float(value(place)) >= 0


def test_writing_changes_the_numbers_alone(tmp_path, monkeypatch):
    import speed_constants

    text = (CATALOGS / "speed.yaml").read_text(encoding="utf-8")
    (tmp_path / "speed.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(speed_constants, "CATALOGS", tmp_path)
    speed_constants.write({("families", "apple", "read"): 0.5, ("serving", "spread", "few", "low"): 0.11})
    new = (tmp_path / "speed.yaml").read_text(encoding="utf-8")
    changed = [(a, b) for a, b in zip(text.split("\n"), new.split("\n"), strict=True) if a != b]
    assert len(changed) == 2
    assert "read: 0.5," in changed[0][1] and changed[0][1].startswith("  apple:")
    assert "low: 0.11" in changed[1][1]
