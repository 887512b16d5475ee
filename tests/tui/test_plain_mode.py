"""A whole session of each family in the line mode: what is said, what is stored, and that nothing steers a terminal."""

from __future__ import annotations

import json
import re

import pytest
from fake_desk import FakeDesk, puzzle, task
from fake_talk import BRIEFS, Talk
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_session import Transcript, typed

from engine.errors import ConflictError, StoreError
from engine.public import Draft

TEXTS = ("Dear all of you in the bakery", "Dear all, will you come early?", "Hello, a zoo of bakers is here, no?")
HOSTILE = "[/]\x1b[2J\x1b]52;c;aGk=\x07\x9b31m\u202e[red]x[/red]\x00\u200b\x85"


def kinds(desk: FakeDesk) -> list[tuple[str, str]]:
    return [(one.kind, one.data) for one in desk.happenings]


def test_a_puzzle_from_the_first_line_to_the_rules_behind_it() -> None:
    desk = FakeDesk()
    said = typed(
        desk, "play short", "story", "rows vent n>=2", "sort share", "pin 5", "pin 6", "compare", "mark 1 +",
        "mark vent vetoes", "mark", "strike 3", "note purge kills", "hint", "undo", "redo", "answer filled 75",
        "reveal", "next", "quit",
    )  # fmt: skip
    assert said.code == 0 and said.err == ""
    for text in (
        "short     4 events  0 of 3 answered", "Which is likelier for the tank: filled or empty?", puzzle(1).text,
        "6 of 16 rows; filter: vent n>=2", "sorted by share, high first", "pinned: 5, 6", "differs: load 2 / 8",
        "vent: - vetoes", "row 3 struck out", "purge kills", "ok Right. Likelier is filled.", "exactly 68.8 %",
        "saved, 1 of 3 short puzzles answered", "1. Seal fills the tank", "row 2: seal", "item 2/3",
    ):  # fmt: skip
        assert text in said.out, text
    (answer,) = desk.answers
    assert (answer.answer, answer.confidence, answer.notes) == ("PRESENT", 75, "purge kills")
    assert answer.text_sha == puzzle(1).text_sha and answer.answer_id[14] == "7"
    wanted = [("sort", "share"), ("pin", "c05"), ("mark", "E1 +"), ("strike", "c03"), ("note", "11"), ("undo", "")]
    assert [one for one in kinds(desk) if one in wanted] == wanted
    assert len(desk.threads) == 1 and desk.closed


def test_a_fourth_pin_says_in_lines_too_which_row_made_room() -> None:
    said = typed(FakeDesk(), "play short", "pin 2", "pin 3", "pin 4", "pin 5", "pin 5", "quit")
    assert "pinned: 3, 4, 5\nrow 2 made room: 3 pins at most\n" in said.out
    assert said.out.count("made room") == 1


def test_a_conversation_turn_by_turn_with_a_conflict_report() -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk()])
    lines = ["write"]
    for nth, text in enumerate(TEXTS, start=1):
        lines += ["edit", text, ".", "list", "turns", *(["turns 1"] if nth == 2 else [])]
        lines += ["conflict R3 R6 Dear or Hello"] if nth == 3 else []
        lines += ["send"]
    said = typed(desk, *lines, "quit")
    assert said.code == 0
    for text in (
        "turn 1 of 3", *BRIEFS, "3 in force; 3 of 3 met", "NEW End with", "dropped, must NOT hold",
        "for someone else: ", "disputed: Begin", "what you wrote", "saved: turn 1 of 3", "Turn 3\nok All met",
        "saved, 1 of 1 writing tasks",
    ):  # fmt: skip
        assert text in said.out, text
    assert said.out.index(BRIEFS[1]) > said.out.index("saved: turn 1 of 3")
    assert [(one.turn, one.raw) for one in desk.answers] == list(enumerate(TEXTS, start=1))
    (report,) = [json.loads(one.data) for one in desk.happenings if one.kind == "conflict"]
    assert report == {"turn": 3, "first": "R3", "second": "R6", "note": "Dear or Hello"}


