"""Parts are found by what people and logs write."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.errors import BadInput


@pytest.mark.parametrize("name", ["4090", "RTX 4090", "RTX-4090-24GB", "NVIDIA GeForce RTX 4090"])
def test_a_card_is_found_by_every_common_name(name: str) -> None:
    assert load_catalog().gpus.find(name).id == "geforce-rtx-4090"


def test_the_driver_total_counts_not_the_label() -> None:
    assert load_catalog().gpus.find("3090 Ti").capacity == 24564 * 1024**2


def test_an_unknown_card_is_refused() -> None:
    with pytest.raises(BadInput):
        load_catalog().gpus.find("no such card")


def test_a_kit_holds_all_its_modules() -> None:
    for kit in load_catalog().ram.values():
        assert kit.capacity == kit.modules * kit.module_gb * 1024**3
    assert load_catalog().ram
