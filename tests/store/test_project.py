"""The project file keeps everything, and a failed save harms nothing."""

from pathlib import Path

import pytest

from configurator.domain.errors import BadInput
from configurator.store.project import load_project, save_project

EXAMPLES = sorted((Path(__file__).resolve().parents[2] / "resources" / "examples").glob("*.yaml"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_saved_and_loaded_again_it_is_the_same(example, tmp_path):
    project = load_project(example)
    save_project(project, tmp_path / "copy.yaml")
    assert load_project(tmp_path / "copy.yaml") == project


def test_a_failed_save_leaves_no_file_and_says_why(tmp_path):
    project = load_project(EXAMPLES[0])
    with pytest.raises(BadInput):
        save_project(project, tmp_path / "missing" / "project.yaml")
    assert list(tmp_path.iterdir()) == []


def test_a_case_is_not_a_project(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text("format: case/1\n", encoding="utf-8")
    with pytest.raises(BadInput):
        load_project(path)
