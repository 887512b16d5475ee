"""What fields of answer rows may hold, and the repair of text that cannot be stored."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_samples import attempt_row, event_row, session_row, turn_row

from engine.errors import UsageError
from engine.store.answer_rows import RULES, DraftRow, Stored, check_row, repair
from engine.store.clock import random_id, utc_now, uuid7
from engine.store.field_rules import MAX_TEXT
from engine.store.rows import column_names

ROWS: tuple[Stored, ...] = (
    session_row("ada"), attempt_row("ada"), turn_row(), event_row(),
    DraftRow(session="s1", puzzle_id="p1", body="", saved_at="2031-05-06T07:08:09.000Z"),
)  # fmt: skip


def test_every_field_has_a_rule() -> None:
    for row in ROWS:
        check_row(row)
        assert set(column_names(type(row))) <= set(RULES[type(row)])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
@pytest.mark.parametrize("wrong", [True, 1.5, float("nan"), b"x", 2**63, -1, "\0" * 300, ("a",)], ids=repr)
def test_values_of_wrong_types_and_ranges_are_refused_and_named(row: Stored, wrong: object) -> None:
    for name in column_names(type(row)):
        if isinstance(wrong, str) and name in ("notes", "text", "data", "body"):
            continue
        with pytest.raises(UsageError, match=rf"\.{name} is .*is right"):
            check_row(replace(row, **{name: wrong}))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""), ("id", "x" * 201), ("id", "a\nb"), ("session", ""), ("puzzle_id", ""), ("text_sha", "0" * 63),
        ("text_sha", "G" * 64), ("attempt_no", 0), ("answer", "present"), ("answer", ""), ("confidence", 101),
        ("shown_at", "2031-05-06T07:08:09Z"), ("shown_at", "2031-13-06T07:08:09.000Z"), ("shown_at", "now"),
        ("answered_at", "2031-05-06T07:08:09.000+00:00"), ("answered_at", "２０31-05-06T07:08:09.000Z"),
        ("response_ms", None), ("notes", "x" * (MAX_TEXT + 1)), ("notes", None),
    ],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_odd_values_of_an_attempt_are_refused(field: str, value: object) -> None:
    with pytest.raises(UsageError) as raised:
        check_row(replace(attempt_row("ada"), **{field: value}))  # type: ignore[arg-type]
    assert raised.value.message.startswith(f"attempt.{field} is ")
    assert len(raised.value.message) < 300


def test_answers_may_be_unknown_and_skipped() -> None:
    for answer in (None, "SKIP", "ABSENT"):
        check_row(replace(attempt_row("ada"), answer=answer, confidence=None))


ANY_TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\0\ud800\udfff"))


@given(ANY_TEXT)
def test_repaired_text_can_be_stored_and_undone(text: str) -> None:
    found = repair(text)
    found.text.encode("utf-8")
    assert "\0" not in found.text
    letters = list(found.text)
    for at, point in found.places:
        assert letters[at] == "\ufffd"
        letters[at] = chr(point)
    assert "".join(letters) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_text_that_can_be_stored_is_left_alone(text: str) -> None:
    assert repair(text).text == text
    assert repair(text).places == ()


def test_ids_are_version_seven_in_order_of_milliseconds_and_never_equal() -> None:
    ids = [uuid7() for _ in range(1000)]
    assert len(set(ids)) == 1000
    assert {(UUID(one).version, UUID(one).variant) for one in ids} == {(7, "specified in RFC 4122")}
    milliseconds = [UUID(one).int >> 80 for one in ids]
    assert milliseconds == sorted(milliseconds)


def test_random_ids_tell_no_order() -> None:
    ids = [random_id() for _ in range(100)]
    assert len(set(ids)) == 100
    assert ids != sorted(ids)
    assert {len(one) for one in ids} == {32}


def test_clock_writes_what_rows_accept() -> None:
    check_row(replace(attempt_row("ada"), shown_at=utc_now(), answered_at=utc_now()))
