"""More than one machine: nodes times GPUs in the same ledger."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.memory.engine import predict

V3 = {
    "task": "serving",
    "model": "deepseek-ai/DeepSeek-V3",
    "framework": "vllm",
    "weights": "fp8",
    "context": 4096,
}


def estimate(nodes, plan=None, workload=V3):
    machine = {"gpus": [{"gpu": "h100-sxm-80gb", "count": 8}], "nodes": nodes}
    case = Case.model_validate({"workload": workload, "machine": machine, "plan": plan})
    return predict(case, load_catalog()).estimate


def test_layers_go_from_machine_to_machine_and_are_cut_inside():
    # 671 GB of weights exceed 8 x 80 GB; two machines hold half of the layers each, cut eight ways.
    assert estimate(1).verdict == "exceeds"
    two = estimate(2)
    assert (two.plan.tp, two.plan.pp) == (8, 2)
    assert len(two.devices) == 16
    assert two.verdict == "fits"
    assert any("machines" in note.template for note in two.notes)


def test_a_stated_plan_may_span_the_machines_and_no_more():
    spread = estimate(2, {"tp": 16})
    assert len({device.total.likely for device in spread.devices}) == 1
    with pytest.raises(BadInput, match="the machine has"):
        estimate(2, {"tp": 8, "pp": 3})


def test_each_machine_keeps_the_files_and_its_share_of_what_is_moved():
    full = {
        "task": "full",
        "model": "meta-llama/Llama-3.1-8B",
        "framework": "deepspeed",
        "offload": "optimizer",
    }
    one, two = (estimate(nodes, {"dp": 8, "zero": 2}, full).host for nodes in (1, 2))
    # 16 bytes for each of 8,030,261,248 parameters leave the cards: half on each of two machines.
    saved = 16 * 8_030_261_248 / 2
    assert one.ram.low - two.ram.low == pytest.approx(saved + 4 * 2**30, rel=1e-6)
    assert one.disk == two.disk
