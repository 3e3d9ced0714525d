"""The program from the command line, as another program sees it."""

import importlib.machinery
import importlib.util
import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from typer.testing import CliRunner

from configurator.cli import app

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "resources" / "schema"
EXAMPLES = sorted((ROOT / "resources" / "examples").glob("*.yaml"))

CASE = {
    "format": "case/1",
    "workload": {"task": "qlora", "model": "meta-llama/Llama-3.1-8B"},
    "machine": {"gpus": [{"gpu": "geforce-rtx-4090", "count": 2}], "ram_gb": 64},
}


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def written(folder, **changes):
    path = folder / "case.yaml"
    path.write_text(yaml.safe_dump(CASE | changes), encoding="utf-8")
    return path


def holds(name, document):
    jsonschema.validate(document, json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8")))


def test_estimate_prints_one_document_that_its_schema_describes(tmp_path):
    result = call("estimate", written(tmp_path), "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    holds("estimate-1", document)
    assert [device["device"] for device in document["devices"]] == ["gpu0", "gpu1"]
    first = document["devices"][0]
    assert first["capacity"] == 24564 * 2**20
    assert sum(entry["likely"] for entry in first["entries"]) == pytest.approx(
        first["total"]["likely"], abs=20
    )


def test_estimate_gives_limits_and_ways_out(tmp_path):
    work = CASE["workload"] | {"context": 16384, "batch": 8}
    path = written(tmp_path, workload=work)
    document = json.loads(call("estimate", path, "--json").stdout)
    holds("estimate-1", document)
    assert document["verdict"] != "fits"
    assert document["limits"]["max_context"] is None or document["limits"]["max_context"] < 16384
    remedy = document["remedies"][0]
    assert set(remedy) == {"change", "saves", "verdict", "why"}
    told = call("estimate", path, "--lang", "en").stdout
    assert "What makes it fit" in told
    fits = call("estimate", written(tmp_path), "--lang", "en").stdout
    assert "At most, one at a time: context" in fits
    assert "What makes it fit" not in fits


def test_check_answers_no_with_status_1(tmp_path):
    small = {"watts": 750, "connectors_12v2x6": 2}
    result = call("check", written(tmp_path, machine=CASE["machine"] | {"psu": small}), "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    holds("findings-1", document)
    supply = next(finding for finding in document["findings"] if finding["id"] == "power.psu")
    assert supply["severity"] == "error"
    assert supply["fix"]


def test_validate_lists_a_run_that_it_cannot_answer(tmp_path):
    known = {"id": "known", "source": "own measurement", "workload": CASE["workload"] | {"context": 512}}
    known |= {
        "machine": {"gpus": [{"gpu": "any"}]},
        "measured": {"total_gib": 9.0, "total_kind": "nvidia-smi"},
    }
    other = known | {"id": "other", "workload": {"task": "qlora", "model": "nobody/nothing"}}
    broken = known | {"id": "broken", "workload": {"task": "sing"}}
    path = tmp_path / "runs.yaml"
    path.write_text(
        yaml.safe_dump({"format": "measured-runs/1", "runs": [known, other, broken]}), encoding="utf-8"
    )
    result = call("validate", path, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    holds("validation-1", document)
    reasons = {row["id"]: row["skipped"] for row in document["runs"]}
    assert reasons["known"] is None
    assert "nobody/nothing" in reasons["other"]
    assert "task" in reasons["broken"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_example_becomes_a_quote_sheet(example, language, tmp_path):
    holds(
        "project-1", json.loads(json.dumps(yaml.safe_load(example.read_text(encoding="utf-8")), default=str))
    )
    out = tmp_path / "quote.pdf"
    assert call("quote", example, "-o", out, "--lang", language).exit_code == 0
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"machine": {"gpus": [{"gpu": "geforce-rtx-409"}]}}, "geforce-rtx-4090"),
        ({"machine": {"gpus": [{"gpu": "geforce-rtx-4090"}], "ram": 64}}, "ram_gb"),
        ({"workload": CASE["workload"] | {"context": "long"}}, "workload.context"),
        ({"workload": CASE["workload"] | {"model": "meta-llama/Llama-3.1-9B"}}, "llama-3.1-8b"),
        ({"workload": CASE["workload"] | {"weights": "nf5"}}, "nf4"),
        ({"workload": {"task": "serving", "model": "llama-3.1-8b"}, "plan": {"tp": 3}}, "tp x pp"),
        ({"plan": {"dp": 4}}, "GPUs"),
        ({"machine": {}}, "gpus"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(change, words, tmp_path):
    result = call("estimate", written(tmp_path, **change))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert words.lower() in result.stderr.lower()
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


def test_broken_yaml_names_file_and_line(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text("format: case/1\nworkload: {task: qlora\nmachine: x\n", encoding="utf-8")
    result = call("check", path)
    assert result.exit_code == 2
    assert f"{path}, line 3" in result.stderr


def test_a_missing_file_and_an_unwritable_place(tmp_path):
    assert call("estimate", tmp_path / "none.yaml").exit_code == 2
    result = call("quote", EXAMPLES[0], "-o", tmp_path / "no" / "quote.pdf")
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


def test_the_catalogue_lists_and_shows():
    listed = json.loads(call("catalog", "list", "gpus", "--json").stdout)
    assert "geforce-rtx-4090" in listed["gpus"]
    shown = json.loads(call("catalog", "show", "4090").stdout)
    assert shown["capacity_mib"] == 24564
    assert shown["source"]
    assert call("catalog", "show", "geforce-rtx-40900").exit_code == 2


def test_schemas_are_up_to_date():
    loader = importlib.machinery.SourceFileLoader("schemas_tool", str(ROOT / "packaging" / "schemas"))
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("schemas_tool", loader))
    loader.exec_module(tool)
    for name, schema in tool.schemas().items():
        assert (SCHEMAS / f"{name}.json").read_text(encoding="utf-8") == tool.text(schema), name
