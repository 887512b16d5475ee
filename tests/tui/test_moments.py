"""Visible time stands still while anything hides the puzzle; ids hold their moment."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from tui.moments import VisibleClock, moment_of, stamp, uuid7
from tui.wording import clock_text

STEPS = st.lists(
    st.tuples(st.integers(0, 5000), st.sampled_from(["hold", "release"]), st.sampled_from(["blur", "covered"]))
)


@given(STEPS, st.integers(0, 10_000))
def test_visible_time_is_what_passes_while_nothing_holds(steps: list[tuple[int, str, str]], before: int) -> None:
    now_ms = 0
    clock = VisibleClock(lambda: now_ms / 1000, before)
    expected, holds = before, set[str]()
    for passed, act, reason in steps:
        now_ms += passed
        expected += 0 if holds else passed
        if act == "hold":
            assert clock.hold(reason) == (reason not in holds)
            holds.add(reason)
        else:
            assert clock.release(reason) == (reason in holds)
            holds.discard(reason)
    assert abs(clock.visible_ms() - expected) <= 1


@given(st.datetimes(datetime(2020, 1, 1), datetime(2100, 1, 1)), st.binary(min_size=10, max_size=10))
def test_an_id_is_a_version_7_uuid_of_its_moment(moment: datetime, chance: bytes) -> None:
    moment = moment.replace(tzinfo=UTC)
    identity = uuid7(moment, chance)
    assert UUID(identity).version == 7 and UUID(identity).variant == "specified in RFC 4122"
    assert abs(moment_of(identity) - moment) <= timedelta(milliseconds=1)


def test_ids_of_one_millisecond_differ_and_later_ids_sort_later() -> None:
    now = datetime(2025, 6, 1, tzinfo=UTC)
    assert uuid7(now, bytes(10)) != uuid7(now, bytes([1] * 10))
    assert uuid7(now, b"\xff" * 10) < uuid7(now + timedelta(milliseconds=1), bytes(10))


def test_a_stamp_is_utc_with_milliseconds() -> None:
    assert stamp(datetime(2025, 6, 1, 9, 30, 5, 7999, tzinfo=UTC)) == "2025-06-01T09:30:05.007Z"


def test_the_clock_reads_minutes_and_hours() -> None:
    assert (clock_text(0), clock_text(252_999), clock_text(3_600_000)) == ("00:00", "04:12", "1:00:00")
