"""The sheet as data: nothing hidden, nothing invented."""

from configurator.advice.answer import Answer, answer
from configurator.catalog.catalog import VERSION, load_catalog
from configurator.catalog.places import RESOURCES
from configurator.domain.case import Case
from configurator.domain.ledger import Bytes, DeviceLedger, Entry, Estimate, Host
from configurator.domain.message import message
from configurator.domain.plan import Plan
from configurator.domain.project import Project
from configurator.domain.ranges import exact
from configurator.domain.units import GIB
from configurator.quote.figure import figure
from configurator.quote.outlook import verdict_sentences
from configurator.quote.sheet import sheet
from configurator.store.project import load_project
from configurator.texts import say_in


def two_cards() -> tuple[Project, Answer]:
    project = load_project(RESOURCES / "examples" / "serving-70b-two-pro-6000.yaml")
    work, machine = project.workloads[0], project.machines[0]
    case = Case(workload=work.workload, machine=machine.machine, also=machine.also, plan=work.plan)
    return project, answer(case, load_catalog())


def one_device(likely: int, high: int) -> Estimate:
    """A card of 24 GiB, of which 20 are usable, that holds 8 GiB of weights and the rest activations."""
    sizes = (("activations", likely - 8, high - 8), ("weights", 8, 8))
    device = DeviceLedger(
        device="gpu0",
        name="Card",
        capacity=24 * GIB,
        usable=20 * GIB,
        verdict="fits" if high <= 20 else "tight" if likely <= 20 else "exceeds",
        entries=tuple(
            Entry(
                component=name,
                low=size * GIB,
                likely=size * GIB,
                high=top * GIB,
                why=message("because"),
                source="s",
            )
            for name, size, top in sizes
        ),
        total=Bytes(low=likely * GIB, likely=likely * GIB, high=high * GIB),
    )
    host = Host(ram=exact(0), disk=exact(0))
    return Estimate(verdict=device.verdict, plan=Plan(), devices=(device,), host=host, phases=())


def test_given_and_assumed_are_told_apart() -> None:
    project, result = two_cards()
    facts = sheet(project, [result], VERSION, "en").sections[0].basis
    assumed = sum(fact.assumed for fact in facts)
    assert 0 < assumed < len(facts)
    assert any(fact.value.startswith("16") and not fact.assumed for fact in facts)  # 16,384 tokens were given


def test_every_check_stands_on_the_sheet_gravest_first() -> None:
    project, result = two_cards()
    rows = sheet(project, [result], VERSION, "en").checks[0].rows
    assert len(rows) == len(set(rows)) > 5
    grave = ["fail", "warn", "accent", "ok"]
    assert [row.tone for row in rows] == sorted((row.tone for row in rows), key=grave.index)


def test_the_bar_is_to_scale() -> None:
    picture = figure(one_device(16, 18), None, say_in("en"))
    bar = picture.bars[0]
    assert [part.component for part in bar.segments] == ["weights", "activations"]
    assert abs(bar.usable / bar.capacity - 20 / 24) < 1e-9
    assert abs(sum(part.width for part in bar.segments) / bar.capacity - 16 / 24) < 1e-9
    assert abs((bar.high - bar.low) / bar.capacity - 2 / 24) < 1e-9
    assert bar.total in picture.alt


def test_the_verdict_is_a_sentence_with_its_numbers() -> None:
    said = [say_in("en")(verdict_sentences(one_device(*need))[0]) for need in ((16, 18), (19, 22), (23, 25))]
    assert said == [
        "It fits: 16.0 GiB of 20.0 GiB are needed, 4.0 GiB stay free.",
        "It fits only just: 19.0 GiB of 20.0 GiB are needed, in the worst case 22.0 GiB.",
        "It does not fit: 23.0 GiB are needed, only 20.0 GiB are usable; 3.0 GiB are missing.",
    ]


def test_two_machines_keep_their_checks_apart() -> None:
    project, small = two_cards()
    large = load_project(RESOURCES / "examples" / "qlora-8b-rtx4090.yaml")
    other = answer(
        Case(workload=large.workloads[0].workload, machine=large.machines[0].machine), load_catalog()
    )
    groups = sheet(project, [small, other, small], VERSION, "en").checks
    assert len(groups) == 2
    assert groups[0].name.startswith("2 × ")
    assert "4090" in groups[1].name
