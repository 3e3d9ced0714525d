"""Every way out is tried on the engine: what says that it fits has to fit."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from configurator.advice.answer import answer, judged
from configurator.advice.change import changed, merged
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict
from configurator.texts import say_in

CATALOG = load_catalog()
FEW = "geforce-rtx-4090"
WORK = st.sampled_from([
    ("inference", "llama.cpp"), ("serving", "vllm"), ("inference", "exllamav3"), ("qlora", "transformers"),
    ("lora", "axolotl"), ("full", "deepspeed"), ("full", "transformers"), ("pretrain", "torchtitan"),
])  # fmt: skip
MODELS = st.sampled_from(
    ["meta-llama/Llama-3.1-8B", "Qwen/Qwen3-30B-A3B", "meta-llama/Llama-3.3-70B-Instruct"]
)


def case(machine=None, plan=None, **workload):
    workload = {"task": "qlora", "model": "meta-llama/Llama-3.1-8B"} | workload
    data = {"workload": workload, "machine": machine or {"gpus": [{"gpu": FEW}]}, "plan": plan}
    return Case.model_validate(data)


def ways(one):
    return answer(one, CATALOG).estimate.remedies


def changes(one):
    return [way.change for way in ways(one)]


@settings(max_examples=25, deadline=None)
@given(
    WORK,
    MODELS,
    st.sampled_from([FEW, "geforce-rtx-5070", "rtx-pro-6000-blackwell"]),
    st.integers(1, 2),
    st.integers(1, 9),
    st.integers(512, 20_000),
    st.booleans(),
)
def test_what_a_remedy_promises_is_what_the_engine_says(work, model, gpu, count, batch, context, shown):
    machine = {"gpus": [{"gpu": gpu, "count": count}], "display_on_gpu": 0 if shown else None, "os": "linux"}
    one = case(machine, task=work[0], framework=work[1], model=model, batch=batch, context=context)
    before = judged(one, CATALOG).estimate
    found = ways(one)
    assert len(found) <= 8
    assert not found or before.verdict != "fits"
    deciding = max(range(count), key=lambda n: before.devices[n].total.high - before.devices[n].usable)
    seen = []
    for way in found:
        change = json.loads(json.dumps(way.change))
        after = predict(changed(one, change), CATALOG).estimate
        assert after.verdict == way.verdict != before.verdict
        device = after.devices[min(deciding, len(after.devices) - 1)]
        assert way.saves == max(0, before.devices[deciding].total.likely - device.total.likely)
        assert change not in seen
        seen.append(change)
    promised = [way.verdict for way in found]
    assert promised.count("fits") in (0, len(promised))


def test_what_fits_needs_no_remedy():
    assert ways(case(context=1024)) == ()


def test_a_batch_becomes_smaller_and_stays_the_same():
    one = case(batch=12, grad_accum=2, context=2048)
    found = next(change for change in changes(one) if "batch" in change)
    assert found["batch"] * found["grad_accum"] == 24


def test_the_mildest_step_of_a_kind_is_shown():
    one = case(
        task="serving",
        framework="vllm",
        model="Qwen/Qwen3-30B-A3B",
        machine={"gpus": [{"gpu": "rtx-pro-5000-blackwell"}]},
    )
    weights = [change["weights"] for change in changes(one) if "weights" in change]
    assert weights == ["fp8"]


def test_several_cards_are_divided_before_one_buys_more():
    machine = {"gpus": [{"gpu": "h100-pcie-80-gb", "count": 2}]}
    one = case(machine, task="full", framework="deepspeed", context=1024)
    first = changes(one)[0]
    assert first["plan"] == {"dp": 2, "zero": 1} or first["plan"]["zero"] > 1


def test_where_no_single_change_suffices_two_do():
    one = case(context=16384, batch=8)
    found = changes(one)
    assert found
    assert all(len(change) > 1 for change in found)


def test_a_mac_gives_its_gpu_a_larger_share_and_leaves_the_system_enough():
    model = {"task": "inference", "model": "meta-llama/Llama-3.3-70B-Instruct", "weights": "mlx-8bit-g64"}
    for memory, offered in ((96, True), (36, False)):
        mac = {"system": "mac-studio-m3-ultra-96" if memory == 96 else "mac-studio-m4-max-36"}
        work = model if memory == 96 else model | {"model": "Qwen/Qwen3-32B", "weights": "mlx-4bit-g64"}
        wider = case(mac | {"gpu_share": 0.85}, **work)
        longest = answer(wider, CATALOG).estimate.limits.max_context
        found = changes(case(mac, **work, context=longest))
        assert ({"machine": {"gpu_share": 0.85}} in found) is offered


def test_monitors_move_only_where_the_processor_can_draw():
    def moves(cpu):
        machine = {"gpus": [{"gpu": FEW}], "display_on_gpu": 0, "os": "windows", "cpu": cpu}
        # Tight by construction: the longest text that fits without monitors.
        without = case(machine | {"display_on_gpu": None})
        longest = answer(without, CATALOG).estimate.limits.max_context
        return {"machine": {"display_on_gpu": None}} in changes(case(machine, context=longest))

    drawing = next(cpu.id for cpu in CATALOG.cpus.values() if cpu.igpu)
    blind = next(cpu.id for cpu in CATALOG.cpus.values() if not cpu.igpu)
    assert moves(drawing)
    assert not moves(blind)


def test_what_waits_in_ram_has_to_find_room_there():
    def waits(ram):
        machine = {"gpus": [{"gpu": FEW}], "ram_gb": ram}
        return [
            c
            for c in changes(case(machine, task="inference", model="Qwen/Qwen3-235B-A22B"))
            if "offload" in c
        ]

    assert waits(256)
    assert not waits(64)


def test_larger_cards_come_from_the_same_maker_and_are_sold_new():
    one = case(
        {"gpus": [{"gpu": "radeon-rx-9070-xt", "count": 2}]},
        task="inference",
        model="Qwen/Qwen3-32B",
        weights="Q8_0",
    )
    bought = [kind["gpu"] for change in changes(one) for kind in change.get("machine", {}).get("gpus", ())]
    assert bought
    assert all(CATALOG.gpus.find(gpu).vendor == "amd" for gpu in bought)


def test_an_owned_card_stays_owned_when_another_is_bought():
    owned = {"gpus": [{"gpu": FEW, "owned": True}]}
    one = case(owned, task="inference", model="meta-llama/Llama-3.3-70B-Instruct", context=2048)
    bought = [c["machine"]["gpus"] for c in changes(one) if len(c.get("machine", {}).get("gpus", ())) == 2]
    assert bought
    assert bought[0][0] == {"gpu": FEW, "owned": True}
    assert not bought[0][1].get("owned")


def test_a_change_may_name_workload_machine_and_plan():
    one = case(batch=4)
    other = changed(one, {"batch": 2, "machine": {"ram_gb": 64}, "plan": {"dp": 1}})
    assert (other.workload.batch, other.machine.ram_gb, other.plan.dp) == (2, 64, 1)
    assert merged({"batch": 2}, {"batch": 1}) is None
    assert merged({"machine": {"ram_gb": 1}}, {"machine": {"os": "linux"}}) == {
        "machine": {"ram_gb": 1, "os": "linux"}
    }


def test_a_consultant_can_read_them_aloud():
    one = case(task="serving", framework="vllm", model="Qwen/Qwen3-30B-A3B")
    said = [say_in("en")(way.why) for way in ways(one)]
    assert any(line.startswith("weights in awq4: ") and "less on GPU 0" in line for line in said)
    assert any("usable instead of 23.6 GiB" in line for line in said)
