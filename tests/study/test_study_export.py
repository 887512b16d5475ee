"""Exports: exact texts, fixed columns that are all described, the same bytes twice, no row lost without a word."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.public import Answer, Presented, PresentedTask
from engine.study.columns import FILES, MISSING, TRIALS, Column, codebook
from engine.study.exporting import csv_text, lines_text
from engine.study.statuses import STATUSES
from engine.study.trials import Trial
from tests.study.study_world import Lab, answer_to, says, walk

NASTY = "comma, \"quote\", \n newline \t tab, BOM \ufeff, emoji \U0001f9ea, =cmd|' /C calc'!A0, trailing \\"


@pytest.fixture
def merged(lab: Lab) -> Lab:
    lab.freeze(systems=3, writing=1, exclusions="[{rule: few-answers, limit: 60}]")
    lab.recruit("xq1-person", "xq2-person")
    given = iter([NASTY, NASTY + "2"])

    def answer(shown: Presented | PresentedTask, nth: int) -> Answer:
        return answer_to(shown, "PRESENT", raw=next(given, "more") if isinstance(shown, PresentedTask) else "")

    with closing(lab.desk("xq1-person")) as desk:
        desk.open()
        for _ in walk(desk, lab.time, answer):
            pass
    lab.play("xq2-person", says("ABSENT"), items=1, end="stop")
    lab.clew("solve", lab.folder / "systems", "--model", "baseline:pooled", "--answers", lab.folder / "models.db")
    lab.merge("xq1-person", "xq2-person")
    lab.clew("study", "merge", lab.home, lab.folder / "models.db")
    return lab


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as reading:
        return list(csv.DictReader(reading))


def test_exporting_twice_gives_the_same_bytes(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    merged.clew("study", "export", merged.home, "--out", out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first
    told = json.loads(first["manifest.json"])
    assert told["files"] == {
        name: hashlib.sha256(data).hexdigest() for name, data in first.items() if name != "manifest.json"
    }


def test_texts_and_rows_read_back_as_they_were(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    texts = [json.loads(line)["text"] for line in (out / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    assert NASTY in texts and NASTY + "2" in texts
    rows = read(out / "trials.csv")
    lines = [json.loads(line) for line in (out / "trials.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(lines) > 10
    for row, line in zip(rows, lines, strict=True):
        assert list(row) == list(line) == [column.name for column in TRIALS]
        assert row == {key: _cell(value) for key, value in line.items()}


def _cell(value: object) -> str:
    return MISSING if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def test_everybody_is_counted_once_with_a_reason(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    people = read(out / "participants.csv")
    included = [row for row in people if row["excluded_by"] == MISSING]
    assert len(people) == 2 and [row["excluded_by"] for row in people] == [MISSING, "few-answers"]
    trials = read(out / "trials.csv")
    of_people = [row for row in trials if row["kind"] == "human"]
    out_of = [row for row in of_people if row["excluded_by"] != MISSING]
    assert len(of_people) == len(out_of) + sum(row["participant"] == included[0]["participant"] for row in of_people)
    main = [row for row in trials if row["role"] == "main" and row["participant"] == "P02"]
    assert sorted(row["status"] for row in main) == ["answered", "missing", "missing", "missing"]
    assert {row["status"] for row in trials} <= set(STATUSES)
    assert {row["participant"] for row in trials} == {"P01", "P02", "baseline:pooled"}


def test_a_partial_session_has_every_column(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    rows = [row for row in read(out / "trials.csv") if row["participant"] == "P02"]
    assert all(set(row) == {column.name for column in TRIALS} and None not in row.values() for row in rows)


def test_all_scores_come_out_of_the_export_alone(merged: Lab) -> None:
    """Rates by the files alone: right is the label of gold.csv, presented is all but error and missing."""
    merged.clew("study", "score", merged.home)
    out = merged.folder / "gold"
    merged.clew("study", "export", merged.home, "--out", out, "--with-gold")
    truth = {row["item_uid"]: row["answer"] for row in read(out / "gold.csv")}
    judged = {(row["participant"], row["task"]): row["correct"] for row in read(out / "attempts.csv")}
    right: dict[tuple[str, str], list[bool]] = {}
    for row in read(out / "trials.csv"):
        counts = row["role"] == "main" and row["exposure"] == "1" and row["prompt_matches"] == "true"
        if not counts or row["status"] in ("error", "missing") or row["excluded_by"] != MISSING:
            continue
        systems = row["family"] == "hidden-systems"
        met = row["answer"] == truth[row["item_uid"]] if systems else None
        said = judged.get((row["participant"], row["item_uid"])) == "true"
        assert met is None or row["status"] != "answered" or met == said
        right.setdefault((row["family"], row["participant"]), []).append(row["status"] == "answered" and said)
    found = json.loads(merged.clew("study", "compare", merged.home, "--json").out)
    told = {
        (family["family"], rate["name"]): (rate["correct"], rate["presented"])
        for family in found["families"]
        for rate in (*family["people"], *family["models"])
    }
    assert told == {key: (sum(values), sum(values) / len(values)) for key, values in right.items()} and len(told) == 3


def test_codes_and_gold_stay_out_unless_asked_for(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    everything = b"".join(path.read_bytes() for path in out.iterdir())
    assert b"xq1-person" not in everything and b"gold" not in (out / "trials.csv").read_bytes()
    assert not (out / "gold.csv").exists()
    assert {row["correct"] for row in read(out / "attempts.csv")} == {MISSING}
    merged.clew("study", "score", merged.home)
    with_gold = merged.folder / "gold"
    merged.clew("study", "export", merged.home, "--out", with_gold, "--with-gold")
    truth = {row["item_uid"]: row["answer"] for row in read(with_gold / "gold.csv")}
    assert {uid: label for uid, label in truth.items() if label != MISSING} == merged.gold()
    right = {row["task"]: row["correct"] for row in read(with_gold / "attempts.csv") if row["participant"] == "P01"}
    assert {uid for uid, value in right.items() if value == "true"} >= {
        uid for uid, label in merged.gold().items() if label == "PRESENT"
    }


def test_rows_do_not_vanish_without_a_word(merged: Lab) -> None:
    out = merged.folder / "data"
    merged.clew("study", "export", merged.home, "--out", out)
    told = json.loads((out / "manifest.json").read_text())
    told["rows"]["trials"] += 5
    (out / "manifest.json").write_text(json.dumps(told))
    refused = merged.clew("study", "export", merged.home, "--out", out, code=2)
    assert "though nobody withdrew" in refused.err
    (out / "manifest.json").write_text("{}")
    assert "not of an export" in merged.clew("study", "export", merged.home, "--out", out, code=2).err
    other = merged.folder / "something"
    other.mkdir()
    assert "is no export" in merged.clew("study", "export", merged.home, "--out", other, code=2).err


def test_without_answers_there_is_nothing_to_export(lab: Lab) -> None:
    lab.freeze(systems=1, attention="0", repeats="0")
    assert "no answers yet" in lab.clew("study", "export", lab.home, "--out", lab.folder / "x", code=2).err


def test_every_column_is_described() -> None:
    book = codebook(list(FILES))
    assert len(book) == sum(map(len, FILES.values()))
    assert all(str(row["meaning"]).strip() and row["type"] in ("text", "integer", "boolean") for row in book)
    for columns in FILES.values():
        assert len({column.name for column in columns}) == len(columns)
    times = [column for column in TRIALS if column.name.startswith("rt_")]
    assert times and all("_ms_" in column.name and column.unit == "ms" and column.type == "integer" for column in times)
    computed = {"participant", "session", "answer_id", "excluded_by"}
    assert {column.name for column in TRIALS} - computed <= set(Trial.__dataclass_fields__)


texts = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=40)


@given(rows=st.lists(st.tuples(texts, st.integers(), st.booleans() | st.none()), max_size=8))
def test_a_table_reads_back_exactly(rows: list[tuple[str, int, bool | None]]) -> None:
    columns = [Column(name=name, type="text", meaning="m") for name in ("a", "b", "c")]
    table = [dict(zip("abc", row, strict=True)) for row in rows]
    found = list(csv.DictReader(io.StringIO(csv_text(columns, table), newline="")))
    assert found == [{key: _cell(value) for key, value in row.items()} for row in table]
    assert [json.loads(line) for line in lines_text(table).split("\n") if line] == table


def test_parquet_without_its_library_is_one_line(merged: Lab) -> None:
    pytest.importorskip("engine")
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        refused = merged.clew("study", "export", merged.home, "--out", merged.folder / "p", "--parquet", code=2)
        assert "pip install 'clew[parquet]'" in refused.err and not (merged.folder / "p").exists()
        return
    from pyarrow import parquet

    merged.clew("study", "export", merged.home, "--out", merged.folder / "p", "--parquet")
    table = parquet.read_table(merged.folder / "p" / "trials.parquet").to_pylist()
    lines = [json.loads(line) for line in (merged.folder / "p" / "trials.jsonl").read_text().splitlines()]
    assert table == lines