def test_a_collection_lists_counts_and_checks_nothing_and_a_text_may_be_changed() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1, collects=True)], collects=True, aid="A0")
    said = typed(
        desk, "skip", "continue", "list", "edit", "Dear z", ".", "text", "mark 12 words", "tick 1", "send",
        "revise", "edit 1", "Dear", ".", "send", "next", "quit",
    )  # fmt: skip
    assert "no command 'list' here" in said.out and "[x] 12 words" in said.out and "Saved." in said.out
    assert not re.search(r"\bmet\b|\d words?[.,]|in force|verdict", said.out)
    assert "judge" not in desk.called and [one.raw for one in desk.answers] == ["Dear z", "Dear"]
    assert desk.answers[1].revises == desk.answers[0].answer_id != desk.answers[1].answer_id
    assert [one.kind for one in desk.happenings if one.kind in ("open", "revise", "underline")] == [
        "open", "underline", "underline", "revise",
    ]  # fmt: skip


def test_the_story_alone_is_told_where_the_session_has_no_table() -> None:
    said = typed(FakeDesk(aid="A0"), "play short", "rows", "pin 1", "underline load of 2", "answer empty 60", "quit")
    assert said.out.count("no command") == 2 and "underlined: load of 2" in said.out and "Not this time." in said.out
    assert "overlap" not in said.out and "share" not in said.out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "no command 'nonsense' here; help says what can be typed"),
        ("s", "no command 's' here; story, sort, strike, skip"),
        ("rows nosuch", "the filter, at character 1: no such event"),
        ("rows load<", "at character 6: something to compare with is missing"),
        ("sort by luck", "sort 'by luck': one of number, share, length, overlap is right"),
        ("pin 99", "row '99' is not one of 1 to 16"),
        ("pin \u0663", "is not one of 1 to 16"),
        ("compare", "no row is pinned"),
        ("mark 1 !", "mark '!': one of . + - ? is right"),
        ("mark 9 +", "step '9' is not one of 1 to 4"),
        ("mark nosuch +", "step 'nosuch': one of prime, seal, vent, purge is right"),
        ("answer", "answer filled 80: an outcome, and how sure"),
        ("answer filled", "answer filled 80: an outcome, and how sure"),
        ("answer filled 77", "answer filled 80: an outcome, and how sure"),
        ("answer 80", "answer filled 80: an outcome, and how sure"),
        ("answer nosuch 80", "outcome 'nosuch': one of filled, empty is right"),
        ("skip", "skip '': a reason is needed, one of tired, unclear, technical"),
        ("undo", "nothing to undo"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_one_line_and_the_session_goes_on(line: str, says: str) -> None:
    desk = FakeDesk()
    said = typed(desk, "play short", line, "answer filled unknown", "quit")
    assert says in said.out and said.code == 0
    assert [one.confidence for one in desk.answers] == [50] and ("dont_know", "") in kinds(desk)


def test_edit_takes_lines_replaces_some_and_can_be_taken_back() -> None:
    desk = FakeDesk(puzzles=[], tasks=[task(1)])
    said = typed(
        desk, "write", "edit", "one", "", "..", "three\x07\t", ".", "edit 2-3", "two", ".", "edit +", "four", ".",
        "undo", "redo", "edit 9", "edit 3-1", "edit 1", ".", "text", "send", "quit",
    )  # fmt: skip
    assert desk.answers[0].raw == "two\nthree\t\nfour"
    assert "1 characters of that line left out" in said.out and "+ or lines such as 2 or 2-4 are right" in said.out
    assert "the first line comes first" in said.out


def test_a_resumed_draft_is_gone_on_with_and_sent_as_the_same_answer() -> None:
    desk = FakeDesk(puzzles=[], talks=[Talk()])
    typed(desk, "write", "edit", TEXTS[0], ".", "send", "edit", "so far", ".", "conflict a b", "mark window")
    kept = desk.drafts[-1]
    assert (kept.turn, kept.text) == (2, "so far")
    said = typed(desk, "text", "conflict", "mark", "edit +", "and on?", ".", "send", "quit", resume=True)
    assert "1 so far" in said.out and "[x] a conflict between a and b" in said.out and "[ ] window" in said.out
    assert desk.answers[1].raw == "so far\nand on?" and desk.answers[1].answer_id == kept.answer_id
    assert ("resume", "") in kinds(desk)


def test_skip_and_pause_and_stop() -> None:
    desk = FakeDesk()
    said = typed(desk, "play short", "pause", "", "skip tired", "next", "quit")
    assert "Paused." in said.out and "Skipped, and saved as skipped." in said.out and "item 2/3" in said.out
    assert [(one.answer, one.reason) for one in desk.answers] == [("SKIP", "tired")]
    assert [one for one in kinds(desk) if one[0] in ("pause", "back")] == [("pause", ""), ("back", "pause")]


def test_a_failed_answer_is_the_same_one_when_it_is_sent_again() -> None:
    desk = FakeDesk(failures={"submit": [StoreError("the disk is full", hint="free some space")]})
    said = typed(desk, "play short", "answer filled 80", "answer filled 80", "quit")
    assert "the disk is full (free some space)" in said.out and "Right." in said.out
    assert len(desk.answers) == 1 and desk.answers[0].answer_id == desk.drafts[-1].answer_id


def test_a_failed_draft_is_said_once_and_tried_again() -> None:
    desk = FakeDesk(failures={"keep": [StoreError("busy")] * 2})
    said = typed(desk, "play short", "note a", "note b", "note c", "home", "quit")
    assert said.out.count("not saved: busy") == 1 and "saved again" in said.out
    assert desk.drafts[-1].notes == "a\nb\nc" and said.err == ""


def test_an_answer_given_in_another_window_stands() -> None:
    desk = FakeDesk(failures={"submit": [ConflictError("the first answer stays")]})
    said = typed(desk, "play short", "answer filled 80", "quit")
    assert "that answer stands" in said.out and said.code == 0 and ("not_taken", "PRESENT 80") in kinds(desk)


def hostile_sessions() -> list[tuple[FakeDesk, tuple[str, ...]]]:
    def spoiled(word: str) -> str:
        return word + HOSTILE

    one = puzzle(1, words=spoiled)
    puzzles = FakeDesk(
        puzzles=[one], rule=HOSTILE, pack_title=HOSTILE, player=HOSTILE,
        drafts=[Draft(puzzle_id="p4-1", notes=HOSTILE, filter=HOSTILE, sort=HOSTILE)],
    )  # fmt: skip
    talks = FakeDesk(puzzles=[], talks=[Talk(words=spoiled)])
    clean = HOSTILE.replace("\n", "")
    return [
        (puzzles, ("continue", "story", "rows", "rows " + clean, "pin 1", "compare", "note", "note " + clean, clean,
                   "answer " + clean, "answer filled 80", "reveal", "home", "history", "history 1", "quit")),
        (talks, ("write", "edit", clean, ".", "list", "text", "mark " + clean, "conflict a b " + clean, "conflict",
                 "send", "turns", "turns 1", "quit")),
    ]  # fmt: skip


def steering(said: Transcript) -> list[str]:
    return re.findall(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e]", said.out + said.err)


def test_hostile_text_is_spelled_out_and_the_stream_holds_no_escape_sequence() -> None:
    for desk, lines in hostile_sessions():
        said = typed(desk, *lines)
        assert steering(said) == [] and "␛[2J" in said.out and "<U+202E>" in said.out and said.code == 0


def test_the_check_for_steering_sees_an_escape() -> None:
    said = typed(FakeDesk(), "quit")
    said.out += "\x1b"
    assert steering(said) == ["\x1b"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=8))
