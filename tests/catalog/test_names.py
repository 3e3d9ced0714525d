"""Parts are found by what people and logs write."""

import pytest

from configurator.catalog.catalog import load_catalog
from configurator.domain.errors import BadInput
from configurator.texts import say_in

CATALOG = load_catalog()


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("4090", "geforce-rtx-4090"),
        ("RTX-4090-24GB", "geforce-rtx-4090"),
        ("NVIDIA GeForce RTX 4090", "geforce-rtx-4090"),
        ("RTX 6000 Ada", "rtx-6000-ada-generation"),
        ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "rtx-pro-6000-blackwell"),
        ("RTX PRO 6000", "rtx-pro-6000-blackwell"),
        ("RTX PRO 6000 Max-Q", "rtx-pro-6000-blackwell-max-q"),
        ("A100-SXM4-80GB", "a100-80gb"),
        ("A100 PCIe 80GB", "a100-pcie-80-gb"),
        ("Tesla T4", "tesla-t4"),
        ("RTX 4080", "geforce-rtx-4080"),
        ("2080 Ti", "geforce-rtx-2080-ti"),
        ("Quadro RTX 8000", "quadro-rtx-8000"),
        ("P40", "tesla-p40"),
        ("R9700", "radeon-ai-pro-r9700"),
    ],
)
def test_a_card(name: str, id_: str) -> None:
    assert CATALOG.gpus.find(name).id == id_


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("M3 Ultra 96", "mac-studio-m3-ultra-96"),
        ("Mac mini M4 Pro 64GB", "mac-mini-m4-pro-64"),
        ("DGX Spark", "nvidia-dgx-spark"),
        ("Strix Halo", "amd-ryzen-ai-max-395-128"),
    ],
)
def test_a_system(name: str, id_: str) -> None:
    assert CATALOG.systems.find(name).id == id_


@pytest.mark.parametrize(
    ("kind", "name", "id_"),
    [
        ("cpus", "9950X", "ryzen-9-9950x"),
        ("cpus", "Ryzen 9 9950X3D", "ryzen-9-9950x3d"),
        ("boards", "WRX90E-SAGE SE", "asus-pro-ws-wrx90e-sage-se"),
        ("boards", "X870E Taichi", "asrock-x870e-taichi"),
        ("psus", "corsair-hx1500i", "corsair-hx1500i-1500w"),
        ("cases", "Define 7 XL", "fractal-design-define-7-xl"),
    ],
)
def test_a_part_by_the_words_that_tell_it_apart(kind: str, name: str, id_: str) -> None:
    assert getattr(CATALOG, kind).find(name).id == id_


def test_of_several_memory_sizes_the_smallest_is_meant_so_that_nothing_is_promised_too_much() -> None:
    assert CATALOG.gpus.find("A100").vram_gb == 40
    assert CATALOG.gpus.find("RTX 3080").vram_gb == 10
    assert CATALOG.systems.find("M3 Ultra").memory_gb == 96


def test_another_model_is_not_taken_for_its_sister() -> None:
    with pytest.raises(BadInput):
        CATALOG.gpus.find("RTX 4090 D")


def test_a_name_of_several_parts_is_answered_with_them() -> None:
    with pytest.raises(BadInput) as caught:
        CATALOG.psus.find("Straight Power 12")
    said = say_in("en")(caught.value.text)
    assert said.startswith("power supply 'Straight Power 12' may be 'be-quiet-straight-power-12-1000w', ")
