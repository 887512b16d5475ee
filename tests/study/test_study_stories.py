"""Failure stories of other tools that no other test tells; docs/study_failures.md lists where each is told."""

from __future__ import annotations

import io
import re
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.public import Happening, Presented, PresentedTask
from engine.store.collected import read_collected
from engine.store.scores import Scores
from engine.study.gathering import study_data
from engine.study.trials import Trial
from tests.study.study_world import Lab, Time, answer_to, says, walk
from tests.study.test_study_merge import content
from tui.moments import Moments
from tui.plain.run import play
from tui.wording import Words

ROOT = Path(__file__).parents[2]
STORIES = ROOT / "docs" / "study_failures.md"


def told() -> list[tuple[int, str]]:
    """Return number and last cell of each row of the table."""
    rows = re.findall(r"^\| (\d+) \|.*\| (.+?) \|$", STORIES.read_text(encoding="utf-8"), re.M)
    return [(int(number), where) for number, where in rows]


def named_in(text: str) -> list[tuple[str, str]]:
    """Return the tests that a cell names: file and function."""
    return re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text)


def test_every_story_is_a_test_or_has_a_line() -> None:
    rows = told()
    assert [number for number, _ in rows] == list(range(1, 33))
    for number, where in rows:
        named = named_in(where)
        assert named or where.startswith("cannot occur: "), number
        for file, name in named:
            assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), (number, name)


def test_two_sittings_of_one_second_are_two_sessions(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=1)
    lab.time.now, lab.time.seconds = lab.time.now.replace(second=0), 0.0
    lab.play("ada-lab", items=2)
    found = read_collected(lab.answers("ada-lab"))
    collecting = [row for row in found.sessions if row.mode == "collect"]
    assert len(collecting) == 2 and len({row.id for row in collecting}) == 2
    assert len(found.attempts) == 4  # practice, one item, two more: nothing was overwritten


def test_codes_that_hold_each_other_are_refused(lab: Lab) -> None:
    lab.freeze(systems=6, attention="0", repeats="0")
    lab.recruit("person")
    for near in ("person_2", "a-person"):
        assert "hold each other" in lab.clew("study", "plan", lab.home, "--code", near, code=2).err
    lab.recruit("somebody")
    with lab.study() as study:
        assert [place.code for place in study.file.places()] == ["person", "somebody"]


