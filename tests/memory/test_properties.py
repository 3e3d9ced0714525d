"""What must hold for every case."""

from hypothesis import given, settings
from hypothesis import strategies as st

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.memory.engine import predict

MODELS = st.sampled_from(load_catalog().models.ids)


def total(model, **changes):
    workload = {
        "task": "qlora",
        "model": model,
        "framework": "transformers",
        "context": 1024,
        "batch": 1,
    } | changes
    case = Case.model_validate({"workload": workload, "machine": {"gpus": [{"gpu": "h200-141gb"}]}})
    return predict(case, load_catalog()).estimate.devices[0]


@settings(max_examples=60, deadline=None)
@given(MODELS, st.integers(1, 32), st.sampled_from([True, False]))
def test_more_context_or_batch_never_needs_less(model, factor, checkpointing):
    try:
        small = total(model, checkpointing=checkpointing)
    except BadInput:
        return
    assert total(model, context=1024 * factor, checkpointing=checkpointing).total.likely >= small.total.likely
    assert total(model, batch=factor, checkpointing=checkpointing).total.likely >= small.total.likely


@settings(max_examples=60, deadline=None)
@given(MODELS, st.sampled_from(["inference", "qlora", "lora", "full"]))
def test_ranges_are_in_order_and_nothing_is_negative(model, task):
    try:
        device = total(model, task=task)
    except BadInput:
        return
    for entry in device.entries:
        assert 0 <= entry.low <= entry.likely <= entry.high
    assert device.total.low <= device.total.likely <= device.total.high
    assert abs(sum(entry.likely for entry in device.entries) - device.total.likely) <= len(device.entries)


@settings(max_examples=40, deadline=None)
@given(MODELS, st.sampled_from(["lora", "qlora"]), st.integers(1, 64))
def test_a_higher_rank_never_needs_less(model, task, rank):
    try:
        small = total(model, task=task, lora={"rank": rank, "targets": "all-linear"})
    except BadInput:
        return
    assert total(model, task=task, lora={"rank": 2 * rank}).total.likely >= small.total.likely


@settings(max_examples=40, deadline=None)
@given(MODELS, st.sampled_from(["inference", "lora"]))
def test_more_bits_per_weight_never_need_less(model, task):
    def weights(form):
        entries = total(model, task=task, weights=form).entries
        return sum(entry.likely for entry in entries if entry.component == "weights")

    try:
        found = [weights(form) for form in ("int8", "bf16", "fp32")]
    except BadInput:
        return
    assert found == sorted(found)


def sharded(model, task, framework, plan):
    gpus = plan.get("tp", 1) * plan.get("pp", 1) * plan.get("dp", 1)
    case = Case.model_validate(
        {
            "workload": {"task": task, "model": model, "framework": framework, "context": 1024, "batch": 1},
            "machine": {"gpus": [{"gpu": "h200-141gb", "count": gpus}]},
            "plan": plan,
        }
    )
    found = predict(case, load_catalog()).estimate
    return [
        sum(entry.likely for entry in device.entries if entry.component == "weights")
        for device in found.devices
    ]


@settings(max_examples=40, deadline=None)
@given(
    MODELS,
    st.sampled_from(
        [
            ("inference", "vllm", "tp"),
            ("inference", "transformers", "pp"),
            ("full", "transformers", "dp"),
        ]
    ),
    st.sampled_from([2, 4, 8]),
)
def test_more_cards_never_raise_a_cards_weights_and_the_shards_hold_the_whole(model, way, cards):
    task, framework, axis = way
    zero = {"zero": 3} if axis == "dp" else {}
    try:
        whole = sharded(model, task, framework, {axis: 1, **zero})[0]
        parts = sharded(model, task, framework, {axis: cards, **zero})
    except BadInput:
        return
    assert max(parts) <= whole * 1.0001 + 1
    assert sum(parts) >= whole * 0.9999 - cards


@settings(max_examples=120, deadline=None)
@given(
    MODELS,
    st.sampled_from(sorted(load_catalog().frameworks)),
    st.sampled_from(["inference", "serving", "lora", "qlora", "full", "pretrain"]),
    st.one_of(
        st.tuples(st.sampled_from(sorted(load_catalog().gpus)), st.integers(1, 8)),
        st.tuples(st.sampled_from(sorted(load_catalog().systems)), st.just(0)),
    ),
)
def test_every_case_is_answered_or_refused_in_words(model, framework, task, hardware):
    name, count = hardware
    machine = {"gpus": [{"gpu": name, "count": count}]} if count else {"system": name}
    case = Case.model_validate(
        {"workload": {"task": task, "model": model, "framework": framework}, "machine": machine}
    )
    try:
        found = predict(case, load_catalog()).estimate
    except BadInput as refused:
        assert refused.text.template
        return
    assert found.verdict in ("fits", "tight", "exceeds", "spills")
    for device in found.devices:
        assert 0 <= device.total.low <= device.total.likely <= device.total.high
