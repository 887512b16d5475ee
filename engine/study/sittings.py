"""The session rows of one sitting: one for practice, one for the items; and what going on after another one means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from importlib import metadata

from engine.hidden_systems.behavior import Label
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
        self._collect: SessionRow | None = None
        self._practice: SessionRow | None = None

    def earlier(self, rows: Sequence[SessionRow]) -> None:
        """Tell which sessions of this person are on disk."""
        self._earlier = tuple(rows)

    @property
    def collect(self) -> SessionRow:
        """The row under which this sitting's items are stored."""
        if self._collect is None:
            before = [row.id for row in self._earlier if row.mode == "collect"]
            self._collect = self._row(practice=False, resumed_from=before[-1] if before else None)
        return self._collect

    def of(self, practice: bool) -> SessionRow:
        """Return the row for practice items, or for the study's."""
        if not practice:
            return self.collect
        if self._practice is None:
            self._practice = self._row(practice=True, resumed_from=None)
        return self._practice

    def _row(self, *, practice: bool, resumed_from: str | None) -> SessionRow:
        manifest = self._bundle.manifest
        return SessionRow(
            id=uuid7(), solver=self._place.id, started_at=self._clock(), app_version=metadata.version("clew"),
            pack_sha=manifest.aside.pack_sha if practice else manifest.pack_sha,
            mode="practice" if practice else "collect", aid=self._place.aid, feedback="now" if practice else "never",
            label_order=",".join(self._labels), manifest_sha=self._bundle.sha,
            commit_root="" if practice else manifest.commit_root, resumed_from=resumed_from,
        )  # fmt: skip

    def t_ms(self) -> int:
        """Return monotonic milliseconds since the sitting began."""
        return max(0, round((self._monotonic() - self._began) * 1000))

    def event(self, kind: str, data: str = "", puzzle_id: str = "") -> EventRow:
        """Return an event of this sitting, now."""
        return EventRow(session=self.collect.id, t_ms=self.t_ms(), kind=kind, puzzle_id=puzzle_id, data=data)

    def resumed(self, rule: Resume, progress: Progress, slots: Sequence[Slot], now: str) -> list[EventRow]:
        """Return the events with which a further sitting begins, as the study's rule says."""
        gap_s = _seconds(self._last_activity(progress), now)
        events = [self.event(marks.RESUMED, str(gap_s))]
        if rule.policy == "refuse":
            return [*events, self.event(marks.ENDED, "refused")]
        if gap_s > rule.max_age_h * 3600:
            return [*events, self.event(marks.ENDED, "expired")]
        block = interrupted_block(slots, progress) if rule.policy == "restart_block" else None
        return events if block is None else [*events, self.event(marks.RESTARTED, str(block))]

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
