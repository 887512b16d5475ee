"""`clew answer`: record one answer through the same desk and write path as the app."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from engine.desk import DEFAULT_PLAYER, PRACTICE, Policy, RealDesk
from engine.public import Answer, Given
from engine.store.clock import utc_now, uuid7

QUIET = Policy(mode=PRACTICE.mode, aid="A0", feedback="never")
"""A script reads no feedback, so none is made and no sealed file is opened."""


@click.command()
@click.option("--pack", help="Folder or file of the pack; the built-in one without it.")
@click.option("--db", type=click.Path(path_type=Path), help="Answers file; the one in the data directory without it.")
@click.option("--as", "player", default=DEFAULT_PLAYER, show_default=True, help="Who answers.")
@click.option("--puzzle", required=True, help="Public id of the puzzle.")
@click.option(
    "--answer", "given", type=click.Choice(["PRESENT", "ABSENT"]), required=True, help="The likelier outcome."
)
@click.option("--confidence", type=click.IntRange(50, 100), help="How sure, in percent.")
@click.option(
    "--answer-id", help="Id of the answer, so that a repeated command is the same answer; a fresh one if left out."
)
def answer(
    pack: str | None,
    db: Path | None,
    player: str,
    puzzle: str,
    given: Given,
    confidence: int | None,
    answer_id: str | None,
) -> None:
    """Record one answer and print its id once it is on disk.

    \b
    Example: clew answer --puzzle 0f8e... --answer PRESENT --confidence 80
    """
    with closing(RealDesk(pack=pack, solver=player, kind="human", answers=db, policy=QUIET)) as desk:
        desk.open()
        shown = desk.present(puzzle)
        receipt = desk.submit(
            Answer(
                answer_id=answer_id or uuid7(),
                puzzle_id=puzzle,
                rendering_id=shown.rendering_id,
                text_sha=shown.text_sha,
                answer=given,
                confidence=confidence,
                shown_at=utc_now(),
                response_ms=0,
            )
        )
    click.echo(receipt.answer_id)
