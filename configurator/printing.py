"""Results on the terminal: tables for people, one JSON document for programs."""

from __future__ import annotations

import json as json_format
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from configurator.catalog.catalog import Catalog, load_catalog
from configurator.catalog.check import problems
from configurator.catalog.importers.buildcores import import_buildcores
from configurator.catalog.kinds import KINDS
from configurator.catalog.places import overlay_folder
from configurator.domain.architecture import Architecture
from configurator.domain.base import Word
from configurator.domain.errors import BadInput, unknown_id
from configurator.domain.finding import Finding, Findings
from configurator.domain.ledger import Estimate, Remedy
from configurator.domain.message import message
from configurator.domain.run import Validation
from configurator.domain.workload import ModelFile
from configurator.memory.tensors import parameters
from configurator.quote.drawing import lines
from configurator.quote.outlook import limits_line, speeds
from configurator.quote.words import COMPONENTS, SEVERITIES, VERDICTS
from configurator.texts import Say, say_in

_KINDS = ("models", "images", *KINDS, "frameworks")


def print_json(word: Word, language: str) -> None:
    """Print a word as one JSON document, its messages in a language."""
    print(word.model_dump_json(indent=2, context={"say": say_in(language)}))


def print_estimate(estimate: Estimate, language: str, json: bool) -> None:
    """Print the ledger of every device."""
    if json:
        print_json(estimate, language)
        return
    say, console = say_in(language), Console()
    for device in estimate.devices:
        table = Table(
            title=f"{device.device} · {device.name} · {say(VERDICTS[device.verdict][0])}",
            title_justify="left",
        )
        table.add_column(say("component"))
        for column in (say("likely"), say("range")):
            table.add_column(column, justify="right")
        table.add_column(say("why?"))
        for entry in device.entries:
            table.add_row(
                say(COMPONENTS[entry.component]),
                _gib(entry.likely, say),
                f"{_gib(entry.low, say)} – {_gib(entry.high, say)}",
                say(entry.why),
            )
        total = device.total
        table.add_section()
        of = message("of {usable:gib} usable", usable=device.usable)
        table.add_row(
            say("total"),
            _gib(total.likely, say),
            f"{_gib(total.low, say)} – {_gib(total.high, say)}",
            say(of),
        )
        console.print(table)
    for note in estimate.notes:
        console.print(say(note))
    if line := limits_line(estimate, say):
        console.print(line, highlight=False)
    for tile in speeds(estimate, say):
        console.print(f"{tile.value} {tile.label}", highlight=False)
    if estimate.remedies:
        _print_remedies(estimate.remedies, say, console)


def _print_remedies(remedies: tuple[Remedy, ...], say: Say, console: Console) -> None:
    table = Table(title=say("What makes it fit"), title_justify="left")
    table.add_column(say("change"))
    table.add_column(say("saves"), justify="right")
    table.add_column(say("result"))
    table.add_column(say("price"))
    for one in remedies:
        saves = _gib(one.saves, say) if one.saves else "–"
        table.add_row(say(one.action), saves, say(VERDICTS[one.verdict][0]), say(one.price))
    console.print(table)


def _gib(size: float, say: Any) -> str:
    return str(say(message("{size:gib}", size=size)))


def print_findings(findings: Findings, language: str, json: bool) -> None:
    """Print the findings with what to do."""
    if json:
        print_json(findings, language)
        return
    say, console = say_in(language), Console()
    table = Table()
    for column in (say("severity"), say("check"), say("finding"), say("why?"), say("what to do")):
        table.add_column(column)
    for f in findings.findings:
        table.add_row(
            say(SEVERITIES[f.severity][0]), f.id, say(f.message), say(f.why), say(f.fix) if f.fix else ""
        )
    console.print(table)
    for f in findings.findings:
        if f.drawing:
            console.print(_drawing(f, say))


def _drawing(finding: Finding, say: Say) -> Table:
    """Return which card sits where as a table, the top of the case first."""
    table = Table(title=say(finding.message), title_justify="left")
    for column in (say("position"), say("slot"), say("link"), say("card")):
        table.add_column(column)
    for line in lines(finding.drawing or (), say):
        table.add_row(*line)
    return table


def print_validation(validation: Validation, language: str, json: bool) -> None:
    """Print the summary, and every run that was skipped with its reason."""
    if json:
        print_json(validation, language)
        return
    say, console = say_in(language), Console()
    table = Table()
    table.add_column(say("group"))
    errors = (say("median error %"), say("p90 error %"))
    for column in ("n", *errors, say("coverage"), say("mean width"), say("verdicts right")):
        table.add_column(column, justify="right")
    for group in validation.summary:
        figures = (
            group.median_abs_error_percent,
            group.p90_abs_error_percent,
            group.coverage,
            group.mean_relative_width,
            group.verdict_accuracy,
        )
        table.add_row(group.group, str(group.n), *("" if x is None else f"{x:.2f}" for x in figures))
    console.print(table)
    for row in validation.runs:
        if row.skipped:
            console.print(f"{row.id}: {row.skipped}", highlight=False)


