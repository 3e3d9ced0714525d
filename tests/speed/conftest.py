"""Cases of one line for the tests of speed."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.memory.engine import predict
from configurator.speed.subject import subject


def asked(
    model="meta-llama/Llama-3.1-8B", gpu="geforce-rtx-4090", count=1, system=None, plan=None, **workload
):
    """Return a case of a language model on cards or a system."""
    workload = {"task": "inference", "framework": "llama.cpp", "weights": "bf16", "context": 4096} | workload
    machine = {"system": system} if system else {"gpus": [{"gpu": gpu, "count": count}], "os": "linux"}
    document = {"format": "case/1", "workload": {"model": model, **workload}, "machine": machine}
    return Case.model_validate(document | ({"plan": plan} if plan else {}))


@pytest.fixture
def case():
    """Make a case from a few words."""
    return asked


@pytest.fixture
def subject_of():
    """Make the subject of a case from a few words."""

    def make(**facts):
        one = asked(**facts)
        catalog = load_catalog()
        return subject(one, predict(one, catalog), catalog)

    return make
