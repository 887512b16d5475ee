"""The commands once people play: merge, status, score, export, withdraw, close."""

from __future__ import annotations

from pathlib import Path

import click

from engine.commands.study_design import FOLDER, SEALED
from engine.errors import UsageError, counted
from engine.study.closing import close_study
from engine.study.folder import Study
from engine.study.gathering import StudyStatus, merge_file, study_data, watch, withdraw_person
from engine.study.manifest import SHORT
from engine.study.verdicts import score_study

VERSION = click.option("--version", "version", type=int, help="Version of the study; the newest without it.")


@click.command()
@FOLDER
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
def merge(folder: Path, files: tuple[Path, ...]) -> None:
    """Merge answers files of participants and models into the study's; the same file again changes nothing.

    \b
    Example: clew study merge my-study ada/answers.db ben/answers.db
    """
    with Study.open(folder) as study:
        for file in files:
            merged = merge_file(study, file)
            gone = f", {merged.report.withdrawn} withdrawn" if merged.report.withdrawn else ""
            click.echo(
                f"{file}: {counted(merged.people, 'person', 'people')}, {counted(merged.models, 'model')},"
                f" {merged.report.added} new rows, {sum(merged.report.identical.values())} known{gone}"
            )


@click.command()
@FOLDER
def status(folder: Path) -> None:
    """Say how far the collection is. Nothing here tells who is right.

    \b
    Example: clew study status my-study
    """
    with Study.open(folder) as study:
        click.echo("\n".join(told(watch(study))))


@click.command()
@FOLDER
@SEALED
@VERSION
def score(folder: Path, sealed: tuple[Path, ...], version: int | None) -> None:
    """Score people, models, shortcuts and floors against the gold that was committed to.

    \b
    Example: clew study score my-study
    """
    with Study.open(folder, version) as study:
        items = [item.uid for item in study.manifest.items]
        rows = score_study(study_data(study), study.packs, study.sealed(sealed), study.answers, study.scores, items)
        click.echo(f"{study.scores}: {rows} scores, gold as committed before the first answer")


@click.command()
@FOLDER
@click.argument("code")
def withdraw(folder: Path, code: str) -> None:
    """Delete a person's data from the study; a random id and a time stay, so that no merge brings them back.

    \b
    Example: clew study withdraw my-study 7KQ2-MX9C
    """
    with Study.open(folder) as study:
        found = withdraw_person(study, code)
    rows = ", ".join(f"{count} {table}" for table, count in sorted(found.removed.items())) or "nothing was collected"
    click.echo(f"withdrawn: {rows}")
    if found.left:
        raise UsageError(
            f"{found.left[0]} still names the person ({counted(len(found.left), 'file')}); remove it, or make it anew"
        )
    click.echo("no byte of the folder names the person any more")


@click.command()
@FOLDER
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder.")
@click.option("--with-gold", is_flag=True, help="Also write the answers of the items, in a file of their own.")
@click.option("--parquet", is_flag=True, help="Also write trials.parquet (needs the extra parquet).")
@SEALED
@VERSION
def export(
    folder: Path, out: Path, with_gold: bool, parquet: bool, sealed: tuple[Path, ...], version: int | None
) -> None:
    """Write item-level data: trials, people, sessions, items, events, a codebook, a digest of every file.

    \b
    Example: clew study export my-study --out my-data
    """
    from engine.study.exporting import export_study

    with Study.open(folder, version) as study:
        gold = study.sealed(sealed) if with_gold else ()
        files = export_study(study, out, gold=gold, parquet=parquet)
    click.echo(f"{out}: {', '.join(f'{name} ({rows})' for name, rows in files.items())}")


@click.command()
@FOLDER
@SEALED
def close(folder: Path, sealed: tuple[Path, ...]) -> None:
    """End the collection and reveal the sealed records, so that anybody can check them against the published root.

    \b
    Example: clew study close my-study
    """
    with Study.open(folder) as study:
        paths, items = close_study(study, sealed)
        sha = study.sha[:SHORT]
    told = ", ".join(map(str, paths))
    click.echo(f"{told}: {counted(items, 'record')} of study {sha}, each with salt and path to the root")


def told(found: StudyStatus) -> list[str]:
    """Return the state of a collection in lines for people."""
    wide = max((len(place.aid) for place in found.places), default=0) + 1
    lines = [f"{'code':<12}{'place':>6}  {'aid':<{wide}}  {'answered':>9}  {'of':>4}  lease"]
    for place in found.places:
        done = place.by_status.get("answered", 0)
        rest = ", ".join(f"{n} {name}" for name, n in sorted(place.by_status.items()) if name != "answered")
        end = f"  {place.ended}" if place.ended else ""
        lines.append(
            f"{place.code:<12}{place.position:>6}  {place.aid:<{wide}}  {done:>9}  {place.assigned:>4}"
            f"  {place.lease}{end}" + (f"  ({rest})" if rest else "")
        )
    out = sum(found.excluded.values())
    lines += [
        f"{found.covered} of {found.items} items have {found.wanted} answers; {found.open_items} are open",
        f"{found.rows} trials collected; left out by rule: {out}"
        + (f" ({', '.join(f'{rule} {n}' for rule, n in sorted(found.excluded.items()))})" if out else "")
        + f"; withdrawn: {found.withdrawn}",
        f"models: {', '.join(found.models) or 'none yet'}",
    ]
    return [*lines, "closed"] if found.closed else lines
