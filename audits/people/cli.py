"""`clew study report` and `clew study compare`: people beside models, as pages with the data, or as text."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from audits.people.evidence import load
from audits.people.findings import study_findings
from audits.people.page import html_page, markdown_page
from audits.people.sections import sections
from engine.errors import UsageError, counted
from engine.store.files import private_folder, sync_file
from engine.study.exporting import export_study
from engine.study.folder import Study

HTML_NAME, MARKDOWN_NAME, DATA_NAME = "report.html", "report.md", "data"


FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
VERSION = click.option("--version", "version", type=int, help="Version of the study; the newest without it.")


@click.command()
@FOLDER
@click.option("--json", "as_json", is_flag=True, help="One JSON object with every figure, in place of text.")
@VERSION
def compare(folder: Path, as_json: bool, version: int | None) -> None:
    """Compare people with models on the same items: what the report says, on standard output.

    Needs clew study score first.

    \b
    Example: clew study compare my-study --json
    """
    with Study.open(folder, version) as study:
        found = study_findings(load(study))
    if as_json:
        click.echo(json.dumps(asdict(found), indent=1, default=str))
    else:
        click.echo(markdown_page(f"{found.title}: people and models", sections(found)), nl=False)


@click.command()
@FOLDER
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A folder for the files.")
@VERSION
def report(folder: Path, out: Path, version: int | None) -> None:
    """Write the report of a study: report.html (one file, no network), report.md, and the data with a codebook.

    Needs clew study score first. The same data give the same bytes.

    \b
    Example: clew study report my-study --out my-report
    """
    with Study.open(folder, version) as study:
        found = study_findings(load(study))
        pages = sections(found)
        if out.is_file():
            raise UsageError(f"{out} is a file; a folder for the report is needed")
        private_folder(out)
        title = f"{found.title}: people and models"
        for name, text in ((HTML_NAME, html_page(title, pages)), (MARKDOWN_NAME, markdown_page(title, pages))):
            (out / name).write_text(text, encoding="utf-8")
            sync_file(out / name)
        export_study(study, out / DATA_NAME)
    missing = sum(not entry.reported for entry in found.checklist)
    click.echo(
        f"{out / HTML_NAME}: {counted(found.analysed, 'person', 'people')},"
        f" {counted(len(found.contrasts) + len(found.aid_contrasts), 'contrast')}, {missing} entries unreported"
    )
    for warning in found.warnings:
        click.echo(f"attention: {warning}", err=True)