def _shelf(catalog: Catalog, kind: str) -> dict[str, Any]:
    if kind == "models":
        return dict(catalog.models.configs)
    if kind == "images":
        return {name: catalog.images.find(name) for name in catalog.images.ids}
    return dict(getattr(catalog, kind))


def print_catalog(kind: str, json: bool) -> None:
    """Print the ids of one kind or of all. Raises BadInput for an unknown kind."""
    if kind != "all" and kind not in _KINDS:
        raise unknown_id("kind", kind, _KINDS)
    catalog = load_catalog()
    found = {one: sorted(_shelf(catalog, one)) for one in (_KINDS if kind == "all" else (kind,))}
    if json:
        print(json_format.dumps(found, indent=2, ensure_ascii=False))
        return
    for one, ids in found.items():
        print(f"{one}:")
        for name in ids:
            print(f"  {name}")


def print_entry(name: str, json: bool) -> None:
    """Print all facts of an entry by id or alias, or of a model's file. Raises BadInput when there is none."""
    catalog = load_catalog()
    key = catalog.models.aliases.get(name.lower())
    if key:
        facts: dict[str, Any] = {"id": key, "config": dict(catalog.models.configs[key])}
        facts["parameters"] = parameters(catalog.architecture(key))
    elif file := _model_file(name):
        facts = {"file": name, **_file_facts(catalog.architecture(file))}
    else:
        part: Any = None
        for kind in KINDS:
            try:
                part = getattr(catalog, kind).find(name)
                break
            except BadInput:
                continue
        part = part or catalog.frameworks.get(name) or catalog.images.find(name)
        if part is None:
            raise unknown_id("entry", name, [i for kind in _KINDS for i in _shelf(catalog, kind)])
        facts = part.model_dump(mode="json", exclude_none=True)
        if price := catalog.prices.get(part.id):
            facts["price"] = price.model_dump(mode="json", exclude={"part"}, exclude_none=True)
    print(json_format.dumps(facts, indent=2, ensure_ascii=False))


def _model_file(name: str) -> ModelFile | None:
    path = Path(name)
    if path.suffix == ".gguf":
        return ModelFile(gguf=name)
    return ModelFile(config=name) if path.suffix == ".json" or path.is_dir() else None


def _file_facts(model: Architecture) -> dict[str, Any]:
    """Return what a model's file says: its sizes, and each kind of layer with how often it occurs."""
    kinds = Counter(replace(layer, stored=None) for layer in model.layers)
    held = [part for part in (model.stored, *(layer.stored for layer in model.layers)) if part]
    return {
        "architecture": model.family,
        "parameters": parameters(model),
        "weights": model.stored.format if model.stored else None,
        "bytes": model.file_size or sum(part.size for part in held) or None,
        "hidden": model.hidden,
        "vocab": model.vocab,
        "max_context": model.max_context,
        "layers": [{"count": count, **asdict(layer)} for layer, count in kinds.items()],
    }


def print_check(language: str, json: bool) -> bool:
    """Read all entries and print what cannot be used or proved; return whether there is nothing."""
    catalog, say = load_catalog(), say_in(language)
    refused = {}
    for model in catalog.models.ids:
        try:
            catalog.architecture(model)
        except BadInput as problem:
            refused[model] = say(problem.text)
    wrong = [say(problem) for problem in problems(catalog)]
    counts = {kind: len(_shelf(catalog, kind)) for kind in _KINDS}
    if json:
        document = {"counts": counts, "refused": refused, "problems": wrong}
        print(json_format.dumps(document, indent=2, ensure_ascii=False))
    else:
        for kind, count in counts.items():
            print(f"{kind}: {count}")
        for text in (*refused.values(), *wrong):
            print(text)
    # An entry whose source itself is incomplete is known to be refused and says so.
    return not wrong and all(model in catalog.models.incomplete for model in refused)


def print_import(source: str, paths: Sequence[Path], into: Path | None, language: str, json: bool) -> None:
    """Import parts and print how many were written, and how many were left out and why. Raises BadInput."""
    if source != "buildcores":
        raise unknown_id("source", source, ["buildcores"])
    folder = into or overlay_folder()
    done = import_buildcores(paths, load_catalog(), folder)
    say = say_in(language)
    if json:
        left_out = {say(reason): count for reason, count in done.left_out.items()}
        document = {"folder": str(folder), "written": done.written, "left_out": left_out}
        print(json_format.dumps(document, indent=2, ensure_ascii=False))
        return
    for kind, count in done.written.items():
        print(
            say(message("{count:n} {kind} written to {folder}", count=count, kind=kind, folder=str(folder)))
        )
    for reason, count in done.left_out.items():
        print(say(message("{count:n} left out: {reason}", count=count, reason=reason)))
