"""After an answer in the line mode: what it turned out to be, what is behind it, and where to go on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tui.errands import Told, ToldTask
from tui.plain.talk import Command, Place, Talk
from tui.plain.telling import rule_lines, told_task_lines, verdict_lines

Way = Literal["home", "next", "revise"]
"""Where the session goes on."""


def share_command(talk: Talk, puzzle_id: str) -> Sequence[Command]:
    """Return the command that tells an item's code, where the players' part is."""

    def share(rest: str) -> None:
        code = talk.place.counter.ask(lambda desk: desk.players().code(puzzle_id))
        talk.say(f"code {code}" if code else "there is no code for this one")

    if talk.place.session.mode != "practice":
        return ()
    return (Command(name="share", tells="hear the code by which others can play this one too", run=share),)


class FeedbackTalk(Talk):
    """What became of a puzzle's answer. Sending was the check; what is behind it is asked for apart."""

    PROMPT = "sent> "

    def __init__(self, place: Place, told: Told, *, revises: bool) -> None:
        """Make it; `revises` says whether the puzzle may still be answered anew."""
        self.told, self._revises = told, revises
        self.onward: Way = "home"
        self._revealed = False
        super().__init__(place)

    def commands(self) -> Sequence[Command]:
        reveal = Command(name="reveal", tells="hear the rules, and the rows that show them", run=self._reveal)
        revise = Command(name="revise", tells="answer this one again, until the next one is opened", run=self._revise)
        return (
            Command(name="next", tells="open the next puzzle", run=lambda rest: self.go("next")),
            *((reveal,) if self.told.reveal is not None else ()),
            *((revise,) if self._revises else ()),
            *share_command(self, self.told.presented.puzzle_id),
            Command(name="home", tells="go home", run=lambda rest: self.go("home")),
        )

    def greet(self) -> None:
        for line in verdict_lines(self.told):
            self.say(line)
        more = "reveal tells what is behind it, " if self.told.reveal is not None else ""
        self.say(f"{more}next goes on, home goes home.")

    def _reveal(self, rest: str) -> None:
        if not self._revealed:
            self._revealed = True
            self.note("reveal", puzzle_id=self.told.presented.puzzle_id)
        for line in rule_lines(self.told):
            self.say(line)

    def _revise(self, rest: str) -> None:
        self.go("revise")

    def go(self, way: Way) -> None:
        self.onward = way
        self.over = True


class VerdictTalk(Talk):
    """What became of a writing task."""

    PROMPT = "sent> "

    def __init__(self, place: Place, told: ToldTask, *, revises: bool) -> None:
        """Make it; `revises` says whether the text may still be changed."""
        self.told, self._revises = told, revises
        self.onward: Way = "home"
        super().__init__(place)

    def commands(self) -> Sequence[Command]:
        revise = Command(
            name="revise", tells="change this text, until the next item is opened", run=lambda rest: self.go("revise")
        )
        return (
            Command(name="next", tells="open the next writing task", run=lambda rest: self.go("next")),
            *((revise,) if self._revises else ()),
            *share_command(self, self.told.task.puzzle_id),
            Command(name="home", tells="go home", run=lambda rest: self.go("home")),
        )

    def greet(self) -> None:
        for line in told_task_lines(self.told, self.place.session.mode):
            self.say(line)
        self.say("next goes on, home goes home.")

    def go(self, way: Way) -> None:
        self.onward = way
        self.over = True
