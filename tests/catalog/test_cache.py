"""The cache is fast when it is right, and never believed when it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from configurator.catalog import cache
from configurator.catalog.loading import read_catalog_file
from configurator.catalog.places import CATALOGS

FILES = sorted(path for path in CATALOGS.rglob("*.yaml") if "evidence" not in path.parts)


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(cache, "cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "parts.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def no_parsing(_: bytes) -> Any:
    raise AssertionError("read from the source although the cache is right")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_file_reads_the_same_from_cache_and_source(path: Path) -> None:
    content = read_catalog_file(path)
    assert cache.kept(path, path.read_bytes(), no_parsing) == content


def test_a_changed_source_is_read_again_even_with_the_same_size_and_time(tmp_path: Path) -> None:
    path = written(tmp_path, "watts: 1000")
    assert read_catalog_file(path) == {"watts": 1000}
    path.write_text("watts: 1200", encoding="utf-8")
    assert read_catalog_file(path) == {"watts": 1200}


@pytest.mark.parametrize(
    "damage", [lambda text: text[:-3], lambda text: text.replace(b"1000", b"9999"), bytes.upper]
)
def test_a_damaged_cache_is_not_believed(tmp_path: Path, folder: Path, damage: Any) -> None:
    path = written(tmp_path, "watts: 1000")
    read_catalog_file(path)
    (cached,) = folder.iterdir()
    cached.write_bytes(damage(cached.read_bytes()))
    assert read_catalog_file(path) == {"watts": 1000}


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, folder: Path) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")
    assert read_catalog_file(written(tmp_path, "watts: 1000")) == {"watts": 1000}


@pytest.mark.parametrize("text", ["1: one", "x: .nan", "x: !!set {a, b}"])
def test_what_json_would_change_is_not_kept(tmp_path: Path, folder: Path, text: str) -> None:
    read_catalog_file(written(tmp_path, text))
    assert not folder.exists() or not list(folder.iterdir())


def test_dates_stay_as_precise_as_they_are_written(tmp_path: Path) -> None:
    path = written(tmp_path, yaml.safe_dump({"a": "x"}) + "date: 2026-05-17\nmonth: 2026-05\nyear: 2026\n")
    assert read_catalog_file(path) == {"a": "x", "date": "2026-05-17", "month": "2026-05", "year": 2026}
