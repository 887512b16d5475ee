"""What a collection refuses, whoever asks: nothing about an answer is shown before the study is over."""

from __future__ import annotations

from engine.errors import UsageError
from engine.public import Hint, Judged, Past, Players, Reveal

NOTHING_SHOWN = "this is a study; nothing about an answer is shown before it is over"


class Discreet:
    """The part of a desk that gives nothing away."""

    def judge(self, puzzle_id: str, text: str) -> tuple[Judged, ...]:
        """Refuse: verdicts on a draft would help to write it."""
        raise UsageError(NOTHING_SHOWN)

    def hint(self, puzzle_id: str, nth: int) -> Hint | None:
        """Refuse."""
        raise UsageError(NOTHING_SHOWN)

    def reveal(self, answer_id: str) -> Reveal | None:
        """Refuse."""
        raise UsageError(NOTHING_SHOWN)

    def players(self) -> Players:
        """Refuse."""
        raise UsageError(NOTHING_SHOWN)

    def history(self) -> tuple[Past, ...]:
        """Return nothing: what was answered is not looked at again."""
        return ()
