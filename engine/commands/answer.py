"""`clew answer`: record one answer through the same desk and write path as the app."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import click

from engine.canonical import text_digest
from engine.desk import DEFAULT_PLAYER, RealDesk
from engine.errors import UsageError, quoted
from engine.public import Answer, Given, Presented, PresentedTask
from engine.sitting import PRACTICE, Policy
from engine.store.clock import utc_now, uuid7

QUIET = Policy(mode=PRACTICE.mode, aid="A0", feedback="never")
"""A script reads no feedback, so none is made and no sealed file is opened."""
STDIN = "-"


@click.command()
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@click.option("--db", type=click.Path(path_type=Path), help="Answers file; the one in the data directory without it.")
@click.option("--as", "player", default=DEFAULT_PLAYER, show_default=True, help="Who answers.")
@click.option("--puzzle", required=True, help="Public id of the puzzle.")
@click.option("--answer", "given", type=click.Choice(["PRESENT", "ABSENT"]), help="The likelier outcome.")
@click.option("--confidence", type=click.IntRange(50, 100), help="How sure, in percent.")
@click.option(
    "--turn", type=click.IntRange(1, 12), help="For a writing task: the turn that is answered; 1 if left out."
)
@click.option("--response", metavar="FILE", help="For a writing task: the text, in UTF-8; - is standard input.")
@click.option(
    "--answer-id", help="Id of the answer, so that a repeated command is the same answer; a fresh one if left out."
)
def answer(
    pack: str | None,
    db: Path | None,
    player: str,
    puzzle: str,
    given: Given | None,
    confidence: int | None,
    turn: int | None,
    response: str | None,
    answer_id: str | None,
) -> None:
    """Record one answer, or one turn of a writing task, and print its id once it is on disk.

    \b
    Example: clew answer --puzzle 0f8e... --answer PRESENT --confidence 80
             clew answer --puzzle 5a1c... --turn 2 --response letter.txt
    """
    with closing(RealDesk(pack=pack, solver=player, kind="human", answers=db, policy=QUIET)) as desk:
        desk.open()
        shown = desk.present(puzzle)
        raw = _response(shown, given, confidence, turn, response)
        receipt = desk.submit(
            Answer(
                answer_id=answer_id or uuid7(),
                puzzle_id=puzzle,
                rendering_id=shown.rendering_id,
                text_sha=_text_sha(desk, shown, turn or 1),
                answer=given,
                confidence=confidence,
                shown_at=utc_now(),
                response_ms=0,
                raw=raw,
                turn=turn or 1,
            )
        )
    click.echo(receipt.answer_id)


def _text_sha(desk: RealDesk, shown: Presented | PresentedTask, turn: int) -> str:
    """Return the digest of what is answered: of a turn that was sent before, where a command is repeated."""
    if isinstance(shown, PresentedTask):
        asked = {one.turn: one.asked for one in shown.earlier}
        asked |= {one.turn: one.asked for one in desk.review(shown.puzzle_id)}
        if turn in asked:
            return text_digest(asked[turn])
    return shown.text_sha


def _response(
    shown: Presented | PresentedTask,
    given: Given | None,
    confidence: int | None,
    turn: int | None,
    response: str | None,
) -> str | None:
    """Return the text of a writing task, None for a puzzle.

    Raises:
        UsageError: the options do not fit the puzzle's family, the turn is none of its turns, or there is no such text.
    """
    if isinstance(shown, Presented):
        if given is None or response is not None or turn is not None:
            raise UsageError(
                f"puzzle {shown.puzzle_id!r} is a hidden system; --answer PRESENT or ABSENT is right for it"
            )
        return None
    if given is not None or confidence is not None or response is None:
        raise UsageError(f"puzzle {shown.puzzle_id!r} is a writing task; --turn N --response FILE is right for it")
    if not 1 <= (turn or 1) <= shown.turns:
        turns = "one turn" if shown.turns == 1 else f"turns 1 to {shown.turns}"
        raise UsageError(f"puzzle {shown.puzzle_id!r} has no turn {turn}; it has {turns}")
    return _text(response)


def _text(response: str) -> str:
    """Read the text, byte for byte."""
    name = "standard input" if response == STDIN else quoted(response)
    try:
        data = sys.stdin.buffer.read() if response == STDIN else Path(response).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise UsageError(f"--response {name} cannot be read: {error.strerror}; a text file is right") from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f"--response {name} is not UTF-8 at byte {error.start + 1}; a text in UTF-8 is right"
        ) from error
