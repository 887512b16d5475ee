"""The clerk works in order on one thread; the keeper loses nothing, however often the desk fails."""

from collections.abc import Callable
from queue import SimpleQueue

from fake_desk import FakeDesk
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import StoreError
from engine.public import Desk, Draft
from tui.clerk import Clerk
from tui.keeper import LONGEST_S, QUIET_S, Debounce, Keeper


class Stage:
    """Stands for the screen's thread: holds what is delivered and the timers that are set until told to go on."""

    def __init__(self, desk: Desk) -> None:
        self.now = 0.0
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.reports: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.errors: list[Exception] = []
        self.clerk = Clerk(desk, deliver=self.reports.put, asked=lambda: None, monotonic=lambda: self.now)
        self.keeper = Keeper(
            self.clerk,
            monotonic=lambda: self.now,
            later=lambda seconds, call: self.timers.append((self.now + seconds, call)),
            failed=self.errors.append,
            kept=lambda: None,
        )

    def settle(self) -> None:
        """Let the clerk finish what it was asked, and handle what it reports."""
        done: list[None] = []
        self.clerk.ask(lambda desk: None, done.append, self.errors.append)
        while not done:
            self.reports.get(timeout=10)()

    def go_on(self, seconds: float) -> None:
        """Let time pass and run the timers that fall due."""
        end = self.now + seconds
        while self.timers and min(self.timers, key=lambda timer: timer[0])[0] <= end:
            timer = min(self.timers, key=lambda timer: timer[0])
            self.timers.remove(timer)
            self.now = max(self.now, timer[0])
            timer[1]()
            self.settle()
        self.now = end


@given(st.lists(st.floats(0.001, 3), min_size=1, max_size=30))
def test_a_change_is_due_after_a_quiet_while_but_never_late(gaps: list[float]) -> None:
    debounce, now = Debounce(), 0.0
    first = None
    for gap in gaps:
        if debounce.pending and debounce.due_in(now + gap) == 0:
            debounce.settle()
            first = None
        now += gap
        first = now if first is None else first
        debounce.touch(now)
        assert debounce.due_in(now) <= min(QUIET_S, LONGEST_S - (now - first)) + 1e-9
    assert debounce.due_in(now + QUIET_S) == 0


def test_a_draft_is_kept_once_after_the_last_change() -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    texts = ["a"]
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p", notes=texts[-1]))
    stage.keeper.touch()
    stage.go_on(0.3)
    texts.append("ab")
    stage.keeper.touch()
    stage.go_on(0.4)
    assert not desk.drafts
    stage.go_on(0.2)
    assert [draft.notes for draft in desk.drafts] == ["ab"]


def test_while_typing_without_a_pause_drafts_are_at_most_two_seconds_apart() -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    kept_at: list[float] = []

    def draft() -> Draft:
        kept_at.append(stage.now)
        return Draft(puzzle_id="p")

    stage.keeper.begin("p", draft)
    for _ in range(50):
        stage.keeper.touch()
        stage.go_on(0.2)
    gaps = [later - earlier for earlier, later in zip([0.0, *kept_at], kept_at, strict=False)]
    assert len(kept_at) >= 4 and max(gaps) <= LONGEST_S + 0.25


def test_a_failed_draft_is_tried_again_until_it_is_kept() -> None:
    desk = FakeDesk(failures={"keep": [StoreError("disk full"), StoreError("disk full")]})
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p", notes="mine"))
    stage.keeper.touch()
    stage.go_on(1)
    assert [str(error) for error in stage.errors] == ["disk full"] and not desk.drafts
    stage.go_on(10)
    assert [draft.notes for draft in desk.drafts] == ["mine"]


def test_a_failed_draft_of_a_puzzle_that_was_left_is_tried_again_too() -> None:
    desk = FakeDesk(failures={"keep": [StoreError("busy"), StoreError("busy")]})
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p", notes="left"))
    stage.keeper.flush()
    stage.keeper.end()
    stage.keeper.begin("r", lambda: Draft(puzzle_id="r"))
    stage.settle()
    stage.go_on(10)
    assert [draft.notes for draft in desk.drafts] == ["left"]


def test_a_failed_draft_of_a_puzzle_that_was_answered_is_not_tried_again() -> None:
    desk = FakeDesk(failures={"keep": [StoreError("busy")]})
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p", notes="answered"))
    stage.keeper.flush()
    stage.settle()
    stage.keeper.end(answered=True)
    assert stage.keeper.waits
    stage.go_on(10)
    assert not desk.drafts and not stage.keeper.waits
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p", notes="opened again"))
    stage.keeper.flush()
    stage.settle()
    assert [draft.notes for draft in desk.drafts] == ["opened again"]


