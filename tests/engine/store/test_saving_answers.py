"""The one write path: what is stored, what counts as the same answer, what is refused and stays as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from store_samples import NOW, SHA, attempt_row, event_row, session_row, started, turn_row

from engine.canonical import canonical_text, read_json
from engine.errors import ClewError, ConflictError, StoreError, UsageError
from engine.store.answer_rows import AttemptRow, DraftRow, attempt_sha, turn_sha
from engine.store.answers import Answers
from engine.store.connection import DELETE_EXTRA

LATER = "2031-05-06T07:09:00.000Z"


def draft_row(body: str = "{}", puzzle: str = "p1", session: str = "s1", at: str = NOW) -> DraftRow:
    return DraftRow(session=session, puzzle_id=puzzle, body=body, saved_at=at)


def test_saved_answer_is_returned_as_it_stands_on_disk(answers: Answers, solver: str, path: Path) -> None:
    saved = answers.save(attempt_row(solver), turns=[turn_row()], events=[event_row()])
    assert replace(saved, row_sha="") == attempt_row(solver)
    assert saved.row_sha == attempt_sha(saved, [turn_sha(turn_row())])
    with Answers.open(path, read_only=True) as reader:
        assert reader.attempts() == (saved,)
        assert [(event.n, event.kind) for event in reader.events("s1")] == [(0, "sort")]
        assert [turn.text for turn in reader.turns("s1", "p1")] == ["maybe"]
        assert reader.answered(solver) == {"p1"}


def test_no_transaction_outlives_a_call(answers: Answers, solver: str) -> None:
    calls = (
        lambda: answers.save(attempt_row(solver)),
        lambda: answers.save(attempt_row(solver)),
        lambda: answers.save(attempt_row(solver, "other")),
        lambda: answers.save(attempt_row("nobody", "a2", "p2")),
        lambda: answers.append_events([event_row("no session")]),
        lambda: answers.keep_draft(draft_row(session="no session")),
        lambda: answers.begin_session(replace(session_row(solver), aid="A1")),
        lambda: answers.solver("bob", "model"),
        lambda: answers.append_turns([turn_row()]),
        answers.check, answers.attempts,
    )  # fmt: skip
    outcomes = []
    for call in calls:
        try:
            call()
            outcomes.append(True)
        except ClewError:
            outcomes.append(False)
        assert not answers._db.conn.in_transaction
    assert outcomes == [True, True, False, False, False, False, False, True, False, True, True]


def test_players_are_made_once_a_name_and_kind(answers: Answers) -> None:
    ada = answers.solver("ada", "human")
    assert answers.solver("ada", "human") == ada
    assert len({ada, answers.solver("ada", "model"), answers.solver("Ada", "human")}) == 3


@pytest.mark.parametrize("alias", ["", " ada", "a\nb", "x" * 201, "a\0b", "\ud800"])
def test_names_that_cannot_be_shown_are_refused(answers: Answers, alias: str) -> None:
    with pytest.raises(UsageError, match="cannot be stored"):
        answers.solver(alias, "human")


OTHER_TIMES = {"shown_at": LATER, "answered_at": LATER, "response_ms": 9, "notes": "again", "puzzle_sha": "1" * 64}


def test_same_answer_again_keeps_the_first_row(answers: Answers, solver: str) -> None:
    first = answers.save(attempt_row(solver), turns=[turn_row()], events=[event_row()])
    for changes in ({}, *({name: value} for name, value in OTHER_TIMES.items()), OTHER_TIMES):
        again = replace(attempt_row(solver), **changes)  # type: ignore[arg-type]
        assert answers.save(again, turns=[turn_row()], events=[event_row()]) == first
        assert answers.attempts() == (first,)
    assert len(answers.events("s1")) == 1
    assert answers.check() == ()


CHANGES = {
    "id": "a2", "text_sha": "1" * 64, "answer": "ABSENT", "confidence": 81, "puzzle_id": "p2", "rendering_id": "r2",
}  # fmt: skip


@pytest.mark.parametrize(("field", "value"), CHANGES.items(), ids=CHANGES)
def test_another_answer_is_refused_and_the_first_stays(answers: Answers, solver: str, field: str, value: str) -> None:
    first = answers.save(attempt_row(solver), turns=[turn_row()])
    with pytest.raises(ConflictError, match="was answered already by attempt 'a1'; the first answer stays"):
        answers.save(replace(attempt_row(solver), **{field: value}), events=[event_row()])  # type: ignore[arg-type]
    assert answers.attempts() == (first,)
    assert answers.events("s1") == ()


def test_another_player_cannot_take_over_an_answer(answers: Answers, solver: str) -> None:
    first = answers.save(attempt_row(solver))
    bob = answers.solver("bob", "human")
    with pytest.raises(ConflictError):
        answers.save(attempt_row(bob, session="s2"), session=session_row(bob, "s2"))
    assert answers.attempts() == (first,)
    assert answers.sessions(bob) == ()


@pytest.mark.parametrize("turn", [turn_row(text="no"), turn_row(2)])
def test_same_answer_with_another_text_is_refused(answers: Answers, solver: str, turn: object) -> None:
    answers.save(attempt_row(solver), turns=[turn_row()])
    with pytest.raises(ConflictError):
        answers.save(attempt_row(solver), turns=[turn])  # type: ignore[list-item]
    assert [stored.text for stored in answers.turns("s1", "p1")] == ["maybe"]


def test_revision_is_a_new_row_after_the_one_before(answers: Answers, solver: str) -> None:
    with pytest.raises(UsageError, match="attempt 1 has to exist before"):
        answers.save(replace(attempt_row(solver, "a2"), attempt_no=2))
    first = answers.save(attempt_row(solver))
    second = answers.save(replace(attempt_row(solver, "a2"), attempt_no=2, answer="ABSENT"))
    assert answers.attempts(solver) == (first, second)


def test_answer_needs_a_session_of_its_own_player(answers: Answers, solver: str) -> None:
    bob = answers.solver("bob", "human")
    for row in (attempt_row(bob), attempt_row(solver, session="unknown")):
        with pytest.raises(UsageError, match="begin it first"):
            answers.save(row)
    assert answers.attempts() == ()


def test_session_keeps_its_policy(answers: Answers, solver: str) -> None:
    answers.begin_session(session_row(solver))
    with pytest.raises(ConflictError, match="another policy"):
        answers.begin_session(replace(session_row(solver), feedback="now"))
    assert answers.sessions(solver) == (session_row(solver),)


def test_texts_are_committed_one_by_one_and_covered_by_the_answer(answers: Answers, solver: str) -> None:
    answers.append_turns([turn_row(1)])
    answers.append_turns([turn_row(1), turn_row(2, "surely")])
    with pytest.raises(ConflictError, match="turn 1 of puzzle 'p1' was sent already"):
        answers.append_turns([turn_row(1, "changed")])
    saved = answers.save(replace(attempt_row(solver), answer=None))
    assert saved.row_sha == attempt_sha(saved, [turn_sha(turn_row(1)), turn_sha(turn_row(2, "surely"))])
    with pytest.raises(ConflictError, match="no turn can follow"):
        answers.append_turns([turn_row(3)])
    assert answers.check() == ()


def test_turn_of_another_answer_is_refused(answers: Answers, solver: str) -> None:
    with pytest.raises(UsageError, match="belongs to another attempt"):
        answers.save(attempt_row(solver), turns=[replace(turn_row(), puzzle_id="p2")])


def test_repeated_events_with_a_place_count_once(answers: Answers, solver: str) -> None:
    answers.append_events([event_row(n=0), event_row(n=1)])
    answers.append_events([event_row(n=1), event_row(n=2), event_row()])
    assert [event.n for event in answers.events("s1")] == [0, 1, 2, 3]
    with pytest.raises(ConflictError, match="event 2 of session 's1' exists already"):
        answers.append_events([event_row(n=4), event_row(kind="other", n=2)])
    assert len(answers.events("s1")) == 4, "nothing of a refused batch is kept"


def test_draft_is_replaced_and_goes_with_the_answer(answers: Answers, solver: str) -> None:
    answers.begin_session(session_row(solver, "s2"))
    answers.keep_draft(draft_row("one"))
    answers.keep_draft(draft_row("two"))
    answers.keep_draft(draft_row("later", session="s2", at=LATER))
    answers.keep_draft(draft_row("other", puzzle="p2"))
    assert [draft.body for draft in answers.drafts(solver)] == ["later", "two", "other"]
    answers.save(attempt_row(solver))
    assert [draft.body for draft in answers.drafts(solver)] == ["other"]
    assert answers.drafts("nobody") == ()


def test_refused_answer_keeps_the_draft(answers: Answers, solver: str) -> None:
    answers.save(attempt_row(solver))
    answers.keep_draft(draft_row("revised"))
    with pytest.raises(ConflictError):
        answers.save(attempt_row(solver, "a2"))
    assert [draft.body for draft in answers.drafts(solver)] == ["revised"]


def test_answers_come_by_time_and_id(answers: Answers, solver: str) -> None:
    rows = [("b", "p1", LATER), ("c", "p2", NOW), ("a", "p3", LATER)]
    for attempt, puzzle, at in rows:
        answers.save(replace(attempt_row(solver, attempt, puzzle), answered_at=at))
    assert [row.id for row in answers.attempts()] == ["c", "a", "b"]
    assert [row.id for row in answers.attempts(solver, ["p3", "p1"])] == ["a", "b"]
    assert answers.attempts("nobody") == ()
    assert answers.attempts(puzzle_ids=[]) == ()


HOSTILE = (
    "\x1b[2Jcleared", "' or 1=1; --", "\u202eright to left", "\r\n\t", "e\u0301 is not é", "😀" * 20, "\ufeff",
    "%s{}\\", "\x7f\x80\x9f", "007", "1e999", "null",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_stored_as_it_is(answers: Answers, solver: str, text: str) -> None:
    saved = answers.save(replace(attempt_row(solver), notes=text), turns=[turn_row(text=text)])
    assert saved.notes == text
    assert answers.turns("s1", "p1")[0].text == text
    assert answers.events("s1") == ()


def test_text_that_cannot_be_stored_is_repaired_and_said_so(answers: Answers, solver: str) -> None:
    saved = answers.save(replace(attempt_row(solver), notes="a\0b\ud83d!"), turns=[turn_row(text="\udfff")])
    assert saved.notes == "a\ufffdb\ufffd!"
    assert answers.turns("s1", "p1")[0].text == "\ufffd"
    events = answers.events("s1")
    assert [(event.kind, event.puzzle_id) for event in events] == [("text_repaired", "p1")] * 2
    assert [read_json(event.data, where="event") for event in events] == [
        {"field": "notes", "places": [[1, 0], [3, 0xD83D]]},
        {"field": "turn 1 solver", "places": [[0, 0xDFFF]]},
    ]
    assert answers.save(replace(attempt_row(solver), notes="a\0b\ud83d!"), turns=[turn_row(text="\udfff")]) == saved
    assert answers.check() == ()


def test_draft_and_event_data_are_repaired_too(answers: Answers, solver: str) -> None:
    answers.keep_draft(draft_row("x\0"))
    answers.keep_draft(draft_row("x\0"))
    assert answers.drafts(solver)[0].body == "x\ufffd"
    answers.append_events([replace(event_row(), data="\0")])
    assert [event.kind for event in answers.events("s1")] == ["text_repaired", "sort", "text_repaired"]


@pytest.mark.parametrize(
    ("statement", "bad"),
    [
        ("update attempt set notes = 'forged' where id = 'a1'", ("a1",)),
        ("update attempt set row_sha = substr(row_sha, 2) || 'x' where id = 'a2'", ("a2",)),
        ("update turn set text = 'forged'", ("s1/p1/1/1/solver",)),
        ("delete from turn", ("a1",)),
    ],
)
def test_changed_rows_are_found(path: Path, statement: str, bad: tuple[str, ...]) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        solver = started(answers)
        answers.save(attempt_row(solver), turns=[turn_row()])
        answers.save(attempt_row(solver, "a2", "p2"))
        assert answers.check() == ()
        answers._db.conn.set_authorizer(None)
        for table in ("attempt", "turn"):
            for verb in ("update", "delete"):
                answers._db.execute(f"drop trigger {table}_{verb}")
        answers._db.execute(statement)
        assert answers.check() == bad
        assert answers.check("s1") == bad
        assert answers.check("another session") == ()


def test_answer_that_reads_back_otherwise_is_not_acknowledged(path: Path) -> None:
    with Answers.open(path, journal=DELETE_EXTRA) as answers:
        solver = started(answers)
        answers._db.conn.set_authorizer(None)
        answers._db.execute("drop trigger attempt_update")
        answers._db.execute(
            "create trigger gremlin after insert on attempt"
            " begin update attempt set confidence = 1 where id = new.id; end"
        )
        with pytest.raises(StoreError, match="does not read back as it was saved"):
            answers.save(attempt_row(solver))


def test_digest_covers_every_column() -> None:
    row = attempt_row("solver")
    others: dict[str, object] = {
        name: ("x" if isinstance(getattr(row, name), str) or getattr(row, name) is None else 99)
        for name in AttemptRow.__slots__
        if name != "row_sha"
    }
    digests = {attempt_sha(replace(row, **{name: value}), ()) for name, value in others.items()}  # type: ignore[arg-type]
    assert len(digests | {attempt_sha(row, ()), attempt_sha(row, [SHA])}) == len(others) + 2
    assert attempt_sha(replace(row, row_sha=SHA), ()) == attempt_sha(row, ())
    assert canonical_text(["", None]) != canonical_text([None, ""])
