"""Sizes of parts in bytes."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.errors import BadInput


def test_the_driver_total_counts_not_the_label() -> None:
    assert load_catalog().gpus.find("3090 Ti").capacity == 24564 * 1024**2


def test_an_unknown_card_is_refused() -> None:
    with pytest.raises(BadInput):
        load_catalog().gpus.find("no such card")


def test_a_kit_holds_all_its_modules() -> None:
    for kit in load_catalog().ram.values():
        assert kit.capacity == kit.modules * kit.module_gb * 1024**3
    assert load_catalog().ram