def test_what_waits_is_known_also_after_the_loop() -> None:
    """Nobody is there to hear the clerk's reports any more, and what is on the disk is on the disk."""
    desk = FakeDesk(failures={"keep": [StoreError("disk full")]})
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p"))
    stage.keeper.flush()
    assert stage.keeper.waits
    stage.settle()
    assert stage.keeper.waits
    stage.keeper.flush()
    assert stage.clerk.finish(10) and desk.drafts and not stage.keeper.waits


def test_events_go_in_batches_in_order_and_survive_a_failure() -> None:
    desk = FakeDesk(failures={"log": [StoreError("busy")]})
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p"))
    for kind in ("open", "sort", "filter"):
        stage.keeper.note(kind)
        stage.go_on(0.05)
    stage.go_on(0.2)
    stage.keeper.note("pause")
    stage.go_on(5)
    assert [one.kind for one in desk.happenings] == ["open", "sort", "filter", "pause"]
    assert len(stage.errors) == 1


def test_a_flush_sends_everything_at_once() -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p"))
    stage.keeper.note("open")
    stage.keeper.flush()
    assert stage.clerk.finish(10)
    assert len(desk.drafts) == len(desk.happenings) == 1 and desk.closed


def test_after_the_end_of_a_puzzle_no_draft_is_kept() -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    stage.keeper.begin("p", lambda: Draft(puzzle_id="p"))
    stage.keeper.touch()
    stage.keeper.end()
    stage.keeper.touch()
    stage.go_on(5)
    assert not desk.drafts


def test_jobs_run_in_order_and_a_failing_one_stops_no_other() -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    seen: list[int] = []
    for number in range(5):
        stage.clerk.ask(lambda desk, n=number: 1 // (n - 2), lambda _, n=number: seen.append(n), stage.errors.append)  # type: ignore[misc]
    stage.settle()
    assert seen == [0, 1, 3, 4] and [type(error) for error in stage.errors] == [ZeroDivisionError]


def test_the_clerk_tells_how_long_it_is_kept_waiting_and_gives_up_in_time() -> None:
    desk = FakeDesk()
    desk.lock.clear()
    stage = Stage(desk)
    stage.clerk.ask(lambda desk: desk.shelves(), lambda _: None, stage.errors.append)
    stage.now = 3.0
    assert stage.clerk.waiting_s() == 3.0 and not stage.clerk.idle()
    assert not stage.clerk.finish(0.01)
    desk.lock.set()
    assert stage.clerk.finish(10)
    assert stage.clerk.waiting_s() == 0.0


def test_a_desk_that_fails_to_close_is_remembered() -> None:
    desk = FakeDesk(failures={"close": [StoreError("gone")]})
    stage = Stage(desk)
    stage.settle()
    assert stage.clerk.finish(10) and isinstance(stage.clerk.trouble, StoreError)


def test_a_quiet_job_keeps_nobody_waiting_but_hides_none_that_does() -> None:
    desk = FakeDesk()
    desk.lock.clear()
    stage = Stage(desk)
    stage.clerk.ask(lambda desk: desk.shelves(), lambda _: None, stage.errors.append, quiet=True)
    stage.now = 3.0
    assert stage.clerk.waiting_s() == 0.0 and not stage.clerk.idle()
    stage.clerk.ask(lambda desk: desk.shelves(), lambda _: None, stage.errors.append)
    stage.now = 5.0
    assert stage.clerk.waiting_s() == 2.0
    desk.lock.set()
    assert stage.clerk.finish(10) and stage.clerk.idle()


@settings(deadline=None, max_examples=25)
@given(st.lists(st.floats(0, 0.4), min_size=1, max_size=30))
def test_whenever_it_ends_only_events_of_the_last_quarter_of_a_second_are_not_stored(gaps: list[float]) -> None:
    desk = FakeDesk()
    stage = Stage(desk)
    noted: list[float] = []
    for gap in gaps:
        stage.keeper.note("sort", str(len(noted)))
        noted.append(stage.now)
        stage.go_on(gap)
        stored = [one.data for one in desk.happenings]
        assert stored == [str(nth) for nth in range(len(stored))]
        assert len(stored) >= sum(at <= stage.now - 0.25 for at in noted)
    assert stage.clerk.finish(10)
