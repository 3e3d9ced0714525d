"""Pools of servers and momentary buffers of runtimes, worked out by hand or read in logs."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.catalog.framework import load_frameworks
from configurator.domain.case import Case
from configurator.memory.engine import predict

MIB = 2**20
GIB = 2**30
LLAMA = {"task": "inference", "model": "meta-llama/Llama-3.1-8B", "context": 8192}


def run(workload, machine=None, plan=None):
    case = Case.model_validate(
        {
            "workload": {"task": "inference"} | workload,
            "machine": machine or {"gpus": [{"gpu": "any", "vram_gib": 80}]},
            "plan": plan,
        }
    )
    return predict(case, load_catalog())


def test_the_pool_is_what_the_share_leaves():
    # 0.9 x 80 GiB less 16,060,522,496 bytes of weights, the sampler's 1,024 rows x 128,256 x 4 bytes x 9.6 (0.11:
    # 4.70 GiB; the log says 4.76) and 0.13 GiB of libraries; graphs lie outside of the share.
    found = run(LLAMA | {"framework": "vllm", "framework_version": "0.11.0"}).devices[0]
    buffers = 1024 * 128_256 * 4 * 9.6
    expected = 0.9 * 80 * GIB - 2 * 8_030_261_248 - buffers - 0.13 * GIB
    assert found.pool_kv.likely == pytest.approx(expected, abs=8)
    assert found.pool_tokens.likely == pytest.approx(expected / 131_072, abs=1)
    # Since 0.21 graphs count, since 0.20 the sampler needs four buffers.
    new = run(LLAMA | {"framework": "vllm", "framework_version": "0.24.0"}).devices[0]
    graphs = load_frameworks()["vllm"].pool.graphs_gib.likely * GIB
    assert new.pool_kv.likely - found.pool_kv.likely == pytest.approx(buffers * (1 - 4 / 9.6) - graphs, abs=8)
    eager = run(LLAMA | {"framework": "vllm", "options": {"enforce_eager": True}}).devices[0]
    assert eager.pool_kv.likely - new.pool_kv.likely == pytest.approx(graphs, abs=8)


def test_a_server_without_room_for_the_load_says_so():
    # 24 GB take the weights of 16.1 GB; 32,768 tokens x 131,072 bytes = 4 GiB more than the pool.
    card = {"gpus": [{"gpu": "any", "vram_gib": 24}]}
    fits = run(LLAMA | {"framework": "vllm", "context": 2048}, card)
    assert fits.estimate.verdict == "fits"
    none = run(LLAMA | {"framework": "vllm", "context": 65536}, card)
    assert none.devices[0].pool_kv.likely < none.devices[0].kv_cache.likely
    assert none.estimate.verdict == "exceeds"


def test_sglang_shares_free_memory_between_weights_and_pool():
    # Share by ranks: 0.88 on one GPU, 0.85 from four on; of 80 GiB less the context of 0.55.
    one = run(LLAMA | {"framework": "sglang"}).devices[0]
    assert one.pool_kv.likely == pytest.approx(0.88 * (80 - 0.55) * GIB - 2 * 8_030_261_248, abs=8)
    four = run(
        LLAMA | {"framework": "sglang"}, {"gpus": [{"gpu": "any", "count": 4, "vram_gib": 24}]}, {"tp": 4}
    )
    weights = four.devices[0].weights.likely
    assert four.devices[0].pool_kv.likely == pytest.approx(0.85 * (24 - 0.55) * GIB - weights, abs=8)


def test_tensorrt_takes_its_share_of_what_is_left():
    found = run(
        LLAMA | {"framework": "tensorrt-llm", "options": {"kv_cache_free_gpu_mem_fraction": 0.5}}
    ).devices[0]
    left = 80 * GIB - found.weights.likely - found.workspace.likely - found.context.likely
    assert found.pool_kv.likely == pytest.approx(left / 2, abs=8)


def test_windows_and_states_share_a_pool():
    # Gemma 4 12B on two ranks: 8 global layers x 1 head x 512 x 2 x 2 bytes = 16,384 a token; 40 sliding layers x
    # 4 heads x 256 x 2 x 2 = 4,096 bytes for 1,024 + 4,096 tokens of one step, spread over 131,072: 22,784 bytes.
    # The log: 22,816.
    cards = {"gpus": [{"gpu": "any", "count": 2, "vram_gib": 24}]}
    options = {"max_num_batched_tokens": 4096}
    workload = {"model": "google/gemma-4-12B-it", "framework": "vllm", "context": 131072, "options": options}
    found = run(workload, cards, {"tp": 2}).devices[0]
    assert found.pool_kv.likely / found.pool_tokens.likely == pytest.approx(22_784, rel=1e-4)
    # Qwen3.6 27B in fp8 with three drafted tokens: 17 layers x 2 x 2 x 256 bytes and five states of 48 layers x (24 x
    # 128 x 128 x 4 + 5,120 x 4 x 2), spread over 262,144: 18,856 bytes. The log: 18,731.
    workload = {"model": "Qwen/Qwen3.6-27B", "framework": "vllm", "context": 262144, "kv_cache": "fp8"}
    drafting = workload | {"weights": "nvfp4", "options": {"mtp_tokens": 3}}
    found = run(drafting, {"gpus": [{"gpu": "any", "count": 2, "vram_gib": 32}]}, {"tp": 2}).devices[0]
    state = 48 * (24 * 128 * 128 * 4 + 5120 * 4 * 2)
    each = 17 * 2 * 2 * 256 + 5 * state / 262_144
    assert found.pool_kv.likely / found.pool_tokens.likely == pytest.approx(each, rel=1e-4)
    assert each == pytest.approx(18_731, rel=0.01)


def test_sparse_latent_attention_keeps_an_index_key_in_fp8():
    # GLM-5: 78 layers x (576 x 2 + 132) = 100,152 bytes a token on every rank; with fp8: 78 x (656 + 132).
    cards = {"gpus": [{"gpu": "any", "count": 8, "vram_gib": 96}]}
    workload = {"model": "zai-org/GLM-5", "framework": "sglang", "weights": "nvfp4", "context": 4096}
    for kind, each in (("bf16", 78 * (576 * 2 + 132)), ("fp8", 78 * (656 + 132))):
        found = run(workload | {"kv_cache": kind}, cards, {"tp": 8}).devices[0]
        assert found.kv_cache.likely == 4096 * each


def test_eager_attention_holds_its_scores():
    # Mistral 7B (32 heads on 8): 32 x 2,048 x 2,048 x 9 bytes a sequence beside 3.8 x 2,048 x 14,336 x 2; AutoAWQ
    # allocates at least 2,048 tokens of cache: 131,072 bytes each.
    workload = {"model": "mistralai/Mistral-7B-v0.1", "framework": "autoawq", "input_tokens": 2048}
    one, two = (run(workload | {"batch": batch, "context": 4096}).devices[0] for batch in (1, 2))
    each = 32 * 2048**2 * 9 + 3.8 * 2048 * 14_336 * 2
    assert two.workspace.likely - one.workspace.likely == pytest.approx(each, abs=2)
    assert run(workload | {"context": 128}).devices[0].kv_cache.likely == 2048 * 131_072


def test_mlx_holds_scores_of_latent_attention():
    # DeepSeek V3: a step of 2,048 tokens x 128 heads x 4.4 bytes for each token of context, and 70,272 of cache.
    mac = {"gpus": [{"gpu": "Apple M3 Ultra 512GB unified", "vram_gib": 512}], "os": "macos"}
    workload = {"model": "deepseek-ai/DeepSeek-V3", "framework": "mlx-lm", "weights": "mlx-4bit-g64"}
    short, long = (run(workload | {"context": n}, mac).devices[0] for n in (8192, 16384))
    slope = (long.allocated.likely - short.allocated.likely) / 8192
    assert slope == pytest.approx(2048 * 128 * 4.4 + 70_272, rel=1e-6)
    # Measured: 371.23 - 361.67 GiB over 8,192 tokens.
    assert slope == pytest.approx((371.23 - 361.673) * GIB / 8192, rel=0.03)


@pytest.mark.parametrize(("memory", "share"), [(32, 0.667), (64, 0.75), (512, 0.93)])
def test_metal_leaves_the_gpu_a_share(memory, share):
    mac = {"gpus": [{"gpu": "Apple M2 Max unified", "vram_gib": memory}], "os": "macos"}
    device = run(LLAMA | {"framework": "mlx-lm"}, mac).estimate.devices[0]
    assert device.capacity == round(memory * GIB * share)


def test_litgpt_keeps_a_head_of_its_own_and_unpacks_matrices():
    # Falcon 7B ties its head (65,024 x 4,544); unpacked: two copies in 16 bit of its largest matrix, 18,176 x 4,544.
    workload = {"model": "tiiuae/falcon-7b", "context": 288}
    tied = run(workload | {"framework": "transformers"}).devices[0]
    own = run(workload | {"framework": "litgpt"}).devices[0]
    assert own.weights.likely - tied.weights.likely == 2 * 65_024 * 4544
    packed = run(workload | {"framework": "litgpt", "weights": "nf4"}).devices[0]
    assert packed.workspace.likely - own.workspace.likely == 2 * 2 * 18_176 * 4544


def test_expert_parallel_leaves_every_expert_on_the_disk():
    workload = {"model": "Qwen/Qwen3-30B-A3B", "framework": "vllm"}
    cards = {"gpus": [{"gpu": "any", "count": 4, "vram_gib": 80}]}
    plain = run(workload, cards, {"tp": 4}).estimate.host.disk
    assert run(workload, cards, {"dp": 4, "ep": 4}).estimate.host.disk == plain
    assert plain.low == 2 * 30_532_122_624
