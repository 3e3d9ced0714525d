"""Sizes worked out by hand for one model of each kind."""

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict

GIB = 2**30


def entries(workload, machine=None, plan=None, device=0):
    case = Case.model_validate(
        {
            "workload": workload,
            "machine": machine or {"gpus": [{"gpu": "rtx-pro-6000-blackwell"}]},
            "plan": plan,
        }
    )
    ledger = predict(case, load_catalog()).estimate.devices[device]
    return {entry.component: entry.likely for entry in ledger.entries}


def test_a_dense_model_served_by_vllm():
    # Llama 3.1 8B: 8,030,261,248 parameters; 32 layers x 2 x 8 KV heads x 128 x 2 bytes = 131,072 a token.
    found = entries(
        {
            "task": "serving",
            "model": "meta-llama/Llama-3.1-8B",
            "framework": "vllm",
            "context": 8192,
            "concurrency": 4,
        }
    )
    assert found["weights"] == 2 * 8_030_261_248
    assert found["kv_cache"] == 4 * 8192 * 131_072


def test_a_mixture_of_experts_keeps_all_experts():
    # Qwen3-30B-A3B has 30,532,122,624 parameters, all resident, although 3.3 billion work on a token;
    # 48 layers x 2 x 4 x 128 x 2 bytes = 98,304 a token.
    found = entries(
        {"task": "inference", "model": "Qwen/Qwen3-30B-A3B", "framework": "vllm", "context": 4096}
    )
    assert found["weights"] == 2 * 30_532_122_624
    assert found["kv_cache"] == 4096 * 98_304


def test_latent_attention_caches_one_latent_for_all_heads():
    # DeepSeek V3: 61 layers x (512 + 64) x 2 bytes = 70,272 a token, the same on every tensor-parallel rank.
    machine = {"gpus": [{"gpu": "h200-141gb", "count": 8}]}
    for rank in (0, 7):
        found = entries(
            {"task": "inference", "model": "deepseek-ai/DeepSeek-V3", "framework": "vllm", "context": 1024},
            machine,
            {"tp": 8},
            rank,
        )
        assert found["kv_cache"] == 1024 * 70_272


def test_a_sliding_window_is_kept_where_the_framework_honours_it():
    # Gemma 3 27B: 62 layers, every 6th full (10), 52 with a window of 1,024; 2 x 16 x 128 x 2 = 8,192 a token.
    workload = {"task": "inference", "model": "google/gemma-3-27b-it", "context": 32768}
    assert entries(workload | {"framework": "vllm"})["kv_cache"] == 8192 * (10 * 32768 + 52 * 1024)
    assert entries(workload | {"framework": "exllamav3"})["kv_cache"] == 8192 * 62 * 32768
    # llama.cpp keeps the window and a micro-batch of 512, padded to 256 cells: 1,536.
    assert entries(workload | {"framework": "llama.cpp"})["kv_cache"] == 8192 * (10 * 32768 + 52 * 1536)


def test_full_training_without_checkpointing_saves_what_the_code_saves():
    # Llama 3.1 8B, bf16: 16h + 8 + 4q + 4kv + 4H + 8I = 200,840 bytes a token and layer, flash attention;
    # once a token 8h + 4 + 4 x 128 = 33,284 bytes.
    found = entries(
        {
            "task": "full",
            "model": "meta-llama/Llama-3.1-8B",
            "framework": "transformers",
            "context": 8192,
            "checkpointing": False,
            "optimizer": "sgd",
        }
    )
    assert found["activations"] == 8192 * (32 * 200_840 + 33_284)
    assert found["logits"] == 8192 * 128_256 * 12


def test_two_cards_are_never_one_large_card():
    workload = {"task": "lora", "model": "Qwen/Qwen3-14B", "framework": "transformers"}
    one = entries(workload, {"gpus": [{"gpu": "geforce-rtx-4090"}]})
    two = entries(workload, {"gpus": [{"gpu": "geforce-rtx-4090", "count": 2}]})
    assert two["weights"] == one["weights"]
    case = Case.model_validate(
        {"workload": workload, "machine": {"gpus": [{"gpu": "geforce-rtx-4090", "count": 2}]}}
    )
    estimate = predict(case, load_catalog()).estimate
    assert estimate.verdict == "exceeds"
    assert any("never one" in note.template for note in estimate.notes)


def test_full_sharding_divides_weights_and_gathers_a_layer():
    workload = {"task": "qlora", "model": "meta-llama/Llama-3.1-70B-Instruct", "framework": "fsdp-qlora"}
    machine = {"gpus": [{"gpu": "geforce-rtx-4090", "count": 4}]}
    whole = entries(workload, machine, {"dp": 4})
    part = entries(workload, machine, {"dp": 4, "zero": 3})
    assert part["weights"] == round(whole["weights"] / 4)
    assert part["communication"] > 0


def test_the_limits_of_the_two_machines_of_the_course():
    """14B LoRA in 16 bit and a comfortable 32B QLoRA exceed 24 GB; 70B QLoRA needs the Mac."""

    def verdict(machine, **workload):
        case = Case.model_validate({"workload": workload, "machine": machine})
        return predict(case, load_catalog()).estimate.verdict

    pc = {"gpus": [{"gpu": "geforce-rtx-4090"}], "display_on_gpu": 0, "os": "linux"}
    mac = {"system": "mac-studio-m3-ultra-96", "os": "macos"}
    assert verdict(pc, task="lora", model="Qwen/Qwen3-14B") == "exceeds"
    assert verdict(pc, task="qlora", model="Qwen/Qwen3-32B") != "fits"
    assert verdict(pc, task="qlora", model="meta-llama/Llama-3.1-70B-Instruct") == "exceeds"
    assert verdict(pc, task="qlora", model="meta-llama/Llama-3.1-8B") == "fits"
    assert verdict(mac, task="lora", model="Qwen/Qwen3-14B", framework="mlx-lm") == "fits"
    assert verdict(mac, task="qlora", model="meta-llama/Llama-3.1-70B-Instruct", framework="mlx-lm") == "fits"


def test_a_bare_forward_pass_puts_out_logits_for_every_token():
    # 2,048 tokens x 128,256 entries x 2 bytes; a generation keeps those of the last token alone.
    workload = {
        "task": "inference",
        "model": "meta-llama/Llama-3.2-1B",
        "framework": "transformers",
        "weights": "bf16",
        "context": 2048,
        "options": {"logits_for_all_positions": True},
    }
    assert entries(workload)["workspace"] == 2048 * 128_256 * 2
