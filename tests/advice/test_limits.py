"""The largest values that still fit, checked against the engine one step further."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configurator.advice.limits import largest, limits
from configurator.advice.steps import finished
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.memory.engine import predict

CATALOG = load_catalog()
MODELS = st.sampled_from(
    ["meta-llama/Llama-3.2-1B", "meta-llama/Llama-3.1-8B", "google/gemma-3-27b-it", "Qwen/Qwen3-30B-A3B"]
)
WORK = st.sampled_from([
    ("inference", "llama.cpp"), ("inference", "transformers"), ("serving", "vllm"), ("serving", "llama.cpp"),
    ("qlora", "transformers"), ("lora", "unsloth"), ("full", "torchtune"),
])  # fmt: skip


def case(work, model, vram, **more):
    task, framework = work
    workload = {"task": task, "model": model, "framework": framework} | more
    return Case.model_validate(
        {"workload": workload, "machine": {"gpus": [{"gpu": "any", "vram_gib": float(vram)}]}}
    )


def found(one):
    return finished(limits(one, predict(one, CATALOG).workload, CATALOG))


def verdict(one, **values):
    workload = one.workload.model_copy(update=values)
    return predict(one.model_copy(update={"workload": workload}), CATALOG).estimate.verdict


@settings(max_examples=30, deadline=None)
@given(WORK, MODELS, st.integers(4, 140), st.integers(256, 20_000))
def test_the_limit_fits_and_one_step_more_does_not(work, model, vram, context):
    one = case(work, model, vram, context=context)
    most = found(one)
    longest = CATALOG.architecture(model).max_context
    for field in ("context", "batch", "concurrency"):
        limit = getattr(most, f"max_{field}")
        if limit is None:
            continue
        assert verdict(one, **{field: limit}) == "fits"
        if work[1] != "vllm" and limit != longest:
            assert verdict(one, **{field: limit + 1}) != "fits"


@settings(max_examples=20, deadline=None)
@given(WORK.filter(lambda work: work[1] != "vllm"), MODELS, st.integers(4, 100), st.integers(1, 60))
def test_more_memory_never_lowers_a_limit(work, model, vram, more):
    small, large = found(case(work, model, vram)), found(case(work, model, vram + more))
    for field in ("max_context", "max_batch", "max_concurrency"):
        assert (getattr(small, field) or 0) <= (getattr(large, field) or 0)


def test_a_server_takes_as_many_requests_as_its_pool_holds():
    one = case(("serving", "vllm"), "meta-llama/Llama-3.1-8B", 80, context=8192)
    pool = predict(one, CATALOG).devices[0].pool_tokens
    assert found(one).max_concurrency == pool.low // 8192
    wider = one.model_copy(
        update={"workload": one.workload.model_copy(update={"options": {"gpu_memory_utilization": 0.5}})}
    )
    assert found(wider).max_concurrency < found(one).max_concurrency


def test_what_is_no_question_has_no_limit():
    training = found(case(("qlora", "transformers"), "meta-llama/Llama-3.1-8B", 24))
    assert training.max_batch and training.max_concurrency is None
    serving = found(case(("serving", "vllm"), "meta-llama/Llama-3.1-8B", 80))
    assert serving.max_concurrency and serving.max_batch is None
    nothing = found(case(("full", "transformers"), "meta-llama/Llama-3.1-8B", 8))
    assert (nothing.max_context, nothing.max_batch, nothing.max_concurrency) == (None, None, None)


def test_no_text_is_longer_than_the_model_allows():
    most = found(case(("inference", "llama.cpp"), "meta-llama/Llama-3.1-8B", 140))
    assert most.max_context == 131072


@given(st.integers(1, 500), st.integers(1, 700), st.integers(1, 600), st.integers(1, 4))
def test_the_search_finds_the_last_number_with_room(last, stated, bound, power):
    tried = []

    def room(value):
        tried.append(value)
        return (last + 0.5) ** power - value**power

    assert finished(largest(room, stated, bound)) == min(last, bound)
    assert len(tried) < 30


def test_the_search_has_no_answer_where_nothing_fits():
    assert finished(largest(lambda value: -1.0, 7, 100)) is None


def test_what_memory_does_not_limit_has_no_limit():
    slots = case(("serving", "llama.cpp"), "meta-llama/Llama-3.1-8B", 24, options={"n_slots": 4})
    assert found(slots).max_concurrency is None


def test_the_search_goes_round_what_cannot_be_answered():
    assert finished(largest(lambda value: 1.0 / value if value <= 37 else float("-inf"), 4, 4096)) == 37


def test_an_unknown_model_is_refused():
    with pytest.raises(BadInput):
        found(case(("qlora", "transformers"), "nobody/nothing", 24))
