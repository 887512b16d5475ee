"""A text is checked once it is quiet, one check at a time, and a result for an older text is dropped."""

from collections.abc import Callable

from fake_desk import FakeDesk

from engine.errors import StoreError
from engine.public import Desk, Judged
from tui.checking import QUIET_S, Checking


class Bench:
    """Holds the timers that were set and the checks that were asked for, until told to let them happen."""

    def __init__(self) -> None:
        self.desk, self.now, self.text = FakeDesk(), 0.0, ""
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.jobs: list[tuple[Callable[[Desk], object], Callable[..., None], Callable[..., None]]] = []
        self.came: list[str] = []
        self.errors: list[Exception] = []
        self.checking = Checking(
            self,  # type: ignore[arg-type]  # stands for the clerk
            "w3-1",
            read=lambda: self.text,
            later=lambda seconds, call: self.timers.append((self.now + seconds, call)),
            came=self._came,
            failed=self.errors.append,
        )

    def _came(self, text: str, judged: tuple[Judged, ...]) -> None:
        assert len(judged) == 3
        self.came.append(text)

    def ask(self, work, then, failed, *, quiet: bool) -> None:  # type: ignore[no-untyped-def]
        assert quiet, "nobody waits for a check"
        self.jobs.append((work, then, failed))

    def write(self, text: str) -> None:
        self.text = text
        self.checking.touch()

    def go_on(self, seconds: float) -> None:
        self.now += seconds
        due = [call for at, call in self.timers if at <= self.now + 1e-9]
        self.timers = [(at, call) for at, call in self.timers if at > self.now + 1e-9]
        for call in due:
            call()

    def answer(self) -> None:
        """Let the oldest check come to its end."""
        work, then, failed = self.jobs.pop(0)
        try:
            found = work(self.desk)
        except StoreError as error:
            failed(error)
        else:
            then(found)


def test_nothing_is_asked_while_one_writes() -> None:
    bench = Bench()
    for length in range(1, 20):
        bench.write("a" * length)
        bench.go_on(QUIET_S * 0.9)
    assert not bench.jobs
    bench.go_on(QUIET_S)
    assert len(bench.jobs) == 1
    bench.answer()
    assert bench.came == bench.desk.judged == ["a" * 19]


def test_a_late_result_is_dropped_and_the_newer_text_is_checked_once_quiet() -> None:
    bench = Bench()
    bench.write("old")
    bench.go_on(QUIET_S)
    bench.write("new")
    bench.answer()
    assert bench.came == [] and not bench.jobs, "the newer text is not quiet yet"
    bench.go_on(QUIET_S)
    bench.answer()
    assert bench.came == ["new"]


def test_only_one_check_is_under_way_and_those_between_are_left_out() -> None:
    bench = Bench()
    for text in ("one", "two", "three"):
        bench.write(text)
        bench.go_on(QUIET_S)
    assert len(bench.jobs) == 1
    bench.answer()
    assert len(bench.jobs) == 1
    bench.answer()
    assert bench.desk.judged == ["one", "three"] and bench.came == ["three"] and not bench.jobs


def test_a_failed_check_is_told_and_the_next_change_is_checked_again() -> None:
    bench = Bench()
    bench.desk.failures["judge"] = [StoreError("damaged")]
    bench.write("one")
    bench.go_on(QUIET_S)
    bench.answer()
    assert [str(error) for error in bench.errors] == ["damaged"]
    bench.write("two")
    bench.go_on(QUIET_S)
    bench.answer()
    assert bench.came == ["two"]


def test_after_the_end_nothing_is_asked_or_told() -> None:
    bench = Bench()
    bench.write("one")
    bench.go_on(QUIET_S)
    bench.write("two")
    bench.checking.end()
    bench.answer()
    bench.go_on(QUIET_S)
    assert bench.came == [] and not bench.jobs
