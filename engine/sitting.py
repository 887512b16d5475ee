"""Rules of a sitting that hold whatever shows the items: what is shown, how many may be skipped, what may be revised.

An item is skipped only with a reason, and at most one in ten of a pack's. In collection the last answer may be taken
back until another item is opened: the new one is a revision, stored beside the first. In practice nothing is revised,
since an answer is followed by the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

import msgspec

from engine.errors import ConflictError, UsageError, quoted
from engine.public import Aid, Answer, Feedback, Happening, Mode, Presented, PresentedTask, Reason
from engine.store.answer_rows import AttemptRow

ITEMS_A_SKIP = 10
REASONS: tuple[str, ...] = get_args(Reason)
OPENING = ("open", "resume")
"""Kinds of the events that say that an item was opened."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a session may show; stored with it."""

    mode: Mode
    aid: Aid
    feedback: Feedback


PRACTICE = Policy(mode="practice", aid="A3", feedback="now")
COLLECT = Policy(mode="collect", aid="A0", feedback="never")


def require_same_text(answer: Answer, shown: Presented | PresentedTask, right: str) -> None:
    """Refuse an answer to another text than the item has.

    Args:
        right: what the text answered should have been.

    Raises:
        UsageError: names the item.
    """
    if answer.text_sha != shown.text_sha or answer.rendering_id != shown.rendering_id:
        raise UsageError(f"item {answer.puzzle_id!r}: the text answered is not {right}; show it again")


def skips_left(items: int, attempts: Iterable[AttemptRow]) -> int:
    """Return how many of so many items may still be skipped: one in ten, but one of even the smallest pack."""
    skipped = len({attempt.puzzle_id for attempt in attempts if attempt.answer == "SKIP"})
    return max(max(items // ITEMS_A_SKIP, 1) - skipped, 0)


def require_skip(answer: Answer, left: int) -> None:
    """Refuse a skip without a reason, or one too many.

    Raises:
        UsageError: names the reasons, or says that only stopping is left.
    """
    if answer.reason not in REASONS:
        raise UsageError(f"a skip needs a reason, one of {', '.join(REASONS)}, not {quoted(answer.reason)}")
    if left < 1:
        raise UsageError("no skip is left: one item in ten may be skipped; stop here instead, and go on another time")


class LastAnswer:
    """The one answer of this sitting that may still be revised, if there is one."""

    def __init__(self, mode: Mode) -> None:
        self._collects = mode == "collect"
        self._last: AttemptRow | None = None

    def saved(self, attempt: AttemptRow) -> None:
        """Remember an answer that is on disk."""
        self._last = attempt if self._collects else None

    def happened(self, happenings: Iterable[Happening]) -> None:
        """Forget it once another item is opened."""
        opened = {one.puzzle_id for one in happenings if one.kind in OPENING}
        if self._last is not None and opened - {self._last.puzzle_id}:
            self._last = None

    def nth(self, answer: Answer, earlier: Sequence[AttemptRow]) -> int:
        """Return which attempt on its item an answer is, from 1, given the attempts on disk.

        Raises:
            ConflictError: the item was answered, and this is neither the same answer again nor an allowed revision.
        """
        for attempt in earlier:
            if attempt.id == answer.answer_id:
                return attempt.attempt_no
        if not earlier:
            return 1
        if self._last is not None and answer.revises == self._last.id == earlier[-1].id:
            return earlier[-1].attempt_no + 1
        raise ConflictError(f"puzzle {answer.puzzle_id!r} was answered before; the first answer stays")
