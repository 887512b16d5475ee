"""Where a participant is, computed from what is on disk: so a killed session goes on exactly where it was.

Stages in order: consent, intake, instructions, practice, check, then the items with a break between blocks, the end.
A stage is behind when the file says so: an event for the stages that are read, an attempt for those that are answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.store.answer_rows import AttemptRow, EventRow
from engine.study import marks
from engine.study.manifest import Manifest
from engine.study.ordering import Slot

CONSENT, INTAKE, INSTRUCTIONS, CHECK, END = "consent", "intake", "instructions", "check", "end"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What the file says about one participant."""

    consented: bool
    events: tuple[EventRow, ...]
    """Of all sessions in order of beginning."""
    attempts: tuple[AttemptRow, ...]
    order: Mapping[str, int]
    """Place of each session, by id."""

    @property
    def ended(self) -> str:
        """Why the study is over for them; empty while it goes on."""
        return next((event.data for event in self.events if event.kind == marks.ENDED), "")

    @property
    def tries(self) -> tuple[bool, ...]:
        """The tries of the comprehension check: whether each was passed."""
        return tuple(json.loads(event.data)["passed"] for event in self.events if event.kind == marks.CHECK)

    def passed(self) -> set[str]:
        """Return the keys of the stages that were read and left behind."""
        found = {event.data for event in self.events if event.kind == marks.PASSED}
        return found | ({INTAKE} if any(event.kind == marks.INTAKE for event in self.events) else set())

    def restarts(self) -> dict[int, int]:
        """Return the session from which each restarted block counts, by block."""
        return {int(event.data): self.order[event.session] for event in self.events if event.kind == marks.RESTARTED}

    def answered(self, slots: Sequence[Slot]) -> set[str]:
        """Return the items of a list that are behind: answered, and not in a block that was begun anew since."""
        restarts = self.restarts()
        latest = {attempt.puzzle_id: self.order[attempt.session] for attempt in self.attempts}
        return {
            slot.puzzle_id
            for slot in slots
            if slot.puzzle_id in latest and latest[slot.puzzle_id] >= restarts.get(slot.block, -1)
        }


def keys(manifest: Manifest, slots: Sequence[Slot]) -> Iterator[str]:
    """Yield the keys of all stages of a participant in order."""
    yield CONSENT
    if manifest.intake:
        yield INTAKE
    yield INSTRUCTIONS
    yield from (f"practice/{nth}" for nth in range(1, len(manifest.aside.practice) + 1))
    if manifest.comprehension.questions:
        yield CHECK
    before: Slot | None = None
    for nth, slot in enumerate(slots, start=1):
        if before is not None and before.block != slot.block:
            yield f"break/{slot.block}"
        yield f"item/{nth}"
        before = slot
    yield END


def current(manifest: Manifest, slots: Sequence[Slot], progress: Progress) -> str:
    """Return the key of the stage at hand."""
    if progress.ended:
        return END
    if not progress.consented:
        return CONSENT
    passed = progress.passed() | {CONSENT}
    answered = progress.answered(slots) | {
        attempt.puzzle_id for attempt in progress.attempts if _is_practice(manifest, attempt)
    }
    for key in keys(manifest, slots):
        if key == CHECK:
            if not _check_is_behind(manifest, progress):
                return key
        elif (puzzle := puzzle_of(manifest, slots, key)) is not None:
            if puzzle not in answered:
                return key
        elif key not in passed:
            return key
    raise AssertionError("the end is never passed")


def puzzle_of(manifest: Manifest, slots: Sequence[Slot], key: str) -> str | None:
    """Return the id that a stage shows; None for stages that show none."""
    kind, _, nth = key.partition("/")
    if kind == "practice":
        return manifest.aside.practice[int(nth) - 1].uid
    if kind == "item":
        return slots[int(nth) - 1].puzzle_id
    return None


def interrupted_block(slots: Sequence[Slot], progress: Progress) -> int | None:
    """Return the block in which some items are answered and some are not; None when no block is open."""
    answered = progress.answered(slots)
    for one, other in pairwise(slots):
        if one.block == other.block and one.puzzle_id in answered and other.puzzle_id not in answered:
            return one.block
    return None


def _check_is_behind(manifest: Manifest, progress: Progress) -> bool:
    tries = progress.tries
    return any(tries) or (len(tries) >= manifest.comprehension.tries and manifest.comprehension.on_fail == "continue")


def _is_practice(manifest: Manifest, attempt: AttemptRow) -> bool:
    return any(extra.uid == attempt.puzzle_id for extra in manifest.aside.practice)


def last_moment(times: Iterable[str]) -> str:
    """Return the latest of some UTC times; empty without any."""
    return max(times, default="")
