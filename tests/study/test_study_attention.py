"""Attention items and items shown twice, of both families: made, placed, judged, left out by rule, reported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from contextlib import closing

import pytest

from engine.canonical import read_json
from engine.instruction_adherence.turn import turn_of
from engine.instruction_adherence.verdicts import judged_in
from engine.public import Answer, Presented, PresentedTask
from engine.store.sealed import Sealed
from engine.study.attending import EASIEST, easy_task
from engine.study.folder import ATTENTION_NAME
from engine.study.gathering import excluded, study_data
from engine.study.trials import Person
from tests.study.study_world import TEXT, Answering, Lab, answer_to, says, walk

SEED = "5eed" * 8
RULE = "[{rule: attention-failed, limit: 1}]"


def passes(turn: str, text: str) -> bool:
    document = read_json(turn, where="turn")
    assert isinstance(document, dict)
    return all(one.passed for one in judged_in(turn_of(document), text))


@pytest.mark.parametrize("nth", range(40))
def test_an_attention_task_says_all_it_asks_and_is_met_by_whoever_reads_it(nth: int) -> None:
    task = easy_task(SEED, nth)
    document = read_json(task.turn, where="turn")
    assert isinstance(document, dict)
    checks = turn_of(document).checks
    assert {type(check.constraint) for check in checks} == set(EASIEST)
    assert all(check.requirement in task.text and check.constraint.difficulty == 1 for check in checks)
    assert passes(task.turn, task.witness)
    assert not passes(task.turn, TEXT * 3) and not passes(task.turn, task.text) and not passes(task.turn, "")
    for line in (0, -1):
        lines = task.witness.split("\n")
        del lines[line]
        assert not passes(task.turn, "\n".join(lines)), "a title and the question at the end are both asked for"
    assert task == easy_task(SEED, nth) and task.text != easy_task(SEED, nth + 1).text


def writes(lab: Lab, text: Callable[[PresentedTask, str], str]) -> Answering:
    """Return a participant who writes what `text` makes of a task and of the witness of the attention task."""
    with lab.study() as study:
        easy = easy_task(study.manifest.order_seed, 0)

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        if isinstance(shown, Presented):
            return answer_to(shown, "PRESENT")
        return answer_to(shown, None, raw=text(shown, easy.witness if shown.text == easy.text else ""))

    return answer


def people(lab: Lab, *codes: str) -> tuple[Person, ...]:
    lab.merge(*codes)
    with lab.study() as study:
        return study_data(study).people


def writing_study(lab: Lab, **changes: str) -> None:
    usual = {"model": "some-model", "hidden_systems": "0", "exclusions": RULE}
    lab.freeze(systems=0, writing=3, **(usual | changes))


def test_writing_attention_is_frozen_shown_and_kept_from_participants(lab: Lab) -> None:
    writing_study(lab)
    lab.recruit("ada-lab")
    with lab.study() as study:
        (extra,) = study.manifest.aside.attention
        assert extra.family == "instruction-adherence"
        assert {copy.of for copy in study.manifest.aside.copies} == {item.uid for item in study.manifest.items}
        easy = easy_task(study.manifest.order_seed, 0)
    bundle = lab.bundle("ada-lab")
    assert not (bundle / ATTENTION_NAME).exists()
    assert all(easy.turn.encode() not in path.read_bytes() for path in bundle.iterdir())
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        seen = []
        for stage in walk(desk, lab.time, says("PRESENT")):
            seen.append(stage.puzzle_id)
            if stage.puzzle_id == extra.uid:
                assert not any(turn.judged for turn in desk.review(extra.uid)), "no verdict reaches a participant"
    assert seen.count(extra.uid) == 1 and len([one for one in seen if one]) == 1 + 3 + 1 + 1


def test_who_reads_passes_and_who_does_not_is_left_out_by_the_rule(lab: Lab) -> None:
    writing_study(lab)
    lab.recruit("ada-lab", "ben-lab", "cyd-lab")
    lab.play("ada-lab", writes(lab, lambda shown, witness: witness or TEXT * 3))
    lab.play("ben-lab", writes(lab, lambda shown, witness: TEXT * 3))
    lab.play("cyd-lab", items=0)
    found = {person.code: person for person in people(lab, "ada-lab", "ben-lab", "cyd-lab")}
    verdicts = {code: [one.attention_passed for one in person.of_role("attention")] for code, person in found.items()}
    assert verdicts == {"ada-lab": [True], "ben-lab": [False], "cyd-lab": [None]}
    assert all(one.attention_passed is None for one in found["ada-lab"].main)
    with lab.study() as study:
        assert [(one.rule, one.solver) for one in excluded(study, study_data(study))] == [
            ("attention-failed", found["ben-lab"].solver)
        ]
    lab.clew("study", "score", lab.home)
    lab.clew("study", "export", lab.home, "--out", lab.folder / "data", "--with-gold")
    with (lab.folder / "data" / "trials.csv").open(newline="") as reading:
        rows = [row for row in csv.DictReader(reading) if row["role"] == "attention"]
    assert sorted(row["attention_passed"] for row in rows) == ["NA", "false", "true"]
    assert {row["excluded_by"] for row in rows if row["attention_passed"] == "false"} == {"attention-failed"}
    said = lab.clew("study", "compare", lab.home).out
    assert "writing tasks 1 of 2" in said and "attention-failed: 1" in said


def test_skipping_an_attention_task_or_letting_it_run_out_is_failing_it(lab: Lab) -> None:
    writing_study(lab, item_limit_s="300")
    lab.recruit("ada-lab")
    with lab.study() as study:
        (extra,) = study.manifest.aside.attention

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        if shown.puzzle_id == extra.uid:
            return answer_to(shown, None, answer="SKIP", raw=None, reason="tired")
        return answer_to(shown, None)

    lab.play("ada-lab", answer)
    (person,) = people(lab, "ada-lab")
    (trial,) = person.of_role("attention")
    assert (trial.status, trial.attention_passed) == ("skipped", False)


@pytest.mark.parametrize("last", ["witness", "another text", "skip"])
def test_what_was_sent_last_is_judged(lab: Lab, last: str) -> None:
    writing_study(lab, attention="1", repeats="0")
    lab.recruit("ada-lab")
    with lab.study() as study:
        (extra,) = study.manifest.aside.attention
        witness = easy_task(study.manifest.order_seed, 0).witness
    with closing(lab.desk("ada-lab")) as desk:
        desk.open()
        for stage in walk(
            desk, lab.time, writes(lab, lambda shown, right: TEXT if last == "witness" else right or TEXT)
        ):
            if stage.puzzle_id == extra.uid:
                shown = desk.present(extra.uid)
                first = desk._submitter._last
                assert first is not None
                given = answer_to(shown, None, raw=witness if last == "witness" else TEXT, revises=first.id)
                skip = answer_to(shown, None, answer="SKIP", raw=None, reason="tired", revises=first.id)
                desk.submit(skip if last == "skip" else given)
    (person,) = people(lab, "ada-lab")
    (trial,) = person.of_role("attention")
    assert (trial.n_revisions, trial.attention_passed) == (1, last == "witness")


@pytest.mark.parametrize("spoil", ["remove", "garbage", "empty", "easier"])
def test_checks_that_are_not_the_frozen_ones_are_refused(lab: Lab, spoil: str) -> None:
    writing_study(lab)
    lab.recruit("ada-lab")
    lab.play("ada-lab", items=0)
    path = lab.home / "v1" / ATTENTION_NAME
    if spoil == "remove":
        path.unlink()
    elif spoil == "garbage":
        path.write_text("{}")
    elif spoil == "empty":
        path.write_text(json.dumps([{**json.loads(path.read_text())[0], "turns": []}]))
    else:
        document = json.loads(path.read_text())
        turn = json.loads(document[0]["turns"][0])
        document[0]["turns"] = [json.dumps({**turn, "checks": turn["checks"][:1]})]
        path.write_text(json.dumps(document))
    refused = lab.clew("study", "merge", lab.home, lab.answers("ada-lab"), code=2).err
    assert ATTENTION_NAME in refused and refused.count("\n") <= 2


def test_both_families_have_attention_and_repeats_of_their_own(lab: Lab) -> None:
    lab.freeze(systems=6, writing=4, order="blocked", exclusions=RULE)
    lab.recruit("ada-lab", "ben-lab")
    with lab.study() as study:
        extras = {extra.uid: extra.family for extra in study.manifest.aside.attention}
        families = {item.uid: item.family for item in study.manifest.items} | extras
        families |= {copy.uid: families[copy.of] for copy in study.manifest.aside.copies}
        of = {copy.uid: copy.of for copy in study.manifest.aside.copies}
    assert sorted(extras.values()) == ["hidden-systems", "instruction-adherence"]
    for code in ("ada-lab", "ben-lab"):
        with closing(lab.desk(code)) as desk:
            desk.open()
            slots = desk._slots
        for slot in slots:
            block = {families[one.puzzle_id] for one in slots if one.block == slot.block}
            assert slot.role != "attention" or block == {families[slot.puzzle_id]}
        again = [slot.puzzle_id for slot in slots if slot.role == "repeat"]
        assert sorted(families[one] for one in again) == ["hidden-systems", "instruction-adherence"]
        for one in again:
            own = [slot.puzzle_id for slot in slots if families[slot.puzzle_id] == families[one]]
            assert own.index(of[one]) < len(own) / 2 <= own.index(one) + 1


def test_a_conversation_is_not_written_twice_where_there_is_a_single_text(lab: Lab) -> None:
    made = lab.folder / "writing"
    lab.clew(
        "generate", "instruction-adherence", "--mode", "both", "--count", "2", "--constraints", "4", "--secret-seed",
        "--out", made,
    )  # fmt: skip
    lab.write(["writing"], model="m", hidden_systems="0")
    lab.clew("study", "freeze", lab.config, "--out", lab.home)
    with lab.study() as study:
        kinds = {item.uid: item.kind for item in study.manifest.items}
        assert sorted(kinds.values()) == ["multi", "multi", "single", "single"]
        assert [kinds[copy.of] for copy in study.manifest.aside.copies] == ["single", "single"]


def test_a_task_shown_twice_is_compared_requirement_by_requirement(lab: Lab) -> None:
    writing_study(lab, attention="0")
    lab.recruit("ada-lab", "ben-lab")
    with lab.study() as study, Sealed.open(lab.folder / "writing" / "sealed.db") as sealed:
        right = {copy.uid: sealed.task(copy.of).turns[0].witness for copy in study.manifest.aside.copies}
    lab.play("ada-lab", writes(lab, lambda shown, witness: TEXT * 3))
    lab.play("ben-lab", writes(lab, lambda shown, witness: right.get(shown.puzzle_id, TEXT * 3)))
    lab.merge("ada-lab", "ben-lab")
    lab.clew("study", "score", lab.home)
    lab.clew("study", "export", lab.home, "--out", lab.folder / "data", "--with-gold")
    with (lab.folder / "data" / "attempts.csv").open(newline="") as reading:
        rows = [row for row in csv.DictReader(reading) if row["verdicts"] != "NA"]
    pairs = []
    for who in ("P01", "P02"):
        twice = [row["task"] for row in rows if row["participant"] == who]
        pairs += [
            tuple(row["verdicts"] for row in rows if (row["participant"], row["task"]) == (who, task))
            for task in sorted({task for task in twice if twice.count(task) == 2})
        ]
    assert len(pairs) == 2 and pairs[0][0] == pairs[0][1] and "1111" in pairs[1]
    same = sum(a == b for first, again in pairs for a, b in zip(first, again, strict=True))
    (found,) = json.loads(lab.clew("study", "compare", lab.home, "--json").out)["steadiness"]
    assert found == {
        "family": "instruction-adherence", "pairs": 2, "judged": 8, "same": same, "interval": None,
    }  # fmt: skip
    assert f"2 pairs of texts: the second got the verdict of the first on {same} of 8" in (
        lab.clew("study", "compare", lab.home).out
    )
