"""Several workloads on one machine: by night and by day, or at once."""

from datetime import date

import pytest

from configurator.advice.together import alone, parts, with_others
from configurator.catalog.catalog import load_catalog
from configurator.domain.errors import BadInput
from configurator.domain.machine import Gpus, Machine
from configurator.domain.project import Project, ProjectMachine, ProjectWorkload
from configurator.domain.workload import Dataset, Workload
from configurator.memory.engine import predict

CATALOG = load_catalog()
TRAINING = ProjectWorkload(
    name="Training by night",
    workload=Workload(
        task="qlora", model="meta-llama/Llama-3.1-8B", context=2048, batch=1, dataset=Dataset(size_gb=50.0)
    ),
)
CHAT = ProjectWorkload(
    name="Chat by day",
    workload=Workload(
        task="inference", model="Qwen/Qwen3-8B", weights="Q4_K_M", context=8192, framework="llama.cpp"
    ),
)


def project(together, *workloads, count=1, display=None):
    machine = Machine(gpus=(Gpus(gpu="geforce-rtx-4090", count=count),), display_on_gpu=display, os="linux")
    return Project(
        date=date(2026, 12, 1),
        workloads=workloads,
        machines=(ProjectMachine(machine=machine),),
        together=together,
    )


def estimated(made, workload):
    return predict(with_others(made, workload, 0, CATALOG), CATALOG).estimate


def test_at_once_the_other_workload_stands_in_the_ledger_with_its_name_and_size():
    made = project(True, TRAINING, CHAT, display=0)
    training, chat = (predict(alone(made, place, 0), CATALOG).estimate.devices[0] for place in (0, 1))
    both = estimated(made, 0).devices[0]
    other = next(one for one in both.entries if one.component == "other_apps")
    assert "Chat by day" in str(other.why.values)
    # The monitors hang on the card once, whoever asks.
    display = sum(one.likely for one in chat.entries if one.component == "display")
    assert display > 0
    assert other.likely == chat.total.likely - display
    assert both.total.likely == training.total.likely + other.likely
    assert estimated(made, 1).devices[0].total.likely == both.total.likely


def test_one_after_the_other_they_share_only_the_drives():
    made = project(False, TRAINING, CHAT)
    single = predict(alone(made, 0, 0), CATALOG).estimate
    beside = estimated(made, 0)
    assert beside.devices == single.devices
    assert beside.host.ram == single.host.ram
    files = predict(alone(made, 1, 0), CATALOG).estimate.host.disk
    assert beside.host.disk.likely == single.host.disk.likely + files.likely


def test_ram_is_added_at_once_but_the_system_runs_once():
    made = project(True, TRAINING, CHAT)
    rams = [predict(alone(made, place, 0), CATALOG).estimate.host.ram.likely for place in (0, 1)]
    assert estimated(made, 0).host.ram.likely == sum(rams) - 8 * 2**30


def test_the_workload_that_fills_the_card_most_decides():
    large = ProjectWorkload(workload=Workload(task="full", model="Qwen/Qwen3-14B"))
    found = parts(project(False, CHAT, large, TRAINING), 0, CATALOG)
    assert [one.name for one in found] == ["Chat by day", "Qwen3-14B", "Training by night"]
    assert [one.decides for one in found] == [False, True, False]
    assert found[1].verdict == "exceeds"
    assert not parts(project(False, CHAT), 0, CATALOG)[0].decides


def test_a_workload_that_cannot_be_answered_names_itself_to_its_neighbours():
    lost = ProjectWorkload(name="Next idea", workload=Workload(task="lora", model="nobody/nothing"))
    made = project(True, CHAT, lost)
    with pytest.raises(BadInput) as refused:
        with_others(made, 0, 0, CATALOG)
    assert "Next idea" in str(refused.value.text.values)
    assert [one.verdict for one in parts(made, 0, CATALOG)] == [None, None]
    apart = parts(project(False, CHAT, lost), 0, CATALOG)
    assert [one.verdict for one in apart] == ["fits", None]


def test_two_cards_carry_what_runs_on_each():
    made = project(True, TRAINING, CHAT, count=2)
    chat = predict(alone(made, 1, 0), CATALOG).estimate
    both = estimated(made, 0)
    assert len(both.devices) == 2
    beside = [
        sum(entry.likely for entry in one.entries if entry.component == "other_apps") for one in both.devices
    ]
    assert beside == [one.total.likely for one in chat.devices] + [0] * (2 - len(chat.devices))
