"""`clew compare` on a pack played outside of studies says of people what `clew study compare` says of a study."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.public import Aid
from engine.store.answer_rows import AttemptRow, SessionRow
from engine.store.answers import Answers
from engine.store.clock import utc_now, uuid7
from engine.store.pack import Pack
from tests.study.study_world import Lab, skilled

CODES = tuple(f"person-{nth}x" for nth in range(6))


def both(lab: Lab, pack: str, answers: Path) -> dict[str, Any]:
    """Score a pack's answers and return what the comparison says of people."""
    scores = lab.folder / "plain-scores.db"
    lab.clew("score", lab.folder / pack, "--answers", answers, "--scores", scores)
    told = lab.clew("compare", lab.folder / pack, "--answers", answers, "--scores", scores, "--json").out
    found = json.loads(told)["people_and_models"]
    assert isinstance(found, dict)
    return found


@pytest.mark.slow
def test_a_pack_and_a_study_of_the_same_answers_say_the_same(lab: Lab) -> None:
    lab.freeze(systems=12, people="6", raters_per_item="6", resamples="10000")
    lab.recruit(*CODES)
    gold = lab.gold()
    with lab.study() as study:
        aliases = {copy.uid: copy.of for copy in study.manifest.aside.copies}
    for code in CODES:
        lab.play(code, skilled(gold, 70, code, aliases))
    for model in ("baseline:noisy-or-veto", "baseline:pooled"):
        lab.clew("solve", lab.folder / "systems", "--model", model, "--answers", lab.folder / "models.db")
    lab.merge(*CODES)
    lab.clew("study", "merge", lab.home, lab.folder / "models.db")
    lab.clew("study", "score", lab.home)
    study_says = json.loads(lab.clew("study", "compare", lab.home, "--json").out)
    with lab.study() as study:
        pack_says = both(lab, "systems", study.answers)
    (in_study,), (in_pack,) = study_says["families"], pack_says["families"]
    for part in ("items", "spread", "people_panels", "model_panels", "agreement", "difficulty", "calibration"):
        assert in_pack[part] == in_study[part], part

    def plain(bars: list[Any]) -> list[Any]:
        # Ranges are resampled under another key; values, counts and references are exact.
        return [{key: bar[key] for key in ("name", "kind", "items", "value", "hard")} for _, arm in bars for bar in arm]

    assert plain(in_pack["bars"]) == plain(in_study["bars"]) and len(plain(in_pack["bars"])) >= 6
    assert {bar["kind"] for bar in plain(in_pack["bars"])} >= {"people", "model", "shortcut", "chance", "ceiling"}
    assert pack_says["speed"]["answers"] == study_says["speed"]["answers"]
    there = {(one["model"], one["name"]): one for one in study_says["contrasts"]}
    for one in pack_says["contrasts"]:
        other = there[one["model"], one["name"]]
        assert not one["registered"] and (one["human"], one["model_mean"]) == (other["human"], other["model_mean"])
        assert (one["found"] is None) == (other["found"] is None)
        if one["found"] is not None:
            assert one["found"]["value"] == other["found"]["value"]
            assert one["found"]["low"] == pytest.approx(other["found"]["low"], abs=0.02)
    assert sum(one["found"] is not None for one in pack_says["contrasts"]) >= 2
    assert len(pack_says["contrasts"]) == len(there) and pack_says["checklist"] == [] != study_says["checklist"]


def answered(lab: Lab, who: str, *, aids: tuple[Aid, ...] = ("A0",), text: str = "") -> None:
    """Store an answer to every puzzle of the pack, under the aids in turn, to the pack's own text or to another one."""
    with (
        Pack.open(lab.folder / "pk" / "pack.db") as pack,
        closing(Answers.open(lab.folder / "answers.db")) as answers,
    ):
        sessions = [
            SessionRow(
                id=uuid7(), solver=answers.solver(who, "human"), started_at=utc_now(), app_version="0",
                pack_sha=pack.sha, mode="practice", aid=aid, feedback="never", label_order="PRESENT,ABSENT",
            )
            for aid in aids
        ]  # fmt: skip
        for nth, entry in enumerate(pack.puzzles()):
            session = sessions[nth % len(sessions)]
            told = pack.renderings(entry.id)[0]
            answers.save(
                AttemptRow(
                    id=uuid7(), session=session.id, solver=session.solver, puzzle_id=entry.id,
                    puzzle_sha=entry.payload_sha, text_sha=text or told.body_sha, answer="PRESENT" if nth else "SKIP",
                    confidence=60, shown_at=utc_now(), answered_at=utc_now(), response_ms=9000, rendering_id=told.id,
                ),
                session=session,
            )  # fmt: skip


