"""Runs the real commands on a fake desk, for tests in a pseudo-terminal and for looking at the app.

python play_fake.py [--record FILE] [--hostile] [--crash] [--cases N] [--missing] [--writing] [--talk] [--collect]
    [--stuck] [-- ARGUMENTS OF clew ...]
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from pathlib import Path

import click
from fake_desk import FakeDesk, default_puzzles, puzzle, task
from fake_talk import Talk

from engine.errors import ClewError, StoreError
from engine.public import Aid, Desk, Mode
from engine.store.answers import HELD
from tui.cli import play, resume

HOSTILE = "[/]\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202e[red]x[/red]\x00"


class FakeDoors:
    def __init__(self, desk: FakeDesk) -> None:
        self._desk = desk

    def desk(self, *, pack: str | None, player: str | None, aid: Aid | None = None) -> Desk:
        self._desk.aid = aid or self._desk.aid
        return self._desk

    def left(self, *, player: str | None, aid: Aid | None = None) -> Desk:
        return self.desk(pack=None, player=player, aid=aid)

    def config_file(self) -> str:
        return os.environ.get("CLEW_CONFIG", "")

    def data_folder(self) -> str:
        return os.environ["CLEW_DATA_DIR"]

    def mode(self, *, pack: str | None, player: str | None) -> Mode:
        return "collect" if self._desk.collects else "practice"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--crash", action="store_true")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--writing", action="store_true")
    parser.add_argument("--talk", action="store_true", help="a writing task of several turns, and no other")
    parser.add_argument("--collect", action="store_true")
    parser.add_argument("--stuck", action="store_true", help="an answer is never stored")
    parser.add_argument("--cases", type=int)
    parser.add_argument("arguments", nargs="*", default=["play"])
    options = parser.parse_args()
    desk = FakeDesk(puzzles=default_puzzles(), record=options.record)
    if options.hostile:
        desk = FakeDesk(
            puzzles=[puzzle(words=lambda word: word + HOSTILE)], rule=HOSTILE, pack_title=HOSTILE, record=options.record
        )
    if options.writing:
        words = (lambda word: word + HOSTILE) if options.hostile else str
        desk.tasks = [task(nth, words=words, collects=options.collect) for nth in (1, 2, 3)]
        desk.words = words
    if options.talk:
        words = (lambda word: word + HOSTILE) if options.hostile else str
        desk.puzzles, desk.talks = [], [Talk(words=words, collects=options.collect)]
    desk.collects = options.collect
    if options.stuck:
        desk.submit = lambda answer: threading.Event().wait()  # type: ignore[assignment,return-value]
        desk.works_on = HELD
    if options.cases:
        desk.puzzles = [puzzle(1, 6, cases=options.cases)]
    if options.missing:
        desk.broken = StoreError("no pack at 'nowhere.db'; a pack file is needed", hint="clew generate")
    if options.crash:
        desk.failures["history"] = [KeyError("canary-in-message")]
    group = click.Group(commands={"play": play, "resume": resume})
    try:
        group.main(args=options.arguments, obj=FakeDoors(desk), prog_name="clew", standalone_mode=False)
    except ClewError as error:
        click.echo(f"clew: {error.line()}", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
