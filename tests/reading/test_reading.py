"""A file that cannot be used is refused with one sentence that names the place."""

import pytest

from configurator.domain.case import Case
from configurator.domain.errors import BadInput
from configurator.domain.project import Project
from configurator.reading.files import read_word
from configurator.texts import say_in

CASE = """format: case/1
workload:
  task: qlora
  model: meta-llama/Llama-3.1-8B
  {workload}
machine:
  gpus: [{{gpu: geforce-rtx-4090}}]
  {machine}
"""


def refusal(path, text, kind=Case):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_word(path, kind)
    return say_in("en")(caught.value.text).removeprefix(str(path))


@pytest.mark.parametrize(
    ("workload", "machine", "words"),
    [
        ("batch: 0", "os: linux", ", line 5: workload.batch: must be at least 1, not '0'"),
        ("task: lora", "os: linux", ", line 5: task stands here a second time; keep one of the two"),
        ("kv: bf16", "ram: 64", ", line 5: workload.kv: unknown key (and 1 more)"),
        ("batch: 1", "psu: {wats: 1500}", ", line 8: machine.psu.wats: unknown key; did you mean 'watts'?"),
        ("batch: 1", "psu: {watts: big}", ", line 8: machine.psu.watts: must be a whole number, not 'big'"),
    ],
)
def test_the_place_is_named_and_what_it_must_be(workload, machine, words, tmp_path):
    text = CASE.format(workload=workload, machine=machine)
    assert refusal(tmp_path / "case.yaml", text).startswith(words)


def test_another_kind_of_file_is_named_before_its_keys(tmp_path):
    text = CASE.format(workload="batch: 1", machine="os: linux")
    assert refusal(tmp_path / "case.yaml", text, Project) == (
        ": its format is 'case/1', but this needs 'project/1'"
    )


@pytest.mark.parametrize("text", ["", "- 1\n", "word"])
def test_a_file_without_keys_is_told_how_it_starts(text, tmp_path):
    assert "starts with 'format: case/1'" in refusal(tmp_path / "case.yaml", text)
