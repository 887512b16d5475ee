"""Withdrawing: rows, drafts, backups and journals are gone byte for byte, and everybody else stays as they were."""

from __future__ import annotations

import csv
import json
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import StoreError
from engine.store.answers import Answers
from engine.store.backup import copies
from engine.store.collected import read_collected
from engine.store.withdrawing import traces, withdraw, words_of
from engine.study.gathering import study_data
from tests.study.study_world import Lab, draft_of, says


@pytest.fixture
def played(lab: Lab) -> Lab:
    lab.freeze(systems=3, writing=1, attention="0", repeats="0")
    lab.recruit("ada-lab", "zoe-secret-code")
    lab.play("ada-lab", says("PRESENT"))
    lab.play("zoe-secret-code", says("ABSENT"), items=2)
    return lab


def place_of(lab: Lab, code: str) -> str:
    with lab.study() as study:
        return next(place.id for place in study.file.places() if place.code == code)


def test_a_participant_can_have_everything_deleted(played: Lab) -> None:
    code = "zoe-secret-code"
    machine = played.answers(code).parent
    with closing(played.desk(code)) as desk:
        desk.open()
        desk.keep(draft_of(desk.present(desk.stage().puzzle_id), notes="a remark that nobody shall read"))
    assert copies(played.answers(code))
    words = [*words_of(played.answers(code), place_of(played, code)), "a remark that nobody shall read"]
    assert len(traces([machine], words)) >= 2
    played.play(code, items=0, end="withdraw")
    assert traces([machine], words) == {}
    found = read_collected(played.answers(code))
    assert found.solvers == () and found.sessions == () and found.attempts == ()
    assert [row.solver for row in found.withdrawals] == [place_of(played, code)]
    with closing(played.desk(code)) as desk:
        desk.open()
        assert desk.stage().kind == "end" and "deleted" in desk.stage().text


def test_the_search_sees_what_is_left_in_free_pages_and_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.bin").write_bytes(b"x" * (1 << 20) + b"needle-in-the-hay" + b"y" * 100)
    (tmp_path / "b.bin").write_bytes(b"nothing")
    assert list(traces([tmp_path], ["needle-in-the-hay"])) == [tmp_path / "sub" / "a.bin"]
    split = (1 << 20) - 5
    (tmp_path / "c.bin").write_bytes(b"z" * split + b"across-the-border")
    assert traces([tmp_path], ["across-the-border"]) == {tmp_path / "c.bin": 1}
    assert traces([tmp_path / "nowhere"], ["x"]) == {}


def test_a_researcher_can_delete_a_person_and_prove_it(played: Lab) -> None:
    code = "zoe-secret-code"
    played.merge("ada-lab", code)
    played.clew("study", "score", played.home)
    words = words_of(played.home / "answers.db", place_of(played, code))
    out = played.clew("study", "withdraw", played.home, code).out
    assert "attempt" in out and "no byte of the folder names the person" in out
    assert traces([played.home], words) == {}
    with played.study() as study:
        assert [person.code for person in study_data(study).people] == ["ada-lab"]
        (note,) = study.file.notes("withdrawn")
        assert code not in note.data and json.loads(note.data)["removed"]["attempt"] == 4
    assert "has no place" in played.clew("study", "withdraw", played.home, code, code=2).err


def test_an_old_export_inside_the_folder_is_named_until_it_is_made_anew(played: Lab) -> None:
    played.merge("ada-lab", "zoe-secret-code")
    inside = played.home / "data"
    played.clew("study", "export", played.home, "--out", inside)
    refused = played.clew("study", "withdraw", played.home, "zoe-secret-code", code=2)
    assert "still names the person" in refused.err and "data" in refused.err
    played.clew("study", "export", played.home, "--out", inside)
    with played.study() as study:
        assert study_data(study).withdrawn == 1


def test_the_export_afterwards_is_the_old_one_without_that_person(played: Lab) -> None:
    played.merge("ada-lab", "zoe-secret-code")
    before, after = played.folder / "before", played.folder / "after"
    played.clew("study", "export", played.home, "--out", before)
    played.clew("study", "withdraw", played.home, "zoe-secret-code")
    played.clew("study", "export", played.home, "--out", after)
    with (before / "participants.csv").open() as reading:
        gone = next(row["participant"] for row in csv.DictReader(reading) if row["position"] == "1")
    for name in ("trials.csv", "participants.csv", "sessions.csv", "events.jsonl", "texts.jsonl", "attempts.csv"):
        old = [line for line in (before / name).read_text().splitlines() if gone not in line]
        assert (after / name).read_text().splitlines() == old, name


def test_a_person_who_never_played_can_withdraw_too(played: Lab) -> None:
    out = played.clew("study", "withdraw", played.home, "ada-lab").out
    assert "nothing was collected" in out
    assert "1 withdrawn" in played.merge("ada-lab").out
    with played.study() as study:
        assert study_data(study).people == ()


def test_a_file_that_another_program_holds_is_not_half_deleted(played: Lab) -> None:
    path = played.answers("ada-lab")
    solver = place_of(played, "ada-lab")
    with Answers.open(path) as held:
        held._db.conn.execute("begin immediate")
        with pytest.raises(StoreError, match="holds"):
            withdraw(path, solver, "2026-03-02T09:00:00.000Z", busy_ms=50)
        held._db.conn.rollback()
    assert read_collected(path).solvers != ()
