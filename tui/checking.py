"""When a text is sent to be checked while it is written, and which results still count.

A check is asked for when the text has been quiet for a while, one at a time, so that a slow desk never has a queue
of them before it. A result for a text that was changed meanwhile is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.public import Judged
from tui.clerk import Clerk
from tui.keeper import Later

QUIET_S = 0.15
FIRST_S = 1.0
"""How long after a task is opened again its text is checked: the first keys come before the checkers are loaded."""
Came = Callable[[str, tuple[Judged, ...]], None]


class Checking:
    """Asks the desk about one task's text; `came` gets the text with its verdicts, `failed` an error."""

    def __init__(
        self,
        clerk: Clerk,
        puzzle_id: str,
        *,
        read: Callable[[], str],
        later: Later,
        came: Came,
        failed: Callable[[Exception], None],
    ) -> None:
        self._clerk, self._puzzle_id, self._read, self._later = clerk, puzzle_id, read, later
        self._came, self._failed = came, failed
        self._revision = self._quiet = 0
        """The text as it is, and the newest one that has been quiet for long enough."""
        self._asked = self._ended = False

    def begin(self) -> None:
        """Have the text checked that is there from the start; an empty one waits until something is written."""
        if self._read():
            self._touch(FIRST_S)

    def touch(self) -> None:
        """Say that the text has changed."""
        self._touch(QUIET_S)

    def _touch(self, quiet_s: float) -> None:
        self._revision += 1
        self._later(quiet_s, partial(self._on_time, self._revision))

    def end(self) -> None:
        """Ask nothing and report nothing any more."""
        self._ended = True

    def _on_time(self, revision: int) -> None:
        self._quiet = revision
        self._ask()

    def _ask(self) -> None:
        """Ask if the text is quiet and no check is under way; the end of that one will ask again."""
        if self._quiet != self._revision or self._asked or self._ended:
            return
        self._asked = True
        revision, text, puzzle_id = self._revision, self._read(), self._puzzle_id
        self._clerk.ask(
            lambda desk: desk.judge(puzzle_id, text),
            partial(self._done, revision, text),
            partial(self._broke, revision),
            quiet=True,
        )

    def _done(self, revision: int, text: str, judged: tuple[Judged, ...]) -> None:
        if self._counts(revision):
            self._came(text, judged)

    def _broke(self, revision: int, error: Exception) -> None:
        if self._counts(revision):
            self._failed(error)

    def _counts(self, revision: int) -> bool:
        """Close a check and say whether its result counts; if it does not, the newer text is next."""
        self._asked = False
        if revision != self._revision:
            self._ask()
        return revision == self._revision and not self._ended
