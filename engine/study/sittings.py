"""The session rows of one sitting, and what going on after another one means.

One row for practice, and one for the items under each aid: the aid of a row never changes. Rows of a sitting begin at
the same time, so that its clock is one; what belongs to no item stands in the row of the person's first aid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from importlib import metadata

from engine.hidden_systems.behavior import Label
from engine.public import Aid, Happening
from engine.store.answer_rows import EventRow, SessionRow
from engine.store.clock import Clock, uuid7
from engine.study import marks
from engine.study.bundle import Bundle, Place
from engine.study.config import Resume
from engine.study.ordering import Slot
from engine.study.progress import Progress, interrupted_block


class Sittings:
    """Makes the rows of this sitting; they are stored with the first thing that belongs to them."""

    def __init__(
        self, bundle: Bundle, place: Place, labels: tuple[Label, Label], *, clock: Clock,
        monotonic: Callable[[], float],
    ) -> None:  # fmt: skip
        self._bundle, self._place, self._labels = bundle, place, labels
        self._clock, self._monotonic = clock, monotonic
        self._began = monotonic()
        self._earlier: tuple[SessionRow, ...] = ()
        self._aids: Mapping[str, Aid] = {one.puzzle_id: one.aid for one in place.items}
        self._rows: dict[Aid, SessionRow] = {}
        self._practice: SessionRow | None = None

    def earlier(self, rows: Sequence[SessionRow]) -> None:
        """Tell which sessions of this person are on disk."""
        self._earlier = tuple(rows)

    @property
    def collect(self) -> SessionRow:
        """The row of what belongs to no item, and of the items under the person's first aid."""
        return self._under(self._place.aid)

    def home(self, puzzle_id: str) -> SessionRow:
        """Return the row of an item of the list; the first one for anything else."""
        return self._under(self._aids.get(puzzle_id, self._place.aid))

    def of(self, practice: bool, puzzle_id: str) -> SessionRow:
        """Return the row for a practice item, or for one of the study's."""
        if not practice:
            return self.home(puzzle_id)
        if self._practice is None:
            self._practice = self._row(practice=True, aid=self._place.aid, resumed_from=None)
        return self._practice

    def _under(self, aid: Aid) -> SessionRow:
        if aid not in self._rows:
            first = self._place.aid
            before = [row.id for row in self._earlier if row.mode == "collect"] if aid == first else [self.collect.id]
            self._rows[aid] = self._row(practice=False, aid=aid, resumed_from=before[-1] if before else None)
            if aid != first:
                self._rows[aid] = replace(self._rows[aid], started_at=self.collect.started_at)
        return self._rows[aid]

    def _row(self, *, practice: bool, aid: Aid, resumed_from: str | None) -> SessionRow:
        manifest = self._bundle.manifest
        return SessionRow(
            id=uuid7(), solver=self._place.id, started_at=self._clock(), app_version=metadata.version("clew"),
            pack_sha=manifest.aside.pack_sha if practice else manifest.pack_sha,
            mode="practice" if practice else "collect", aid=aid, feedback="now" if practice else "never",
            label_order=",".join(self._labels), manifest_sha=self._bundle.sha,
            commit_root="" if practice else manifest.commit_root, resumed_from=resumed_from,
        )  # fmt: skip

    def t_ms(self) -> int:
        """Return monotonic milliseconds since the sitting began."""
        return max(0, round((self._monotonic() - self._began) * 1000))

    def event(self, kind: str, data: str = "", puzzle_id: str = "") -> EventRow:
        """Return an event of this sitting, now."""
        return EventRow(session=self.home(puzzle_id).id, t_ms=self.t_ms(), kind=kind, puzzle_id=puzzle_id, data=data)

    def happening(self, one: Happening) -> EventRow:
        """Return a view event of the app as it is stored."""
        row = self.home(one.puzzle_id)
        return EventRow(session=row.id, t_ms=one.t_ms, kind=one.kind, puzzle_id=one.puzzle_id, data=one.data)

    def rows_of(self, events: Iterable[EventRow]) -> tuple[SessionRow, ...]:
        """Return the rows that have to be stored before these events: the first one, which others name, and theirs."""
        named = {event.session for event in events}
        others = [row for row in self._rows.values() if row.id in named and row.id != self.collect.id]
        return (self.collect, *others)

    def resumed(self, rule: Resume, progress: Progress, slots: Sequence[Slot], now: str) -> list[EventRow]:
        """Return the events with which a further sitting begins, as the study's rule says."""
        gap_s = _seconds(self._last_activity(progress), now)
        events = [self.event(marks.RESUMED, str(gap_s))]
        if rule.policy == "refuse":
            return [*events, self.event(marks.ENDED, "refused")]
        if gap_s > rule.max_age_h * 3600:
            return [*events, self.event(marks.ENDED, "expired")]
        block = interrupted_block(slots, progress) if rule.policy == "restart_block" else None
        if block is None:
            return events
        # In the row of the block's own items: it counts from there, whichever row of the sitting is begun first.
        session = next(self.home(slot.puzzle_id).id for slot in slots if slot.block == block)
        return [*events, replace(self.event(marks.RESTARTED, str(block)), session=session)]

    def _last_activity(self, progress: Progress) -> str:
        """Return when this person was last seen: the end of the last answer or event, whichever is later."""
        begun = {row.id: row.started_at for row in self._earlier}
        moments = [attempt.answered_at for attempt in progress.attempts] + list(begun.values())
        moments += [_after(begun[event.session], event.t_ms) for event in progress.events if event.session in begun]
        return max(moments, default=self._clock())


def _after(started_at: str, t_ms: int) -> str:
    moment = datetime.fromisoformat(started_at) + timedelta(milliseconds=t_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _seconds(before: str, now: str) -> int:
    return max(0, round((datetime.fromisoformat(now) - datetime.fromisoformat(before)).total_seconds()))
