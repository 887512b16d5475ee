"""`clew export`: rows of a pack as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from engine import practice
from engine.canonical import Json
from engine.commands.exchange import answers, requests
from engine.commands.options import LOCAL_TEST, require_local_test
from engine.errors import UsageError
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.presenting import choose
from engine.hidden_systems.program.skeleton import record_document
from engine.hidden_systems.unsealing import unseal
from engine.instruction_adherence.packing import record_document as writing_record
from engine.instruction_adherence.presenting import present_task
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.store.pack import Pack, PackEntry, PackRendering
from engine.store.places import pack_path
from engine.store.sealed import Sealed


@click.group()
def export() -> None:
    """Write a pack's rows to standard output, one JSON object a line.

    \b
    Example: clew export payloads my-pack > payloads.jsonl
    """


export.add_command(answers)
export.add_command(requests)


@export.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--rendering", help="Id of a rendering; its text instead of the template's, for its puzzle alone.")
@LOCAL_TEST
def payloads(pack: str, rendering: str | None, local_test: bool) -> None:
    """Write the public half: what any solver may see.

    \b
    Example: clew export payloads my-pack > payloads.jsonl
    """
    _echo(public_rows(pack_path(pack), rendering, local_test=local_test))


@export.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--sealed", type=click.Path(path_type=Path), help="The sealed file, if it is not beside the pack.")
@LOCAL_TEST
def records(pack: str, sealed: Path | None, local_test: bool) -> None:
    """Write the complete answer-bearing records. They hold the gold: keep them from solvers.

    \b
    Example: clew export records my-pack > records.jsonl
    """
    _echo(record_rows(pack_path(pack), sealed, local_test=local_test))


def _echo(rows: Iterator[dict[str, Json | float]]) -> None:
    for row in rows:
        click.echo(json.dumps(row))


def public_rows(path: Path, rendering: str | None, *, local_test: bool = False) -> Iterator[dict[str, Json | float]]:
    """Yield public rows in the order of puzzle ids, or the row of one rendering."""
    found = False
    with Pack.open(path) as pack:
        require_local_test(pack, local_test)
        for entry in pack.puzzles():
            text = pack.payload(entry.id)
            told = pack.renderings(entry.id)
            if rendering:
                told = tuple(one for one in told if one.id == rendering)
                if not told:
                    continue
            found = True
            shown = _told(entry, text, told)
            yield {"puzzle_id": entry.id, "family": entry.family, "payload": json.loads(text), "text": shown}
    if rendering and not found:
        raise UsageError(f"rendering {rendering!r} is not in {path}; leave --rendering out for the template's text")


def _told(entry: PackEntry, payload: str, told: tuple[PackRendering, ...]) -> str:
    if entry.family == WRITING:
        return present_task(entry, payload, told, ()).text
    return choose(told, read_payload(payload, where=f"puzzle {entry.id!r}")).body


def record_rows(path: Path, sealed: Path | None, *, local_test: bool = False) -> Iterator[dict[str, Json | float]]:
    """Yield complete records in the order of puzzle ids."""
    with Pack.open(path) as pack, Sealed.open(sealed or practice.sealed_half(pack)) as secrets:
        require_local_test(pack, local_test)
        for entry in pack.puzzles():
            payload = pack.payload(entry.id)
            if entry.family == WRITING:
                yield {"puzzle_id": entry.id, **writing_record(json.loads(payload), secrets.task(entry.id))}
            else:
                yield {"puzzle_id": entry.id, **record_document(unseal(payload, secrets.record(entry.id)))}