def test_anything_can_be_typed(lines: list[str]) -> None:
    for desk, opening in ((FakeDesk(), "play short"), (FakeDesk(puzzles=[], tasks=[task(1)]), "write")):
        said = typed(desk, opening, *(line.replace("\n", " ") for line in lines))
        assert said.code in (0, 129) and steering(said) == []


def test_a_line_that_is_not_utf8_is_left_out_and_said() -> None:
    said = Transcript(FakeDesk(), b"play short\nnote \xff\nnote ok\nquit\n", resume=False, moments=None)
    assert "not UTF-8 at byte 6" in said.out and said.code == 0


def test_an_unexpected_error_tells_no_value(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("CLEW_DATA_DIR", str(tmp_path))
    desk = FakeDesk(failures={"history": [KeyError("gold-canary")]})
    said = typed(desk, "quit")
    assert said.code == 1 and "gold-canary" not in said.out + said.err and len(said.err.splitlines()) == 3
    (crash,) = (tmp_path / "log").glob("crash-*")
    assert "gold-canary" not in crash.read_text()


def test_a_pack_that_cannot_be_opened_is_one_line_with_its_code() -> None:
    said = typed(FakeDesk(broken=StoreError("no pack at 'x.db'", hint="clew generate")))
    assert (said.code, said.out, said.err) == (2, "", "clew: no pack at 'x.db' (clew generate)\n")


def test_when_all_is_done_the_line_mode_says_so() -> None:
    said = typed(FakeDesk(puzzles=[puzzle(1)]), "play", "answer filled 60", "next", "quit")
    assert "all done: every puzzle of short is answered" in said.out and "ok 1 of 1 short puzzles answered" in said.out
