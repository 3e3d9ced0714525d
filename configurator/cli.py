"""The verbs of the contract. Engine and window are imported when a verb needs them."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, Optional

import typer

from configurator.crash import write_crash
from configurator.domain.errors import BadInput

if TYPE_CHECKING:
    from configurator.advice.answer import Answer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
catalog_app = typer.Typer(help="The catalogues: check, list, show, import.")
app.add_typer(catalog_app, name="catalog")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Lang = Annotated[Optional[str], typer.Option("--lang", help="de or en.")]  # noqa: UP045 - typer reads it
Models = Annotated[Optional[list[Path]], typer.Option("--models", help="Folder of <org>--<name>.json.")]  # noqa: UP045


def language(wanted: str | None) -> str:
    """Return the language asked for, else that of the environment, else English."""
    if wanted:
        if wanted not in ("de", "en"):
            raise typer.BadParameter("de or en", param_hint="--lang")
        return wanted
    named = os.environ.get("LC_ALL") or os.environ.get("LANG") or (locale.getlocale()[0] or "")
    return "de" if named.lower().startswith("de") else "en"


@contextmanager
def answering(lang: str | None) -> Iterator[None]:
    """Turn bad input into one sentence and exit status 2."""
    from configurator.texts import say_in

    try:
        yield
    except BadInput as problem:
        typer.echo(say_in(language(lang))(problem.text), err=True)
        raise typer.Exit(2) from problem


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Memory per GPU, system checks and quotes for AI workstations."""
    if context.invoked_subcommand is None:
        _open(None, None, "1440x900", None, None, None)


@app.command("open")
def open_(
    file: Annotated[Optional[Path], typer.Argument()] = None,  # noqa: UP045
    screenshot: Annotated[Optional[Path], typer.Option(help="Paint the window into a PNG and end.")] = None,  # noqa: UP045
    size: str = "1440x900",
    step: Annotated[Optional[str], typer.Option()] = None,  # noqa: UP045
    lang: Lang = None,
    theme: Annotated[Optional[str], typer.Option(help="light or dark")] = None,  # noqa: UP045
) -> None:
    """Open the desktop program."""
    _open(file, screenshot, size, step, lang, theme)


def _open(
    file: Path | None,
    screenshot: Path | None,
    size: str,
    step: str | None,
    lang: str | None,
    theme: str | None,
) -> None:
    from configurator.gui.app import run
    from configurator.gui.remembered import remembered_look

    spoken, worn = (None, None) if screenshot else remembered_look()
    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise typer.BadParameter("as in 1440x900", param_hint="--size")
    with answering(lang):
        raise typer.Exit(
            run(file, screenshot, (int(width), int(height)), step, language(lang or spoken), theme or worn)
        )


@app.command()
def estimate(case: Path, json: Json = False, models: Models = None, lang: Lang = None) -> None:
    """Print the ledger of every device."""
    from configurator.printing import print_estimate

    with answering(lang):
        result = _answer(case, models)
        print_estimate(result.estimate, language(lang), json)


@app.command()
def check(case: Path, json: Json = False, models: Models = None, lang: Lang = None) -> None:
    """Print the system findings; exit status 1 if one is an error."""
    from configurator.printing import print_findings

    with answering(lang):
        findings = _answer(case, models).findings
        print_findings(findings, language(lang), json)
        if any(finding.severity == "error" for finding in findings.findings):
            raise typer.Exit(1)


def _answer(path: Path, models: list[Path] | None) -> Answer:
    from configurator.advice.answer import answer
    from configurator.catalog.catalog import load_catalog
    from configurator.domain.case import Case
    from configurator.reading.files import read_word

    return answer(read_word(path, Case), load_catalog(tuple(models or ())))


@app.command()
def quote(
    project: Path,
    out: Annotated[Path, typer.Option("-o", "--out", help="The PDF to write.")],
    lang: Lang = None,
) -> None:
    """Write the quote sheet of a project."""
    from configurator.catalog.catalog import load_catalog
    from configurator.quote.export import export_pdf
    from configurator.store.files import write_whole
    from configurator.store.project import load_project

    with answering(lang):
        document = load_project(project)
        chosen = language(lang) if lang else document.language
        write_whole(out, export_pdf(document, load_catalog(), chosen))


@app.command()
def validate(runs: list[Path], json: Json = False, models: Models = None, lang: Lang = None) -> None:
    """Print predicted against measured, run by run and in summary."""
    from configurator.evidence.validate import validate as compare
    from configurator.printing import print_validation
    from configurator.texts import say_in

    with answering(lang):
        print_validation(compare(runs, tuple(models or ()), say_in(language(lang))), language(lang), json)


@catalog_app.command("list")
def catalog_list(
    kind: Annotated[str, typer.Argument()] = "all", json: Json = False, lang: Lang = None
) -> None:
    """List ids of one kind or of all: models, gpus, systems, cpus, boards, psus, ..."""
    from configurator.printing import print_catalog

    with answering(lang):
        print_catalog(kind, json)


@catalog_app.command("show")
def catalog_show(id: str, json: Json = False, lang: Lang = None) -> None:
    """Show all facts of one entry with its source, or of a model's file."""
    from configurator.printing import print_entry

    with answering(lang):
        print_entry(id, json)


@catalog_app.command("check")
def catalog_check(json: Json = False, lang: Lang = None) -> None:
    """Prove every entry, reference, name and source; exit status 1 if one fails."""
    from configurator.printing import print_check

    with answering(lang):
        if not print_check(language(lang), json):
            raise typer.Exit(1)


@catalog_app.command("import")
def catalog_import(
    source: Annotated[str, typer.Argument(help="buildcores")],
    paths: Annotated[list[Path], typer.Argument(help="Files of that project, or folders of them.")],
    into: Annotated[Optional[Path], typer.Option(help="Another folder than the workshop's own.")] = None,  # noqa: UP045
    json: Json = False,
    lang: Lang = None,
) -> None:
    """Add the parts of an open database to the workshop's own folder."""
    from configurator.printing import print_import

    with answering(lang):
        print_import(source, paths, into, language(lang), json)


def main() -> NoReturn:
    """Run the program; a program error leaves a crash log."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as problem:
        typer.echo(f"program error, written to {write_crash(problem)}", err=True)
        sys.exit(70)
    sys.exit(0)
