"""`clew score-response`: all rewards, gates and diagnostics of responses to writing tasks, JSON Lines in and out."""

from __future__ import annotations

import json
from pathlib import Path

import click
import msgspec

from engine import practice
from engine.commands.lines import answer_each
from engine.errors import UsageError
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.rewards import score_turns
from engine.json_lines import read_members
from engine.store.pack import Pack
from engine.store.places import pack_path
from engine.store.sealed import Sealed


@click.command("score-response")
@click.argument("source", metavar="FILE")
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@click.option("--sealed", type=click.Path(path_type=Path), help="The sealed file, if it is not beside the pack.")
def score_response(source: str, pack: str | None, sealed: Path | None) -> None:
    """Score responses: a line in FILE (- for standard input) is {"puzzle_id": id, "responses": [text, ...]}.

    \b
    Example: clew score-response - --pack my-tasks < responses.jsonl
    """
    with Pack.open(pack_path(pack)) as opened, Sealed.open(sealed or practice.sealed_half(opened)) as secrets:
        answer_each(source, lambda line: scored_line(line, secrets))


def scored_line(line: str, secrets: Sealed) -> str:
    """Return the score of one line as JSON."""
    members = read_members(line, where="question", required=("puzzle_id", "responses"))
    try:
        puzzle_id = msgspec.convert(members["puzzle_id"], str)
        responses = msgspec.convert(members["responses"], tuple[str, ...])
    except msgspec.ValidationError as error:
        raise UsageError(f"question: {error}; puzzle_id is a text and responses a list of texts") from error
    return json.dumps(score_turns(sealed_turns(secrets.task(puzzle_id)), responses).document())
