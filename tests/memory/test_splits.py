"""How training is split and what optimizers keep, each with a figure worked out by hand."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict

LLAMA = "meta-llama/Llama-3.1-8B"
PARAMETERS = 8_030_261_248
HEAD = 128_256 * 4096
NORMS = 65 * 4096
LINEARS = PARAMETERS - 2 * HEAD - NORMS
FULL = {"task": "full", "model": LLAMA, "framework": "transformers", "context": 1024, "optimizer": "sgd"}


def estimate(workload, plan=None, count=1):
    case = Case.model_validate(
        {
            "workload": workload,
            "machine": {"gpus": [{"gpu": "h200-141gb", "count": count}]},
            "plan": plan,
        }
    )
    return predict(case, load_catalog()).estimate


def entries(workload, plan=None, count=1, device=0):
    found = estimate(workload, plan, count).devices[device].entries
    return {entry.component: entry.likely for entry in found}


def states(name, **options):
    return entries(FULL | {"optimizer": name, "options": options})["optimizer"]


def test_galore_keeps_states_of_a_projection_and_the_projector():
    # 8-bit states of 1 + 4/256 bytes, twice, on rank 1,024 x the longer side; a 16-bit projector of rank x the
    # shorter side; k and v are no larger than the rank and stay whole, as do vocabulary and norms.
    eight_bit = 2 * 1.0156
    square = eight_bit * 1024 * 4096 + 2 * 1024 * 4096
    feed_forward = eight_bit * 1024 * 14336 + 2 * 1024 * 4096
    small = eight_bit * 1024 * 4096
    expected = 32 * (2 * square + 2 * small + 3 * feed_forward) + eight_bit * (2 * HEAD + NORMS)
    assert states("galore_adamw8bit", galore_rank=1024) == pytest.approx(expected, rel=1e-6)


def test_adafactor_keeps_a_row_and_a_column_of_every_matrix():
    sides = 32 * (2 * (4096 + 4096) + 2 * (1024 + 4096) + 3 * (14336 + 4096)) + 2 * (128_256 + 4096)
    assert states("adafactor") == 4 * (sides + NORMS)


def test_muon_keeps_momentum_of_matrices_and_adam_for_the_rest():
    assert states("muon") == 2 * LINEARS + 4 * (2 * HEAD + NORMS)


def test_optimizers_by_bytes_per_parameter():
    assert states("adamw") == 4 * PARAMETERS
    assert states("lion") == 2 * PARAMETERS
    assert states("adamw8bit") == pytest.approx(2.0312 * PARAMETERS, rel=1e-6)


def test_an_earlier_pipeline_stage_holds_more_micro_batches():
    # Four stages of eight layers, one forward one backward: the first holds four micro-batches, the last one;
    # each keeps 8 layer inputs of 2 x 4,096 bytes a token. GPipe holds all eight.
    workload = FULL | {"grad_accum": 8, "context": 4096, "framework": "megatron", "checkpointing": True}
    one = 8 * 2 * 4096 * 4096
    gpipe = {"options": {"pipeline_schedule": "gpipe"}}

    def forward(stage, **more):
        found = estimate(workload | more, {"pp": 4}, 4).phases
        return next(p.total.likely for p in found if (p.device, p.phase) == (f"gpu{stage}", "forward"))

    # Equal stages but for the micro-batches in flight, with the allocator's share of 8 %.
    assert forward(1) - forward(2) == pytest.approx(1.08 * one, rel=0.001)
    assert forward(1, **gpipe) - forward(1) == pytest.approx(1.08 * 5 * one, rel=0.001)


def test_tensor_parallelism_leaves_the_stream_whole_without_sequence_parallelism():
    # Norms and their outputs: 2 x (6h + 4) + 2 x 2h = 65,544 of 200,840 bytes a token and layer.
    workload = FULL | {"checkpointing": False, "context": 8192}
    once = 8 * 4096 + 4 + 4 * 128
    cut = entries(workload | {"options": {"sequence_parallel": True}}, {"tp": 2}, 2)["activations"]
    whole = entries(workload, {"tp": 2}, 2)["activations"]
    assert cut == 8192 * (32 * 200_840 / 2 + once)
    assert whole == 8192 * (32 * (65_544 + (200_840 - 65_544) / 2) + once)


def test_megatron_takes_eighteen_bytes_a_parameter():
    workload = FULL | {"framework": "megatron", "optimizer": "adamw", "context": 8, "checkpointing": True}
    found = entries(workload)
    taken = sum(found[name] for name in ("weights", "gradients", "master_weights", "optimizer"))
    assert taken == 18 * PARAMETERS
    # The distributed optimizer cuts masters and states: 6 + 12/2.
    found = entries(workload, {"dp": 2, "zero": 1}, 2)
    taken = sum(found[name] for name in ("weights", "gradients", "master_weights", "optimizer"))
    assert taken == 12 * PARAMETERS


def test_deepspeed_keeps_buckets_even_on_one_card():
    workload = FULL | {"framework": "deepspeed", "optimizer": "adamw", "context": 8}
    assert entries(workload, {"zero": 3})["communication"] == 3_000_000_000


def test_layer_inputs_that_wait_on_the_host_need_its_memory():
    # 32 layers x 4,096 tokens x 4,096 x 2 bytes on each of two cards.
    workload = {"task": "qlora", "model": LLAMA, "framework": "unsloth", "context": 4096}
    waits = estimate(workload, {"dp": 2}, 2).host.ram.likely
    stays = estimate(workload | {"checkpointing": True}, {"dp": 2}, 2).host.ram.likely
    assert waits - stays == 2 * 32 * 4096 * 4096 * 2
