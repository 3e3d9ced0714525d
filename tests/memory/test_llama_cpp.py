"""The llama.cpp family on several cards and with parts on the host, worked out by hand or read in logs."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.memory.engine import predict

MIB = 2**20
GIB = 2**30


def run(workload, gpus=({"gpu": "h200-141gb"},), plan=None):
    case = Case.model_validate(
        {
            "workload": {"task": "inference", "framework": "llama.cpp", "weights": "Q8_0"} | workload,
            "machine": {"gpus": list(gpus)},
            "plan": plan,
        }
    )
    return predict(case, load_catalog())


def sizes(prediction, name):
    return [getattr(view, name).likely for view in prediction.devices]


def test_layers_and_output_are_dealt_by_memory():
    # Qwen3-30B-A3B: 48 layers and the output are 49 items; two equal cards: 24.5 each, so 25 layers and 23
    # layers with the output. 2 x 4 heads x 128 x 2 bytes x 32,768 tokens = 64 MiB a layer.
    workload = {"model": "Qwen/Qwen3-30B-A3B", "kv_cache": "fp16", "context": 32768}
    even = run(workload, [{"gpu": "geforce-rtx-3090", "count": 2}], {"pp": 2})
    assert sizes(even, "kv_cache") == [25 * 64 * MIB, 23 * 64 * MIB]
    # 32 and 24 GB: 49 x 4/7 = 28 items on the first card, 20 layers and the output on the second.
    uneven = run(workload, [{"gpu": "any", "vram_gib": 32}, {"gpu": "any", "vram_gib": 24}], {"pp": 2})
    assert sizes(uneven, "kv_cache") == [28 * 64 * MIB, 20 * 64 * MIB]
    # A stated split (-ts 3,1): 49 x 3/4 = 36.75 items, so 37 layers.
    stated = run(workload, [{"gpu": "geforce-rtx-3090", "count": 2}], {"pp": 2, "split": [3, 1]})
    assert sizes(stated, "kv_cache") == [37 * 64 * MIB, 11 * 64 * MIB]


def test_layers_on_the_host_keep_their_cache_there():
    # Mixtral 8x7B has 32 layers; 9 on the GPU: 9 x 4,096 bytes x 16,384 tokens = 576 MiB, 23 on the host.
    workload = {"model": "mistralai/Mixtral-8x7B-v0.1", "kv_cache": "fp16", "context": 16384}
    found = run(workload | {"offload": "gpu-layers:9"})
    assert sizes(found, "kv_cache") == [576 * MIB]
    assert found.host_cache == 23 * 64 * MIB
    # Without the output: 9 layers of 1,451,270,144 parameters, 8.5 bits each but for norms (8,192).
    assert sizes(found, "weights")[0] == pytest.approx(9 * 1_451_270_144 * 8.5 / 8, rel=1e-4)
    whole = run(workload)
    assert found.estimate.host.ram.likely > whole.estimate.host.ram.likely + 23 * GIB


def test_tensors_placed_by_hand():
    # Qwen3-30B-A3B: the experts of one layer have 128 x 3 x 2,048 x 768 = 603,979,776 parameters.
    experts = 603_979_776 * 8.5 / 8
    model = {"model": "Qwen/Qwen3-30B-A3B"}
    everything = sizes(run(model), "weights")[0]
    away = sizes(run(model | {"offload": "experts->CPU"}), "weights")[0]
    assert everything - away == pytest.approx(48 * experts, abs=48)
    some = model | {"options": {"override_tensor": [r"blk\.[0-4]\.ffn_.*=CUDA0", "exps=CPU"]}}
    assert sizes(run(some), "weights")[0] - away == pytest.approx(5 * experts, abs=48)
    moe = model | {"options": {"n_cpu_moe": 40}}
    assert sizes(run(moe), "weights")[0] - away == pytest.approx(8 * experts, abs=48)
    half = model | {"options": {"override_tensor": "ffn_down_exps=CPU"}}
    assert everything - sizes(run(half), "weights")[0] == pytest.approx(48 * experts / 3, abs=48)


def test_a_tensor_may_be_placed_on_the_other_card():
    cards = [{"gpu": "geforce-rtx-3090", "count": 2}]
    plain = run({"model": "Qwen/Qwen3-30B-A3B"}, cards, {"pp": 2})
    pattern = {"override_tensor": [r"blk\.0\.ffn_.*_exps=CUDA1"]}
    moved = run({"model": "Qwen/Qwen3-30B-A3B", "options": pattern}, cards, {"pp": 2})
    experts = 603_979_776 * 8.5 / 8
    before, after = sizes(plain, "weights"), sizes(moved, "weights")
    assert before[0] - after[0] == pytest.approx(experts, abs=2)
    assert after[1] - before[1] == pytest.approx(experts, abs=2)


@pytest.mark.parametrize("text", ["exps", "=CPU", "blk.(=CPU"])
def test_an_override_that_is_none_is_refused(text):
    with pytest.raises(BadInput, match="override_tensor"):
        run({"model": "Qwen/Qwen3-30B-A3B", "options": {"override_tensor": [text]}})


def test_a_row_split_keeps_cache_and_buffers_on_the_first_card():
    # Qwen3-32B: 64 layers x 2 x 8 x 128 x 2 bytes = 262,144 a token.
    workload = {"model": "Qwen/Qwen3-32B", "kv_cache": "fp16", "context": 8192}
    found = run(workload, [{"gpu": "geforce-rtx-3090", "count": 2}], {"tp": 2})
    assert sizes(found, "kv_cache") == [2 * GIB, 0]
    assert sizes(found, "workspace")[1] == 0
    assert sizes(found, "weights")[0] == sizes(found, "weights")[1]


def test_slots_share_a_cache_or_have_their_own():
    # gpt-oss 120B: 18 full and 18 sliding layers, 2 x 8 x 64 x 2 = 2,048 bytes a token; the log of two slots
    # with 131,072 tokens each and a micro-batch of 1,024: 9,216 MiB and 90 MiB (1,280 cells a slot).
    workload = {"model": "openai/gpt-oss-120b", "kv_cache": "fp16", "context": 131072}
    own = run(workload | {"options": {"n_seq_max": 2, "n_ubatch": 1024, "kv_unified": False}})
    assert sizes(own, "kv_cache") == [9216 * MIB + 90 * MIB]
    # Shared: one cache, the window of both slots: 2 x 128 + 1,024 = 1,280 cells.
    shared = run(workload | {"options": {"n_seq_max": 2, "n_ubatch": 1024}})
    assert sizes(shared, "kv_cache") == [4608 * MIB + 45 * MIB]


def test_recurrent_state_is_kept_in_fp32_and_once_more_for_each_drafted_token():
    # 48 linear layers x (48 x 128 x 128 + 3 x 10,240) x 4 bytes = 149.6 MiB, as the engine logs it.
    workload = {"model": "Qwen/Qwen3.6-27B", "context": 4096}
    assert sizes(run(workload), "recurrent_state") == [48 * (786_432 + 30_720) * 4]
    drafting = workload | {"options": {"mtp_tokens": 2}}
    assert sizes(run(drafting), "recurrent_state") == [3 * 48 * (786_432 + 30_720) * 4]


def test_the_largest_step_decides_about_the_compute_buffer():
    # Output: 512 x (151,936 + 2 x 2,048) x 4 bytes = 304.75 MiB, as logged.
    small = run({"model": "Qwen/Qwen3-30B-A3B", "context": 4096})
    assert sizes(small, "workspace") == [512 * (151_936 + 4096) * 4]
    # Eager scores of 32 heads x 16,384 tokens x 512 exceed it: 1,024 MiB and the mask, 6 bytes a cell.
    eager = run({"model": "Qwen/Qwen3-30B-A3B", "context": 16384, "attention": "eager"})
    assert sizes(eager, "workspace") == [(32 * 4 + 6) * 16384 * 512]
    # A long context: mask of 200,192 x 512 cells x 6 bytes and two buffers of 17,408: 654.5 MiB (log: 654.8).
    long = run({"model": "Qwen/Qwen3.6-27B", "context": 200192})
    assert sizes(long, "workspace")[0] == pytest.approx(654.78 * MIB, rel=0.01)


def test_latent_attention_of_the_fork():
    # -mla 3 expands keys and values: 32,768 x 128 x (192 + 128) x 2 bytes = 2,560 MiB beside the batch.
    workload = {"model": "deepseek-ai/DeepSeek-R1", "framework": "ik_llama.cpp", "offload": "experts->CPU"}
    options = {"mla": 3, "attn_max_batch_mib": 512, "n_ubatch": 512}
    long = run(workload | {"context": 32768, "options": options})
    short = run(workload | {"context": 16384, "options": options})
    # The mask adds 2 bytes a cell: 16,384 x 512 x 2 = 16 MiB.
    assert sizes(long, "workspace")[0] - sizes(short, "workspace")[0] == (1280 + 16) * MIB
    # Old defaults (no -mla, no flash attention) cache keys and values per head: 61 x 128 x 320 x 2 bytes.
    old = run(workload | {"context": 512, "attention": "eager", "kv_cache": "fp16"})
    assert sizes(old, "kv_cache") == [512 * 61 * 128 * 320 * 2]
