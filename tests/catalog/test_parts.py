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


def test_what_is_not_known_is_absent_and_zero_is_a_count() -> None:
    catalog = load_catalog()
    assert catalog.psus.find("Cooler Master X Mighty 2000").connectors_12v2x6 is None
    assert catalog.gpus.find("RTX 3090").connectors_12v2x6 == 0
    assert catalog.gpus.find("A100 PCIe 80GB").display_outputs == 0


def test_supplies_for_several_cards_say_how_many_cables_are_their_own() -> None:
    large = [psu for psu in load_catalog().psus.values() if psu.watts >= 1600 and psu.connectors_12v2x6]
    assert len(large) >= 10
    stated = {psu.id for psu in large if psu.sure("watts", "connectors_12v2x6")}
    assert "msi-meg-ai-t-pcie5-1600w" in stated
    assert not any("general knowledge" in psu.source for psu in large if psu.id in stated)


def test_every_processor_has_a_board_and_every_board_a_processor() -> None:
    catalog = load_catalog()
    boards = {board.socket for board in catalog.boards.values()}
    assert {cpu.socket for cpu in catalog.cpus.values()} == boards
