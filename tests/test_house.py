"""The house as a whole: what travels in the wheel, which versions, and what a stranger finds in the files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from configurator.advice.answer import answer
from configurator.catalog.catalog import load_catalog
from configurator.domain.case import Case

ROOT = Path(__file__).resolve().parents[1]
BUILT_FROM = ("configurator", "catalogs", "resources", "pyproject.toml", "README.md", "LICENSE", "NOTICE")
NOT_FOR_STRANGERS = re.compile(
    r"(?<![\w.])/(?:work|tmp|root|home)/|(?:pypi|pythonhosted|anaconda|npmjs)\.(?:org|com)"
)


def files_below(folder: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built without a network, from a copy so that the checkout stays as it is."""
    copy = tmp_path_factory.mktemp("source")
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=copy, check=True)
    return next((copy / "dist").glob("*.whl"))


def test_catalogues_and_resources_travel_inside_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"configurator/_data/{name}" for name in files_below("catalogs") | files_below("resources")}
    assert wanted <= names
    assert {"LICENSE", "NOTICE"} <= {Path(name).name for name in names}


def test_an_installed_program_reads_its_own_catalogue(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    said = subprocess.run(
        [sys.executable, "-m", "configurator", "catalog", "show", "geforce-rtx-4090"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "GeForce RTX 4090" in said.stdout
    where = "from configurator.catalog.places import CATALOGS, RESOURCES; print(CATALOGS); print(RESOURCES)"
    said = subprocess.run(
        [sys.executable, "-c", where], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    data = tmp_path / "configurator" / "_data"
    assert said.stdout.splitlines() == [str(data / "catalogs"), str(data / "resources")]


def test_every_requirement_has_a_pin_inside_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = {}
    for line in (ROOT / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines():
        name, version = line.split("==")
        pins[canonicalize_name(name)] = version
    extras = project["optional-dependencies"]
    for text in project["dependencies"] + extras["dev"] + extras["peers"]:
        wanted = Requirement(text)
        assert pins[canonicalize_name(wanted.name)] in wanted.specifier


def test_the_case_of_the_readme_is_answered() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.search(r"```yaml\n(.*?)```", readme, re.DOTALL)
    assert text
    case = Case.model_validate(yaml.safe_load(text[1]))
    assert answer(case, load_catalog()).estimate.verdict == "fits"


def test_no_file_names_a_machine_of_ours_or_a_registry() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("only a checkout knows which files are its own")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in listed.stdout.decode().strip("\0").split("\0"):
        path = ROOT / name
        if path.is_file() and path.suffix not in {".otf", ".png", ".mo"}:
            found = NOT_FOR_STRANGERS.search(path.read_text(encoding="utf-8"))
            assert found is None, f"{name}: {found and found[0]}"
