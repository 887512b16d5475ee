"""The participant's desk: stages, practice, skips, undo, limits, leaving and coming back, each act a row at once."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from engine.canonical import text_digest
from engine.errors import ConflictError, StoreError, UsageError
from engine.public import Answer, Draft, Happening, Presented, PresentedTask, StageAnswer
from engine.randomness import Stream
from engine.store.collected import read_collected
from engine.store.sealed import Sealed
from engine.study import marks
from engine.study.compiling import compile_study
from engine.study.desk import StudyDesk
from engine.study.manifest import manifest_sha
from engine.study.trials import Person
from tests.study.study_world import Lab, answer_to, draft_of, says, walk


def person(lab: Lab, code: str) -> Person:
    """Return a participant as compiled from their own machine's file."""
    with lab.study() as study:
        data = compile_study(
            study.manifest, read_collected(lab.answers(code)), lambda solver: lambda a, b: ("scored", "")
        )
    return next(one for one in data.people if one.code == code)


def step(desk: StudyDesk, word: str = "next", chosen: tuple[int, ...] = ()) -> None:
    desk.take(StageAnswer(key=desk.stage().key, word=word, chosen=chosen))  # type: ignore[arg-type]


def reach_items(desk: StudyDesk, lab: Lab) -> None:
    """Go on to the first item of the study."""
    desk.open()
    for _ in walk(desk, lab.time, says("PRESENT"), items=0):
        pass
    assert desk.stage().kind == "item"


def shown_at(desk: StudyDesk) -> Presented | PresentedTask:
    return desk.present(desk.stage().puzzle_id)


# Consent --------------------------------------------------------------------------------------------------------------


