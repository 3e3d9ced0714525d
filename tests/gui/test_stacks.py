"""Every part of a stack says why it is so large, to the mouse and to the keys."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QLabel

from configurator.advice.answer import judged
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case
from configurator.gui.look import Look
from configurator.gui.memory_card import MemoryCard
from configurator.gui.segments import above, beside, segments, under

GIB = 2**30


def answered(count=2, display=0, **more):
    workload = {"task": "qlora", "model": "meta-llama/Llama-3.1-8B", "framework": "unsloth", **more}
    machine = {"gpus": [{"gpu": "geforce-rtx-4090", "count": count}], "display_on_gpu": display}
    return judged(Case.model_validate({"workload": workload, "machine": machine}), load_catalog())


@pytest.fixture
def card(qtbot):
    made = MemoryCard(Look("en", "light"))
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    return made


def texts(card):
    QApplication.processEvents()
    return [one.text() for one in card.findChildren(QLabel) if one.isVisible()]


def test_parts_stack_up_to_the_likely_total():
    devices = answered().estimate.devices
    parts = segments(devices)
    for place, device in enumerate(devices):
        row = [one for one in parts if one.place == place]
        assert row[0].left == 0
        assert row[-1].left + row[-1].width == pytest.approx(device.total.likely / GIB)
        assert under(parts, place, row[1].left + row[1].width / 2) == row[1]
    assert under(parts, 0, 1e6) is None


def test_the_keys_stay_inside():
    parts = segments(answered().estimate.devices)
    assert beside(parts, parts[0], -1) == parts[0]
    assert beside(parts, parts[0], 1) == parts[1]
    assert above(parts, parts[0], -1) == parts[0]
    below = above(parts, parts[1], 1)
    assert (below.place, below.component) == (1, parts[1].component)
    monitors = next(one for one in parts if one.component == "display")
    assert above(parts, monitors, 1).place == 1, "the second card has no monitor: what lies nearest"


def test_arrows_walk_and_enter_explains(card, qtbot):
    card.show_answer(answered())
    bars = card.stacks.bars
    bars.setFocus()
    assert bars.accessibleName().startswith("GPU 0, Weights, ")
    qtbot.keyClick(bars, Qt.Key.Key_Right)
    assert bars.accessibleName().startswith("GPU 0, Adapter, ")
    qtbot.keyClick(bars, Qt.Key.Key_Down)
    assert bars.accessibleName().startswith("GPU 1, Adapter, ")
    assert not any("Adapter on GPU 1" in one for one in texts(card))
    qtbot.keyClick(bars, Qt.Key.Key_Return)
    assert any("Adapter on GPU 1" in one for one in texts(card))


def test_a_press_explains_what_lies_under_it(card, qtbot):
    answer = answered()
    card.show_answer(answer)
    bars = card.stacks.bars
    part = next(one for one in segments(answer.estimate.devices) if one.component == "activations")
    place = bars.getViewBox().mapViewToScene(QPointF(part.left + part.width / 2, part.place + 0.5))
    qtbot.mouseClick(bars.viewport(), Qt.MouseButton.LeftButton, pos=place.toPoint())
    assert any(one.startswith("Why") and "Activations on GPU 0" in one for one in texts(card))


def test_what_is_only_tried_stands_below_and_goes_again(card):
    card.show_answer(answered())
    shorter = answered(context=512)
    card.stacks.show_tried(shorter.estimate.devices)
    after = f"{shorter.estimate.devices[0].total.likely / GIB:.1f} GiB"
    assert f"then {after}" in texts(card)
    card.stacks.show_tried(None)
    assert not any(one.startswith("then") for one in texts(card))


def test_kinds_of_cards_are_named_where_they_differ(card):
    card.show_answer(answered())
    assert "2 × GeForce RTX 4090" in texts(card)
    assert "with monitor" in texts(card)
    assert "GeForce RTX 4090" not in texts(card)
