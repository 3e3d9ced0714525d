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
