"""Whatever the catalogue can build: every finding can be said, and what is not sure refuses nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from asking import ADAPTERS, SERVING, case_of, told
from hypothesis import given, settings
from hypothesis import strategies as st

from configurator.advice.answer import answer
from configurator.catalog.catalog import Catalog, Parts, load_catalog
from configurator.domain.finding import SEVERITIES

CATALOG = load_catalog()
SHELVES = ("gpus", "cpus", "boards", "psus", "cases", "coolers", "ups", "drives", "platforms")
OF_PARTS = ("pcie.slots", "power.psu", "power.connectors", "power.mains", "case.fit", "cooling", "cooling.cpu", "power.ups", "ram.population", "platform.cpu")  # fmt: skip


def some(shelf: str) -> st.SearchStrategy[str | None]:
    return st.none() | st.sampled_from(sorted(getattr(CATALOG, shelf)))


MACHINES = st.fixed_dictionaries(
    {
        "gpus": st.lists(
            st.builds(lambda gpu, count: {"gpu": gpu, "count": count}, st.sampled_from(sorted(CATALOG.gpus)), st.integers(1, 4)),
            min_size=1,
            max_size=2,
        ),
        "cpu": some("cpus"),
        "board": some("boards"),
        "psu": some("psus"),
        "case": some("cases"),
        "cooler": some("coolers"),
        "ups": some("ups"),
        "drives": st.lists(st.sampled_from(sorted(CATALOG.drives)).map(lambda name: {"drive": name}), max_size=6),
        "ram_gb": st.none() | st.sampled_from([16, 64, 96, 192, 512, 3000]),
        "os": st.none() | st.sampled_from(["windows", "wsl2", "linux"]),
        "power_limit_w": st.none() | st.integers(50, 900),
        "mains": st.none() | st.sampled_from([{"volts": 120, "amps": 15}, {"volts": 230, "amps": 10}]),
    }
)  # fmt: skip
DETECTOR = {
    "task": "full",
    "model": "yolo11s",
    "framework": "ultralytics",
    "resolution": [640, 640],
    "batch": 4,
}
PICTURES = {"task": "lora", "model": "flux-1", "framework": "diffusers", "resolution": [512, 512], "batch": 1}
WORK = st.sampled_from(
    [ADAPTERS, SERVING, ADAPTERS | {"task": "full", "offload": "optimizer"}, DETECTOR, PICTURES]
)


def unsure(shelf: str) -> Parts[Any]:
    parts = getattr(CATALOG, shelf)
    return Parts(
        shelf, {name: part.model_copy(update={"confidence": "inferred"}) for name, part in parts.items()}
    )


UNSURE: Catalog = replace(CATALOG, **{shelf: unsure(shelf) for shelf in SHELVES})


@settings(max_examples=60, deadline=None)
@given(MACHINES, WORK)
def test_every_finding_is_a_sentence_in_both_languages(machine: dict[str, Any], work: dict[str, Any]) -> None:
    kept = {key: value for key, value in machine.items() if value is not None}
    findings = answer(case_of(kept, work), CATALOG).findings.findings
    assert len({finding.id for finding in findings}) == len(findings)
    assert [SEVERITIES.index(finding.severity) for finding in findings] == sorted(
        (SEVERITIES.index(finding.severity) for finding in findings), reverse=True
    )
    for finding in findings:
        assert finding.source
        for language in ("de", "en"):
            assert "{" not in told(finding, language)


@settings(max_examples=40, deadline=None)
@given(MACHINES, WORK)
def test_parts_that_no_source_is_sure_of_refuse_nothing(
    machine: dict[str, Any], work: dict[str, Any]
) -> None:
    kept = {key: value for key, value in machine.items() if value is not None}
    for finding in answer(case_of(kept, work), UNSURE).findings.findings:
        if finding.id in OF_PARTS:
            assert finding.severity != "error", told(finding)


def test_no_part_takes_less_ram_than_a_workstation_has() -> None:
    parts = [*CATALOG.cpus.values(), *CATALOG.boards.values(), *CATALOG.platforms.values()]
    assert all(part.max_ram_gb is None or part.max_ram_gb >= 64 for part in parts)