@pytest.fixture
def played(lab: Lab) -> Lab:
    lab.clew("generate", "hidden-systems", "--count", "4", "--length", "4", "--seed", "3", "--out", lab.folder / "pk")
    answers = lab.folder / "answers.db"
    answered(lab, "ada")
    lab.clew("solve", lab.folder / "pk", "--model", "baseline:pooled", "--answers", answers)
    return lab


def test_another_text_is_refused_and_named(played: Lab) -> None:
    answered(played, "ben", text="0" * 64)
    found = both(played, "pk", played.folder / "answers.db")
    assert any("answered another text" in line and line.startswith("4 rows") for line in found["warnings"])
    (contrast, *_) = found["contrasts"]
    assert (contrast["people"], contrast["items"]) == (1, 4)


def test_an_aid_that_no_model_had_is_compared_with_none(played: Lab) -> None:
    answered(played, "ben", aids=("A2",))
    found = both(played, "pk", played.folder / "answers.db")
    assert any("no model answered under A2" in line for line in found["warnings"])
    assert {(one["aid"], one["people"]) for one in found["contrasts"]} == {("A0", 1)}
    (family,) = found["families"]
    arms = {aid: [bar["kind"] for bar in bars] for aid, bars in family["bars"]}
    assert "model" in arms["A0"] and "model" not in arms["A2"]
    assert [(rate["name"], rate["aid"]) for rate in family["people"]] == [("ada", "A0"), ("ben", "A2")]


def test_one_person_under_two_aids_is_one_person_with_two_rates(played: Lab) -> None:
    answered(played, "ben", aids=("A0", "A2"))
    found = both(played, "pk", played.folder / "answers.db")
    (family,) = found["families"]
    rates = [(rate["name"], rate["aid"], rate["counts"]["by_status"]) for rate in family["people"]]
    assert rates == [
        ("ada", "A0", [["answered", 3], ["skipped", 1]]),
        ("ben", "A0", [["answered", 1], ["skipped", 1]]),
        ("ben", "A2", [["answered", 2]]),
    ]
    assert (found["people"], family["spread"]["people"]) == (2, 2)


def test_denominators_are_named_by_status(played: Lab) -> None:
    found = both(played, "pk", played.folder / "answers.db")
    (family,) = found["families"]
    (rate,) = family["people"]
    # What was skipped is not right, in differences and bars as in rates.
    bar = next(bar for _, arm in family["bars"] for bar in arm if bar["kind"] == "people")
    assert found["contrasts"][0]["human"] == bar["value"] == rate["correct"] / 4
    assert rate["presented"] == rate["correct"] / 4 and rate["answered"] == rate["correct"] / 3
    assert rate["half_for_skips"] == (rate["correct"] + 0.5) / 4


def test_references_stand_beside_scores_and_are_nobodys_answers(played: Lab) -> None:
    found = both(played, "pk", played.folder / "answers.db")
    (family,) = found["families"]
    ((_, bars),) = family["bars"]
    values = {bar["name"]: bar["value"] for bar in bars}
    assert {"chance", "baseline:largest-single", "baseline:noisy-or-veto"} <= set(values)
    # The shortcut that answered for itself is shown once, as a solver.
    assert [bar["kind"] for bar in bars if bar["name"] == "baseline:pooled"] == ["model"]
    rows = dict(found["statuses"])
    assert set(rows) == {"people", "baseline:pooled"}


def test_without_scores_it_says_which_command_is_missing(played: Lab) -> None:
    scores = played.folder / "none.db"
    told = played.clew("compare", played.folder / "pk", "--scores", scores, code=2)
    assert "clew score" in told.err and told.err.count("\n") == 1


def test_the_comparison_is_one_report_with_one_table_of_solvers(played: Lab) -> None:
    scores = played.folder / "plain-scores.db"
    places = ("--answers", played.folder / "answers.db", "--scores", scores)
    played.clew("score", played.folder / "pk", *places)
    said = played.clew("compare", played.folder / "pk", *places).out
    assert said.startswith("# ") and said.count("\n# ") == 0 and "\n\n\n" not in said and "HTML file" not in said
    (place,) = [nth for nth, line in enumerate(said.split("\n")) if line == "## Every solver on the whole pack"]
    rows = [line for line in said.split("\n") if line.startswith("| ada |")]
    assert rows == ["| ada | 4 | 3 | " + rows[0].split(" | ", 3)[3]] and said.split("\n").index(rows[0]) > place
    assert "about 1 person " in said and "1 people" not in said