def test_scoring_and_reporting_leave_the_raw_rows_alone(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    lab.merge("ada-lab")
    before = content(lab.home / "answers.db")
    for _ in range(2):
        lab.clew("study", "score", lab.home)
        lab.clew("study", "report", lab.home, "--out", lab.folder / "report")
        lab.clew("study", "status", lab.home)
    assert content(lab.home / "answers.db") == before


def test_only_the_submitted_field_is_scored(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0")
    lab.recruit("ada-lab")
    gold = lab.gold()
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        for _ in walk(desk, lab.time, says("PRESENT"), items=0):
            pass
        shown = desk.present(desk.stage().puzzle_id)
        wrong = "ABSENT" if gold[shown.puzzle_id] == "PRESENT" else "PRESENT"
        right = gold[shown.puzzle_id]
        desk.submit(answer_to(shown, wrong, notes=f"ANSWER: {right}\n{right} {right}"))
    lab.merge("ada-lab")
    lab.clew("study", "score", lab.home)
    with lab.study() as study:
        (trial,) = [one for one in study_data(study).people[0].main if one.status == "answered"]
        with Scores.open(study.scores) as scores:
            assert next(row.correct for row in scores.scores() if row.attempt == trial.attempt) == 0


def test_an_answer_without_a_score_is_an_error_and_never_a_zero(lab: Lab) -> None:
    from audits.people.evidence import load
    from audits.people.findings import study_findings

    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=2)
    lab.merge("ada-lab")
    lab.clew("study", "score", lab.home)
    lab.play("ada-lab")
    lab.merge("ada-lab")
    with lab.study() as study, pytest.raises(UsageError, match="is not scored yet"):
        study_findings(load(study))


class Typed(io.BytesIO):
    """Lines of a person who takes time: a number is so many seconds before the next line."""

    def __init__(self, time: Time, *typed: str | int) -> None:
        super().__init__()
        self._time, self._typed = time, list(typed)

    def readline(self, limit: int | None = -1) -> bytes:
        while self._typed and isinstance(self._typed[0], int):
            self._time.pass_by(int(self._typed.pop(0)))
        return f"{self._typed.pop(0)}\n".encode() if self._typed else b""


def in_lines(lab: Lab, *typed: str | int) -> str:
    """Hold a sitting of Ada's in the line mode, on the laboratory's clock; return the transcript."""
    moments, out = Moments(monotonic=lab.time.monotonic, now=lambda: lab.time.now), io.StringIO()
    play(lab.desk("ada-lab"), source=Typed(lab.time, *typed), out=out, err=io.StringIO(), moments=moments)
    return out.getvalue()


def first_item(lab: Lab, **changes: str) -> str:
    """Begin a study of two puzzles as Ada, up to the first; return a line that answers it."""
    lab.freeze(systems=2, attention="0", repeats="0", hidden_systems="0", max_age_h="48", **changes)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        assert list(walk(desk, lab.time, says("PRESENT"), items=0))
        shown = desk.present(desk.stage().puzzle_id)
        assert isinstance(shown, Presented)
        return f"answer {Words(shown.legend).outcome('PRESENT')} 80"


def only_trial(lab: Lab) -> Trial:
    lab.merge("ada-lab")
    with lab.study() as study:
        (trial,) = [one for one in study_data(study).people[0].main if one.attempt]
    return trial


def test_the_whole_time_of_an_item_goes_on_over_a_pause_a_kill_and_a_day_away(lab: Lab) -> None:
    answer = first_item(lab)
    lab.time.pass_by(50)
    first = lab.time.clock()
    with closing(lab.desk("ada-lab")) as desk:
        # What a kill leaves of an item that was on screen for less than it takes to keep a draft.
        item = desk.present(desk.stage().puzzle_id).puzzle_id
        desk.log((Happening(puzzle_id=item, t_ms=0, kind="clock", data=first),))
    lab.time.pass_by(60)
    in_lines(lab, 120, "pause", 600, "", 5, "home")
    lab.time.pass_by(24 * 3600)
    in_lines(lab, "next", 10, answer)
    trial = only_trial(lab)
    assert trial.resumed and trial.shown_at == first
    assert (trial.rt_ms_active, trial.rt_ms_wall) == (135_000, (60 + 120 + 600 + 5 + 24 * 3600 + 10) * 1000)


def test_an_item_that_ran_out_of_time_was_first_shown_when_it_was_opened(lab: Lab) -> None:
    first_item(lab, item_limit_s="300")
    opened = lab.time.clock()
    in_lines(lab, "pause", 40, "", 301, "help")
    trial = only_trial(lab)
    assert (trial.status, trial.shown_at) == ("timeout", opened)
    assert (trial.rt_ms_active, trial.rt_ms_wall) == (301_000, 341_000)


def test_an_item_of_a_block_begun_anew_has_a_whole_time_of_its_own(lab: Lab) -> None:
    answer = first_item(lab, policy="restart_block", block_items="2")
    in_lines(lab, 30, answer, "home")
    lab.time.pass_by(3600)
    again = lab.time.clock()
    in_lines(lab, 20, answer)
    lab.merge("ada-lab")
    with lab.study() as study:
        trials = [one for one in study_data(study).people[0].trials if one.status == "answered"]
    assert [(one.exposure, one.rt_ms_wall) for one in trials] == [(1, 30_000), (2, 20_000)]
    assert trials[1].shown_at == again


def test_the_whole_time_of_a_conversation_begins_with_its_first_turn(lab: Lab) -> None:
    made = lab.folder / "writing"
    lab.clew(
        "generate", "instruction-adherence", "--mode", "multi", "--count", "1", "--constraints", "4", "--secret-seed",
        "--out", made,
    )  # fmt: skip
    lab.write(["writing"], model="m", hidden_systems="0", writing="0", attention="0", repeats="0")
    lab.clew("study", "freeze", lab.config, "--out", lab.home)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        assert list(walk(desk, lab.time, says("PRESENT"), items=0))
        shown = desk.present(desk.stage().puzzle_id)
        assert isinstance(shown, PresentedTask) and shown.turns > 1
    first = lab.time.clock()
    in_lines(lab, "edit", "A text", ".", 100, "send", "home")
    lab.time.pass_by(3600)
    for turn in range(2, shown.turns + 1):
        in_lines(lab, "next", "edit", "A text", ".", 20, "send" if turn < shown.turns else "send 80", "home")
    trial = only_trial(lab)
    seconds = 100 + 20 * (shown.turns - 1)
    assert trial.status == "answered" and trial.shown_at == first
    assert (trial.rt_ms_active, trial.rt_ms_wall) == (seconds * 1000, (seconds + 3600) * 1000)


def test_leaving_at_every_stage_loses_nothing_that_was_said(lab: Lab) -> None:
    """Quit after each stage and come back: the rows are the acts, and the next stage is the next one."""
    lab.freeze(systems=3, writing=1, block_items="2", attention="0", repeats="0")
    lab.recruit("ada-lab")
    kinds = []
    for _ in range(40):
        with closing(lab.desk("ada-lab")) as desk:
            desk.open()
            stage = next(walk(desk, lab.time, says("PRESENT")), None)
        if stage is None:
            break
        kinds.append(stage.key)
    assert kinds[:3] == ["consent", "intake", "instructions"] and len(kinds) == len(set(kinds))
    found = read_collected(lab.answers("ada-lab"))
    assert len(found.attempts) == sum(key.startswith(("item", "practice")) for key in kinds) == 6


@pytest.mark.slow
def test_a_crowd_of_scripted_people_plays_whole_studies(lab: Lab) -> None:
    """Thirty people, a third of whom stop coming after one item: every item of everybody is accounted for."""
    lab.freeze(
        systems=4,
        attention="0",
        repeats="0",
        hidden_systems="0",
        raters_per_item="30",
        people="30",
        items_per_person="2",
    )
    codes = [f"crowd-{nth:03d}" for nth in range(30)]
    lab.clew("study", "plan", lab.home, *(part for code in codes for part in ("--code", code)))
    lab.clew("study", "pack", lab.home, "--out", lab.folder / "all")
    shared = lab.folder / "machine" / "answers.db"
    for nth, code in enumerate(codes):
        with closing(lab.desk(code, bundle=lab.folder / "all", answers=shared)) as desk:
            desk.open()
            for _ in walk(desk, lab.time, says("PRESENT" if nth % 2 else "ABSENT"), items=None if nth % 3 else 1):
                pass
    lab.clew("study", "merge", lab.home, shared)
    with lab.study() as study:
        data = study_data(study)
    assert len(data.people) == 30 and data.models == ()
    answered = sum(person.counts().answered for person in data.people)
    assert answered == 20 * 2 + 10 * 1
    assert all(person.counts().expected == 2 for person in data.people)
    assert {trial.kind for person in data.people for trial in person.trials} == {"human"}
