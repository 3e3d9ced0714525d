"""Training mechanisms, each with a figure worked out by hand."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.workload import Lora
from configurator.memory.adapters import expert_parameters, lora_parameters
from configurator.memory.engine import predict

LLAMA = "meta-llama/Llama-3.1-8B"
PARAMETERS = 8_030_261_248
HEAD = 128_256 * 4096


def ledger(workload, plan=None, count=1):
    case = Case.model_validate(
        {
            "workload": workload,
            "machine": {"gpus": [{"gpu": "h200-141gb", "count": count}]},
            "plan": plan,
        }
    )
    return predict(case, load_catalog())


def entries(workload, plan=None, count=1):
    return {e.component: e.likely for e in ledger(workload, plan, count).estimate.devices[0].entries}


def test_a_loss_in_eight_pieces_holds_one_of_them():
    # 8,192 tokens / 8 x 128,256 entries x 8 bytes.
    workload = {
        "task": "lora",
        "model": LLAMA,
        "framework": "torchtune",
        "context": 8192,
        "checkpointing": False,
    }
    assert entries(workload)["logits"] == 1024 * 128_256 * 8


def test_who_quantises_experts():
    # Qwen3-30B-A3B: 28,991,029,248 of its weights are experts. bitsandbytes leaves the fused weights of
    # Transformers 5 in 16 bit; Transformers 4 had them as linears, and Axolotl quantises them while loading.
    workload = {"task": "qlora", "model": "Qwen/Qwen3-30B-A3B", "weights": "nf4", "context": 512}
    saved = round(28_991_029_248 * (16 - 4.5) / 8)
    fused = entries(workload | {"framework": "transformers"})["weights"]
    for other in (
        {"framework": "axolotl"},
        {"framework": "transformers", "framework_version": "4.57"},
        {"framework": "transformers", "options": {"quantize_moe_experts": True}},
    ):
        assert fused - entries(workload | other)["weights"] == pytest.approx(saved, abs=2)


def test_adapters_of_peft_on_fused_experts():
    # Counted in the framework's own code at rank 16: 996,507,648 with the attention's 13,369,344.
    model = load_catalog().architecture("Qwen/Qwen3-30B-A3B")
    assert expert_parameters(model, 16) + lora_parameters(model, Lora(rank=16)) == 996_507_648


def test_dora_trains_one_magnitude_per_output():
    # 32 layers x (4,096 x 3 + 1,024 x 2 + 14,336 x 2) outputs.
    model = load_catalog().architecture(LLAMA)
    plain, dora = (lora_parameters(model, Lora(rank=16, dora=on)) for on in (False, True))
    assert dora - plain == 32 * (4096 * 3 + 1024 * 2 + 14336 * 2)


def test_an_optimizer_in_the_backward_pass_holds_one_gradient():
    # The head's, 2 bytes a value, is larger than a layer's share; its step works on 4 bytes a value.
    workload = {
        "task": "full",
        "model": LLAMA,
        "framework": "torchtune",
        "context": 128,
        "optimizer": "sgd",
        "options": {"optimizer_in_bwd": True},
    }
    found = entries(workload)
    assert found["gradients"] == 2 * HEAD
    assert found["workspace"] == 4 * HEAD
    whole = entries(workload | {"options": {}})
    assert whole["gradients"] == 2 * PARAMETERS


def test_gradients_before_they_are_cut():
    # FSDP2 of gpt-oss and its like under Axolotl: a layer and the outer matrices three times more, 2 + 4 bytes
    # a value, beside two gathered layers and the outer matrices.
    workload = {"task": "full", "model": LLAMA, "context": 512, "optimizer": "sgd"}
    plan = {"dp": 4, "zero": 3}
    plain = entries(workload | {"framework": "transformers"}, plan, 4)["communication"]
    summed = entries(workload | {"framework": "axolotl"}, plan, 4)["communication"]
    layer = 2 * (PARAMETERS - 2 * HEAD - 4096) / 32
    assert plain == pytest.approx(2 * layer + 2 * (2 * HEAD + 4096), rel=1e-6)
    assert summed - plain == pytest.approx(3 * (layer + 2 * (2 * HEAD + 4096)), rel=1e-6)


def test_fp32_weights_under_autocast_have_copies_whether_trained_or_frozen():
    # 2 bytes for every weight of a linear and of the head: 6,979,321,856 + 525,336,576.
    workload = {
        "task": "lora",
        "model": LLAMA,
        "framework": "litgpt",
        "weights": "fp32",
        "context": 64,
        "checkpointing": False,
    }
    mixed = ledger(workload | {"options": {"precision": "bf16-mixed"}}).devices[0].allocated.likely
    plain = ledger(workload | {"compute": "fp32"}).devices[0].allocated.likely
    linears = PARAMETERS - 2 * HEAD - 65 * 4096
    assert mixed - plain == pytest.approx(2 * (linears + HEAD), rel=0.02)


def test_block_formats_leave_nothing_to_selective_checkpointing():
    workload = {
        "task": "pretrain",
        "model": LLAMA,
        "framework": "torchtitan",
        "context": 4096,
        "checkpointing": "selective",
    }
    plan = {"dp": 8, "zero": 3}
    kept = entries(workload | {"options": {"linear_dtype": "nvfp4"}}, plan, 8)["activations"]
    # 32 layer inputs of 2 bytes and, once, final norm, its output and the rotary table.
    assert kept == 4096 * (32 * 2 * 4096 + 8 * 4096 + 4 + 4 * 128)
    assert entries(workload, plan, 8)["activations"] > 4 * kept


def test_layers_before_the_first_adapter_keep_nothing():
    workload = {
        "task": "qlora",
        "model": "mistralai/Mistral-7B-v0.1",
        "framework": "mlx-lm",
        "weights": "mlx-4bit-g64",
        "context": 2048,
    }
    few, many = (
        entries(workload | {"lora": {"layers": layers, "targets": ["q_proj", "v_proj"]}})["activations"]
        for layers in (4, 8)
    )
    assert 1.9 < many / few < 2.0


def test_preparing_a_quantised_base_may_raise_embedding_and_head():
    # 2 bytes more for 2 x 128,256 x 4,096 values: always in scripts of 2023, a doubt with Transformers 5.
    workload = {"task": "qlora", "model": LLAMA, "framework": "transformers", "context": 512}

    def raised(**more):
        found = ledger(workload | more).estimate.devices[0].entries
        return next(e for e in found if "preparing" in e.why.template)

    old, new = raised(framework_version="4.36"), raised()
    assert (old.low, old.likely, old.high) == (4 * HEAD,) * 3
    assert (new.low, new.likely, new.high) == (0, 0, 4 * HEAD)
