"""Merging participants' files: twice is once, any order gives the same, a conflict writes nothing."""

from __future__ import annotations

import itertools
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from engine.store.answer_file import open_answers
from engine.store.connection import ignore
from engine.store.content import content_sha
from engine.store.rows import immediate
from engine.study.gathering import study_data
from tests.study.study_world import Lab, says


@pytest.fixture
def played(lab: Lab) -> Lab:
    lab.freeze(systems=3, attention="0", repeats="0")
    lab.recruit("ada-lab", "ben-lab", "cyd-lab")
    lab.play("ada-lab", says("PRESENT"))
    lab.play("ben-lab", says("ABSENT"), items=2)
    lab.play("cyd-lab", says("PRESENT"), items=1, end="stop")
    return lab


def content(path: Path) -> str:
    with closing(open_answers(path, journal=None, busy_ms=1000, notify=ignore, clock=lambda: "")) as db:
        return content_sha(db.conn)


def tamper(path: Path, statement: str) -> None:
    """Change a file behind the store's back, as somebody with another program would."""
    with closing(open_answers(path, journal=None, busy_ms=1000, notify=ignore, clock=lambda: "")) as db, immediate(db):
        triggers = db.execute("select name, sql from sqlite_master where type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"drop trigger {name}")
        db.execute(statement)
        for _, made in triggers:
            db.execute(made)


def fork(lab: Lab, name: str) -> Path:
    """Return a copy of the study's folder."""
    target = lab.folder / name
    shutil.copytree(lab.home, target)
    return target


def test_any_order_and_any_number_of_times_is_one_result(played: Lab) -> None:
    results = set()
    for nth, order in enumerate(itertools.permutations(["ada-lab", "ben-lab", "cyd-lab"])):
        home = fork(played, f"study{nth}")
        played.merge(*order, into=home)
        again = played.merge(*reversed(order), into=home)
        assert again.out.count(" 0 new rows") == 3
        results.add(content(home / "answers.db"))
    assert len(results) == 1


def test_a_file_that_grew_brings_only_what_is_new(played: Lab) -> None:
    played.merge("ben-lab")
    with played.study() as study:
        assert study_data(study).people[0].counts().answered == 2
    played.play("ben-lab", says("ABSENT"))
    more = played.merge("ben-lab").out
    assert " 0 new rows" not in more
    with played.study() as study:
        (person,) = study_data(study).people
    assert person.counts().answered == 3 and person.ended == "finished"


def test_a_tampered_row_is_a_conflict_and_nothing_is_written(played: Lab) -> None:
    played.merge("ada-lab")
    before = content(played.home / "answers.db")
    tamper(played.answers("ben-lab"), "update attempt set answer = 'PRESENT', confidence = 99")
    refused = played.clew("study", "merge", played.home, played.answers("ben-lab"), code=2)
    assert "nothing was merged" in refused.err
    assert content(played.home / "answers.db") == before


def test_a_row_that_is_there_otherwise_is_a_conflict(played: Lab) -> None:
    played.merge("ada-lab")
    before = content(played.home / "answers.db")
    tamper(played.answers("ada-lab"), "update event set data = 'other' where kind = 'intake'")
    refused = played.clew("study", "merge", played.home, played.answers("ada-lab"), code=2)
    assert "event" in refused.err and "another data is there" in refused.err
    assert content(played.home / "answers.db") == before


def test_one_code_on_two_machines_is_found(played: Lab) -> None:
    played.merge("ada-lab")
    shutil.rmtree(played.answers("ada-lab").parent)
    played.time.pass_by(60)
    played.play("ada-lab", says("ABSENT"))
    refused = played.clew("study", "merge", played.home, played.answers("ada-lab"), code=2)
    assert "solver" in refused.err and "consent_at" in refused.err


def test_a_file_of_another_study_is_refused_by_name(played: Lab, tmp_path: Path) -> None:
    other = Lab(tmp_path / "second", played.capture, played.store)
    other.folder.mkdir()
    other.freeze(systems=3, name="another-study", attention="0", repeats="0")
    other.recruit("eve-lab")
    other.play("eve-lab", items=1)
    refused = played.clew("study", "merge", played.home, other.answers("eve-lab"), code=2)
    assert "holds nothing of study" in refused.err and "another-study" in refused.err
    assert not (played.home / "answers.db").exists() or content(played.home / "answers.db")


def test_practice_of_ones_own_is_left_where_it_is(played: Lab) -> None:
    answers = played.answers("ada-lab")
    played.clew("answer", "--db", answers, "--as", "somebody", "--puzzle", _practice_item(), "--answer", "PRESENT")
    played.merge("ada-lab")
    with played.study() as study:
        data = study_data(study)
    assert [person.code for person in data.people] == ["ada-lab"] and data.models == ()


def _practice_item() -> str:
    from engine.store.pack import Pack
    from engine.store.places import builtin_pack

    with Pack.open(builtin_pack()) as pack:
        return next(entry.id for entry in pack.puzzles() if entry.family == "hidden-systems")


def test_models_come_with_their_answers_to_the_items(played: Lab) -> None:
    models = played.folder / "models.db"
    for name in ("pooled", "largest-single"):
        played.clew("solve", played.folder / "systems", "--model", f"baseline:{name}", "--answers", models)
    merged = played.clew("study", "merge", played.home, models).out
    assert "0 people, 2 models" in merged
    with played.study() as study:
        found = study_data(study).models
    assert [model.name for model in found] == ["baseline:largest-single", "baseline:pooled"]
    assert all(model.counts().answered == 3 for model in found)
    assert all(trial.prompt_matches for model in found for trial in model.trials)


def test_a_withdrawal_on_a_machine_reaches_the_study(played: Lab) -> None:
    played.merge("ben-lab")
    played.play("ben-lab", items=0, end="withdraw")
    out = played.merge("ben-lab").out
    assert "1 withdrawn" in out
    with played.study() as study:
        assert study_data(study).people == () and study_data(study).withdrawn == 1
        assert "ben-lab" not in {place.code for place in study.file.places()}
    status = played.clew("study", "status", played.home).out
    assert "withdrawn: 1" in status and "3 are open" in status


def test_a_withdrawn_person_is_not_brought_back_by_an_old_file(played: Lab) -> None:
    old = played.folder / "old.db"
    shutil.copy(played.answers("ben-lab"), old)
    played.merge("ben-lab")
    played.clew("study", "withdraw", played.home, "ben-lab")
    played.clew("study", "merge", played.home, old)
    with played.study() as study:
        assert study_data(study).people == ()


def test_a_file_that_is_no_answers_file_is_refused(played: Lab) -> None:
    path = played.folder / "text.db"
    path.write_text("hello")
    assert "is not a clew file" in played.clew("study", "merge", played.home, path, code=2).err
    assert "study file" in played.clew("study", "merge", played.home, played.home / "study.db", code=2).err
    played.merge("ada-lab")
    own = played.home / "answers.db"
    assert "merged into" in played.clew("study", "merge", played.home, own, code=2).err


def test_the_monitor_counts_what_the_export_holds(played: Lab) -> None:
    played.merge("ada-lab", "ben-lab", "cyd-lab")
    status = played.clew("study", "status", played.home).out
    out = played.clew("study", "export", played.home, "--out", played.folder / "data").out
    trials = int(out.split("trials (")[1].split(")")[0])
    assert f"{trials} trials collected" in status
    assert len((played.folder / "data" / "trials.csv").read_text().splitlines()) == trials + 1
    assert "right" not in status and "correct" not in status