def test_nothing_is_stored_before_the_consent(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        assert desk.open().first_time and desk.stage().kind == "consent"
        desk.log((Happening(puzzle_id="", t_ms=5, kind="resize", data="80x24"),))
        desk.keep(draft_of_nothing())
        with pytest.raises(UsageError, match="does not take 'next'"):
            step(desk)
        with pytest.raises(UsageError, match="not at hand"):
            desk.present(read_first_item(lab))
        found = read_collected(lab.answers("ada-lab"))
        assert (found.solvers, found.sessions, found.events, found.assignments) == ((), (), (), ())
        step(desk, "agree")
    found = read_collected(lab.answers("ada-lab"))
    (solver,), (study,) = found.solvers, found.studies
    assert solver.alias == "ada-lab" and solver.consent_at == lab.time.clock()
    with lab.study() as opened:
        assert study.config_sha == opened.sha == text_digest(study.config)
        consent = json.loads(found.events[0].data)
        assert consent["text_sha"] == text_digest(opened.manifest.consent.text) and consent["version"] == "1"
    assert [event.kind for event in found.events] == [marks.CONSENT, marks.LIST, marks.PASSED]
    assert len(found.assignments) == 4 and {row.manifest_sha for row in found.sessions} == {study.id}


def draft_of_nothing() -> Draft:
    return Draft(puzzle_id="0" * 32, notes="early")


def read_first_item(lab: Lab) -> str:
    with lab.study() as study:
        return study.manifest.items[0].uid


def test_whoever_declines_leaves_nothing_and_may_think_again(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        step(desk, "decline")
        assert desk.stage().kind == "end" and "nothing was stored" in desk.stage().text
        assert read_collected(lab.answers("ada-lab")).solvers == ()
    with closing(lab.desk("ada-lab")) as desk:
        assert desk.open().first_time and desk.stage().kind == "consent"


# The way to the items -------------------------------------------------------------------------------------------------


def test_the_stages_come_in_order_and_each_is_left_once(lab: Lab) -> None:
    lab.freeze(systems=4, writing=1, block_items="3")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        kinds = [stage.kind for stage in walk(desk, lab.time, says("PRESENT"))]
        assert desk.stage().kind == "end"
        items = len(desk._slots)
    assert kinds[:3] == ["consent", "intake", "instructions"]
    assert kinds[3:6] == ["practice", "practice", "check"]
    # The one writing task comes again unless its attention task was met first.
    assert kinds.count("item") == items in (8, 9) and kinds.count("break") == 1
    found = person(lab, "ada-lab")
    assert found.ended == "finished" and found.counts().answered == 5
    assert found.intake == {"prior_exposure": 0, "is_author": 0} and found.checks == (True,)
    assert {trial.role for trial in found.trials} == {"main", "attention", "repeat", "practice"}
    assert all(trial.prompt_matches for trial in found.trials)
    assert sorted(trial.position for trial in found.trials if trial.position >= 0) == list(range(items))


def test_practice_has_feedback_and_the_study_has_none(lab: Lab) -> None:
    lab.freeze(systems=2, writing=1, attention="0", repeats="0")
    lab.recruit("ada-lab")
    receipts = {}
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()

        def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
            return answer_to(shown, "PRESENT")

        while (stage := desk.stage()).kind != "end":
            if stage.kind in ("practice", "item"):
                receipts[stage.key] = desk.submit(answer(desk.present(stage.puzzle_id), 0))
            else:
                step(desk, stage.words[0], {"intake": (0, 0), "check": (0, 1, 2)}.get(stage.kind, ()))
        practised = [receipts[key] for key in receipts if key.startswith("practice")]
        others = [receipts[key] for key in receipts if key.startswith("item")]
        for forbidden in (
            lambda: desk.judge("x", "y"), lambda: desk.hint("x", 1), lambda: desk.reveal("x"), desk.players
        ):  # fmt: skip
            with pytest.raises(UsageError, match="nothing about an answer is shown"):
                forbidden()
        assert desk.history() == ()
    assert any(one.reveal is not None and one.reveal.rules for one in practised)
    assert any(one.judged for one in practised)
    assert all(one.reveal is None and one.judged == () and one.notice == "" for one in others) and len(others) == 3
    found = read_collected(lab.answers("ada-lab"))
    modes = {row.id: row.mode for row in found.sessions}
    assert sorted(modes[row.session] for row in found.attempts) == ["collect"] * 3 + ["practice"] * 2


def test_the_verdict_of_practice_is_the_true_one(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab", "ben-lab")
    right = []
    for code, label in (("ada-lab", "PRESENT"), ("ben-lab", "ABSENT")):
        with closing(lab.desk(code)) as desk:
            desk.open()
            for stage in walk(desk, lab.time, says(label), items=0):
                if stage.kind == "instructions":
                    break
            reveal = desk.submit(answer_to(shown_at(desk), label)).reveal
            assert reveal is not None and reveal.correct == (reveal.label == label)
            right.append(reveal.correct)
    assert sorted(right) == [False, True]


@pytest.mark.parametrize("on_fail", ["end", "continue"])
def test_failing_the_check_is_counted_before_any_item(lab: Lab, on_fail: str) -> None:
    lab.freeze(systems=2, on_fail=on_fail, exclusions="[{rule: comprehension-failed, limit: 1}]")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        while desk.stage().kind != "check":
            stage = desk.stage()
            if stage.kind == "practice":
                desk.submit(answer_to(shown_at(desk), "PRESENT"))
            else:
                step(desk, stage.words[0], (0, 0) if stage.kind == "intake" else ())
        with pytest.raises(UsageError, match="one for each of 3"):
            step(desk, "next", (0,))
        with pytest.raises(UsageError, match="options"):
            step(desk, "next", (0, 1, 9))
        step(desk, "next", (2, 2, 2))
        assert desk.stage().kind == "check" and "once more" in desk.stage().text
        step(desk, "next", (2, 2, 2))
        assert desk.stage().kind == ("end" if on_fail == "end" else "item")
    found = person(lab, "ada-lab")
    assert found.checks == (False, False) and found.ended == ("failed-check" if on_fail == "end" else "")
    assert {trial.status for trial in found.main} == {"missing"}
    lab.merge("ada-lab")
    assert "comprehension-failed 1" in lab.clew("study", "status", lab.home).out


def test_items_ahead_are_never_shown(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        here = desk.stage().puzzle_id
        ahead = next(slot.puzzle_id for slot in desk._slots if slot.puzzle_id != here)
        with pytest.raises(UsageError, match="is not at hand"):
            desk.present(ahead)
        with pytest.raises(ConflictError, match="not at hand"):
            desk.submit(answer_to(shown_at(desk), "PRESENT", puzzle_id=ahead))
        assert desk.next_task() is None and desk.next() == shown_at(desk)


# Answers --------------------------------------------------------------------------------------------------------------


def test_an_answer_may_be_changed_until_the_next_item_opens(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        first = shown_at(desk)
        given = answer_to(first, "PRESENT")
        desk.submit(given)
        assert desk.submit(given).answer_id == given.answer_id
        changed = answer_to(first, "ABSENT", revises=given.answer_id, confidence=60)
        desk.submit(changed)
        with pytest.raises(ConflictError, match="first answer stays"):
            desk.submit(answer_to(first, "PRESENT", revises=given.answer_id))
        second = desk.stage().puzzle_id
        desk.present(second)
        desk.log((Happening(puzzle_id=second, t_ms=9, kind="open"),))
        with pytest.raises(ConflictError):
            desk.submit(answer_to(first, "PRESENT", revises=changed.answer_id))
    (trial,) = [one for one in person(lab, "ada-lab").main if one.status == "answered"]
    assert (trial.answer, trial.n_revisions, trial.confidence) == ("ABSENT", 1, 60)
    rows = [row for row in read_collected(lab.answers("ada-lab")).attempts if row.puzzle_id == first.puzzle_id]
    assert [(row.attempt_no, row.answer) for row in rows] == [(1, "PRESENT"), (2, "ABSENT")]


def test_without_undo_the_first_answer_stays(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", undo="false")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        first = shown_at(desk)
        given = answer_to(first, "PRESENT")
        desk.submit(given)
        with pytest.raises(ConflictError):
            desk.submit(answer_to(first, "ABSENT", revises=given.answer_id))


def test_skips_need_a_reason_and_run_out(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        assert desk.skips_left() == 1
        skip = answer_to(shown_at(desk), "SKIP", confidence=None)
        with pytest.raises(UsageError, match="needs a reason"):
            desk.submit(skip)
        desk.submit(answer_to(shown_at(desk), "SKIP", confidence=None, reason="unclear"))
        assert desk.skips_left() == 0
        with pytest.raises(UsageError, match="no skip is left"):
            desk.submit(answer_to(shown_at(desk), "SKIP", confidence=None, reason="tired"))
    (trial,) = [one for one in person(lab, "ada-lab").main if one.status == "skipped"]
    assert trial.reason == "unclear"


def test_an_item_that_runs_out_of_time_is_one_timeout_with_its_draft(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0", item_limit_s="300")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        assert desk.stage().limit_s == 300
        shown = shown_at(desk)
        draft = draft_of(shown, answer="PRESENT", notes="almost", visible_ms=300_000)
        desk.keep(draft)
        receipt = desk.expire(draft)
        assert desk.stage().puzzle_id != shown.puzzle_id and receipt.reveal is None
        with pytest.raises(ConflictError):
            desk.expire(draft)
        assert desk.skips_left() == 1
    (trial,) = [one for one in person(lab, "ada-lab").main if one.status == "timeout"]
    assert trial.rt_ms_active == 300_000
    (event,) = [one for one in read_collected(lab.answers("ada-lab")).events if one.kind == marks.TIMEOUT]
    assert json.loads(event.data)["notes"] == "almost"


def test_an_answer_in_the_tick_of_the_limit_stays_the_only_one(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0", item_limit_s="300")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        shown = shown_at(desk)
        given = answer_to(shown, "PRESENT", ms=299_900)
        desk.submit(given)
        with pytest.raises(ConflictError):
            desk.expire(draft_of(shown, answer_id=given.answer_id, visible_ms=300_000))
    (trial,) = [one for one in person(lab, "ada-lab").main if one.status != "missing"]
    assert (trial.status, trial.rt_ms_active) == ("answered", 299_900)


def test_a_text_is_kept_byte_for_byte_and_an_empty_one_is_a_skip(lab: Lab) -> None:
    lab.freeze(systems=0, writing=3, hidden_systems="0", attention="0", repeats="0", model="some-model")
    lab.recruit("ada-lab")
    texts = ['  e\u0301 tab\there, quote " and \u202e\n\n', "   \n", "plain words"]
    given = iter(texts)
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()

        def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
            practice = desk.stage().kind == "practice"
            return answer_to(shown, None, raw="practice" if practice else next(given))

        for _ in walk(desk, lab.time, answer):
            pass
    found = read_collected(lab.answers("ada-lab"))
    stored = {turn.text for turn in found.turns if turn.role == "assistant"}
    assert stored == {*texts, "practice"}
    statuses = sorted((trial.status, trial.reason) for trial in person(lab, "ada-lab").main)
    assert statuses == [("answered", ""), ("answered", ""), ("skipped", "empty")]


def test_a_foreign_text_is_refused(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        with pytest.raises(UsageError, match="not the one of this study"):
            desk.submit(answer_to(shown_at(desk), "PRESENT", text_sha="0" * 64))


# Going away and coming back -------------------------------------------------------------------------------------------


def test_whoever_comes_back_goes_on_where_they_were(lab: Lab) -> None:
    lab.freeze(systems=4, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=2)
    with closing(lab.desk("ada-lab")) as desk:
        session = desk.open()
        assert not session.first_time and session.mode == "collect"
        here = desk.stage()
        assert (here.kind, here.nth) == ("item", 3)
        desk.keep(draft_of(shown_at(desk), answer="ABSENT", visible_ms=4000))
    lab.time.pass_by(600)
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        draft = desk.draft()
        assert desk.stage() == here and draft is not None and (draft.answer, draft.visible_ms) == ("ABSENT", 4000)
        assert desk.draft(draft.puzzle_id) == draft and desk.draft("0" * 32) is None
        assert [shelf.answered for shelf in desk.shelves()] == [2]
    found = read_collected(lab.answers("ada-lab"))
    collecting = [row for row in found.sessions if row.mode == "collect"]
    assert [row.resumed_from for row in collecting] == [None, collecting[0].id, collecting[1].id]
    gaps = [int(event.data) for event in found.events if event.kind == marks.RESUMED]
    assert gaps[-1] == 600


@pytest.mark.parametrize(
    ("policy", "hours", "end"), [("resume", 25, "expired"), ("refuse", 1, "refused"), ("resume", 23, "")]
)
def test_the_rule_for_coming_back_is_the_studys(lab: Lab, policy: str, hours: int, end: str) -> None:
    lab.freeze(systems=3, policy=policy, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=1)
    lab.time.pass_by(hours * 3600)
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        assert (desk.stage().kind == "end") == bool(end)
    found = person(lab, "ada-lab")
    assert found.ended == end and found.counts().answered == 1


def test_a_block_that_was_left_begins_anew_and_only_first_exposures_count(lab: Lab) -> None:
    lab.freeze(systems=4, policy="restart_block", block_items="2", attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", says("PRESENT"), items=3)
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        stage = desk.stage()
        assert (stage.kind, stage.nth) == ("item", 3)
        for _ in walk(desk, lab.time, says("ABSENT")):
            pass
    found = person(lab, "ada-lab")
    exposures = sorted((trial.position, trial.exposure, trial.answer) for trial in found.trials if trial.position >= 0)
    assert exposures == [(0, 1, "PRESENT"), (1, 1, "PRESENT"), (2, 1, "PRESENT"), (2, 2, "ABSENT"), (3, 1, "ABSENT")]
    assert [trial.answer for trial in found.main] == ["PRESENT", "PRESENT", "PRESENT", "ABSENT"]


def test_hours_without_a_key_lose_nothing(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        shown = shown_at(desk)
        lab.time.pass_by(3 * 3600)
        desk.submit(answer_to(shown, "PRESENT"))
    assert person(lab, "ada-lab").counts().answered == 1


def test_stopping_keeps_what_was_answered(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=1, end="stop")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        assert desk.stage().kind == "end" and "You stopped here" in desk.stage().text
        assert desk.stage().words == ("next", "withdraw")
    found = person(lab, "ada-lab")
    assert (found.ended, found.counts().answered) == ("stopped", 1)


def test_an_item_that_was_only_seen_is_abandoned(lab: Lab) -> None:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        shown_at(desk)
        step(desk, "stop")
    statuses = sorted(trial.status for trial in person(lab, "ada-lab").main)
    assert statuses == ["abandoned", "missing", "missing"]


def test_one_code_cannot_begin_twice_in_one_file(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as one, closing(lab.desk("ada-lab")) as other:
        one.open(), other.open()
        step(one, "agree")
        with pytest.raises(ConflictError, match="has begun already"):
            step(other, "agree")
    assert len(read_collected(lab.answers("ada-lab")).sessions) == 1


def test_two_codes_on_one_machine_stay_apart(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab", "ben-lab")
    shared = lab.folder / "shared" / "answers.db"
    for code in ("ada-lab", "ben-lab"):
        with closing(lab.desk(code, answers=shared)) as desk:
            desk.open()
            for _ in walk(desk, lab.time, says("PRESENT")):
                pass
    found = read_collected(shared)
    assert sorted(row.alias for row in found.solvers) == ["ada-lab", "ben-lab"]
    assert len({row.id for row in found.sessions}) == len(found.sessions) == 4
    assert len(found.studies) == 1 and found.studies[0].id == found.sessions[0].manifest_sha


def test_a_code_of_another_bundle_is_refused(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    stranger = StudyDesk(bundle=str(lab.bundle("ada-lab")), code="eve", answers=lab.answers("eve"))
    with pytest.raises(UsageError, match="'eve' is none of"):
        stranger.open()
    with pytest.raises(StoreError, match="no study bundle"):
        StudyDesk(bundle=str(lab.folder), code="ada-lab", answers=lab.answers("ada-lab")).open()


def test_the_tripwire_of_a_whole_session_counts_nothing(lab: Lab) -> None:
    lab.freeze(systems=2, writing=1)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        for _ in walk(desk, lab.time, says("PRESENT")):
            pass
        assert desk._answers.denials == ()


def test_nothing_sealed_lies_in_a_participants_folder_after_a_session(lab: Lab) -> None:
    lab.freeze(systems=2, writing=1)
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    lab.play("ada-lab")
    machine = lab.answers("ada-lab").parent
    files = [path for path in machine.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".db"} and any("backups" in path.parts for path in files)
    everything = b"".join(path.read_bytes() for path in files)
    for name in ("systems", "writing"):
        with Sealed.open(lab.folder / name / "sealed.db") as sealed:
            words = [*sealed.canaries(), *(record.program for record in sealed.records())]
        assert words and not any(word.encode() in everything for word in words)


def test_label_order_is_drawn_by_place_and_stays(lab: Lab) -> None:
    lab.freeze(systems=2, raters_per_item="3", people="3")
    codes = [f"person-{nth}" for nth in range(3)]
    lab.recruit(*codes)
    with lab.study() as study:
        seed = study.manifest.order_seed
    drawn = [Stream("study/labels", seed, position).chance(1, 2) for position in range(200)]
    assert 60 < sum(drawn) < 140
    for position, code in enumerate(codes):
        for _ in range(2):
            with closing(lab.desk(code)) as desk:
                expected = ("PRESENT", "ABSENT") if drawn[position] else ("ABSENT", "PRESENT")
                assert desk.open().labels == expected


def test_the_desk_names_its_study(lab: Lab) -> None:
    lab.freeze(systems=2)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk, lab.study() as study:
        assert desk.open().study == manifest_sha(study.manifest)[:12]
        assert desk.session_row().manifest_sha == study.sha
        assert desk.session_row().commit_root == study.manifest.packs[0].commit_root


def test_multi_turn_tasks_are_committed_turn_by_turn(lab: Lab) -> None:
    made = lab.clew(
        "generate", "instruction-adherence", "--mode", "multi", "--count", "1", "--constraints", "6", "--secret-seed",
        "--out", lab.folder / "writing",
    )  # fmt: skip
    assert made.code == 0
    lab.write(["writing"], hidden_systems="0", writing="0", attention="0", repeats="0", model="m")
    lab.clew("study", "freeze", lab.config, "--out", lab.home)
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        first = shown_at(desk)
        assert isinstance(first, PresentedTask) and first.turns >= 4
        assert desk.submit(answer_to(first, None, raw="turn one")).next_turn == 2
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        second = shown_at(desk)
        assert isinstance(second, PresentedTask) and second.turn == 2 and second.earlier[0].written == "turn one"
        for _ in walk(desk, lab.time, says("PRESENT")):
            pass
        assert desk.stage().kind == "end"
    (trial,) = person(lab, "ada-lab").main
    assert trial.status == "answered" and trial.prompt_matches
    with lab.study() as study:
        assert len(study.manifest.items[0].prompt_shas) == second.turns


def test_answers_survive_on_a_full_reopen_of_the_file(lab: Lab, tmp_path: Path) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    before = read_collected(lab.answers("ada-lab"))
    lab.play("ada-lab")
    after = read_collected(lab.answers("ada-lab"))
    assert after.attempts == before.attempts and len(after.sessions) == len(before.sessions)


def test_the_second_of_two_windows_is_told_and_goes_on_with_the_next_item(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        reach_items(desk, lab)
        shown = shown_at(desk)
        with closing(lab.desk("ada-lab")) as other:
            other.open()
            other.submit(answer_to(shown_at(other), "PRESENT"))
        with pytest.raises(ConflictError, match="its first answer stays"):
            desk.submit(answer_to(shown, "ABSENT"))
        assert desk.stage().puzzle_id not in ("", shown.puzzle_id)
        desk.submit(answer_to(shown_at(desk), "ABSENT"))
    assert [one.answer for one in person(lab, "ada-lab").main] == ["PRESENT", "ABSENT"]


def test_an_answer_whose_receipt_was_lost_is_sent_once_more(lab: Lab) -> None:
    lab.freeze(systems=2, attention="0", repeats="0")
    lab.recruit("ada-lab")
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        while desk.stage().kind != "practice":
            next(walk(desk, lab.time, says("PRESENT")))
        given = answer_to(shown_at(desk), "PRESENT")
        receipt = desk.submit(given)
        assert desk.stage().puzzle_id != given.puzzle_id
        assert desk.submit(given).answer_id == receipt.answer_id
    assert [row.id for row in read_collected(lab.answers("ada-lab")).attempts] == [given.answer_id]
