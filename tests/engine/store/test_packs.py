"""Packs: built whole, read-only, ordered by salted digests, and silent about how they were made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlite_utils.utils import sqlite3
from store_samples import PACK_SALT, pack_puzzle, payload_of, rendering_of, sealed_puzzle, write_sample_pack

from engine.canonical import text_digest
from engine.errors import ClewError, StoreError, UsageError
from engine.store.commitment import merkle_root
from engine.store.content import content_sha
from engine.store.pack import Pack, PackEntry, PackPuzzle, puzzle_id, write_pack
from engine.store.sealed import SealedPuzzle

META = {"title": "sample", "pack_salt": PACK_SALT}


def test_pack_gives_back_what_was_written(pack_path: Path) -> None:
    puzzles = sorted((pack_puzzle(nth, 4 + nth % 2) for nth in range(3)), key=lambda puzzle: puzzle.id)
    with Pack.open(pack_path) as pack:
        assert [entry.id for entry in pack.puzzles()] == [puzzle.id for puzzle in puzzles]
        assert {entry.complexity for entry in pack.puzzles(5)} == {5}
        assert len(pack.puzzles(4)) + len(pack.puzzles(5)) == 3
        assert list(pack.all_payloads()) == [(puzzle.id, puzzle.payload) for puzzle in puzzles]
        for puzzle in puzzles:
            entry = pack.entry(puzzle.id)
            assert all(getattr(entry, field.name) == getattr(puzzle, field.name) for field in fields(PackEntry))
            assert pack.payload(puzzle.id) == puzzle.payload
            assert pack.renderings(puzzle.id) == (rendering_of(puzzle),)
        assert pack.meta["title"] == "sample"
        assert pack.meta["commit_root"] == merkle_root([(puzzle.id, puzzle.commit_sha) for puzzle in puzzles])
        assert pack.meta["built_with"] == f"SQLite {sqlite3.sqlite_version}"
        assert pack.sha == pack.meta["content_sha"] == content_sha(pack.database.conn)


def test_listing_has_no_payload() -> None:
    assert {field.name for field in fields(PackPuzzle)} - {field.name for field in fields(PackEntry)} == {"payload"}


def test_unknown_puzzles_are_named(pack_path: Path) -> None:
    with Pack.open(pack_path) as pack:
        for look_up in (pack.entry, pack.payload):
            with pytest.raises(UsageError, match="has no puzzle 'nowhere'"):
                look_up("nowhere")
        assert pack.renderings("nowhere") == ()


def test_finished_pack_is_protected_and_alone(pack_path: Path) -> None:
    assert pack_path.stat().st_mode & 0o777 == 0o444
    assert list(pack_path.parent.iterdir()) == [pack_path]
    head = pack_path.read_bytes()[:100]
    assert head[18:20] == b"\x01\x01"
    assert int.from_bytes(head[16:18], "big") == 4096


def test_reading_changes_no_byte(pack_path: Path) -> None:
    before = (pack_path.read_bytes(), pack_path.stat().st_mtime_ns)
    with Pack.open(pack_path) as pack:
        for entry in pack.puzzles():
            pack.payload(entry.id)
            pack.renderings(entry.id)
        assert list(pack_path.parent.iterdir()) == [pack_path]
    assert (pack_path.read_bytes(), pack_path.stat().st_mtime_ns) == before


def test_existing_file_is_replaced_only_on_demand(pack_path: Path) -> None:
    before = pack_path.read_bytes()
    with pytest.raises(StoreError, match="exists already"):
        write_sample_pack(pack_path, count=2)
    assert pack_path.read_bytes() == before
    with Pack.open(pack_path) as old:
        sha = write_sample_pack(pack_path, count=2, replace=True)
        assert len(old.puzzles()) == 3, "who reads goes on reading the old file"
    with Pack.open(pack_path) as new:
        assert (new.sha, len(new.puzzles())) == (sha, 2)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(5)))
def test_content_and_bytes_are_independent_of_the_order_of_making(
    tmp_path_factory: pytest.TempPathFactory, order: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("orders")
    shas = []
    for name, nths in (("sorted", sorted(order)), ("shuffled", order)):
        puzzles = [pack_puzzle(nth) for nth in nths]
        renderings = [rendering_of(puzzle) for puzzle in reversed(puzzles)]
        shas.append(write_pack(folder / name, meta=META, puzzles=puzzles, renderings=renderings))
    assert shas[0] == shas[1]
    assert (folder / "sorted").read_bytes() == (folder / "shuffled").read_bytes()


CONTENT_CHANGES: dict[str, Callable[[PackPuzzle], PackPuzzle]] = {
    "complexity": lambda puzzle: replace(puzzle, complexity=9),
    "commitment": lambda puzzle: replace(puzzle, commit_sha="f" * 64),
    "kind": lambda puzzle: replace(puzzle, kind="other"),
}


@pytest.mark.parametrize("change", CONTENT_CHANGES.values(), ids=CONTENT_CHANGES)
def test_content_digest_sees_every_change(tmp_path: Path, change: Callable[[PackPuzzle], PackPuzzle]) -> None:
    puzzle = pack_puzzle(1)
    shas = {
        write_pack(tmp_path / name, meta=META, puzzles=[made], renderings=[])
        for name, made in (("as it is", puzzle), ("changed", change(puzzle)))
    }
    assert len(shas) == 2


def test_content_digest_leaves_out_itself_and_the_builder(pack_path: Path) -> None:
    with closing(sqlite3.connect(f"file:{pack_path}?mode=ro", uri=True)) as source:
        copy = sqlite3.connect(":memory:")
        source.backup(copy)
    with closing(copy):
        before = content_sha(copy)
        copy.execute("update meta set value = 'x' where key in ('content_sha', 'built_with')")
        assert content_sha(copy) == before
        seen = {before}
        for statement in (
            "update meta set value = 'x' where key = 'title'",
            "update rendering set audit_status = 'passed'",
            "update puzzle_body set payload = payload || ' '",
            "delete from rendering",
            "create view v as select 1",
            "create index i on rendering (domain)",
        ):
            copy.execute(statement)
            seen.add(content_sha(copy))
        assert len(seen) == 7
        copy.execute("create table t (x)")
        copy.execute("insert into t values (1.5)")
        with pytest.raises(StoreError, match="Table 't' holds a float"):
            content_sha(copy)


WRONG: dict[str, Callable[[PackPuzzle], PackPuzzle]] = {
    "payload_sha .* is not the digest": lambda puzzle: replace(puzzle, payload_sha="0" * 64),
    "the id is not the salted digest": lambda puzzle: replace(puzzle, id="0" * 32),
}


@pytest.mark.parametrize(("message", "change"), WRONG.items(), ids=list(WRONG))
def test_rows_that_do_not_fit_their_text_are_refused(
    tmp_path: Path, message: str, change: Callable[[PackPuzzle], PackPuzzle]
) -> None:
    with pytest.raises(UsageError, match=message):
        write_pack(tmp_path / "pack.db", meta=META, puzzles=[change(pack_puzzle(1))], renderings=[])
    assert list(tmp_path.iterdir()) == []


def test_renderings_must_fit_their_text_and_a_puzzle_of_the_pack(tmp_path: Path) -> None:
    puzzle = pack_puzzle(1)
    spoiled = replace(rendering_of(puzzle), body="another text")
    with pytest.raises(UsageError, match=r"body_sha .* is not the digest"):
        write_pack(tmp_path / "pack.db", meta=META, puzzles=[puzzle], renderings=[spoiled])
    with pytest.raises(ClewError, match="FOREIGN KEY"):
        write_pack(tmp_path / "pack.db", meta=META, puzzles=[puzzle], renderings=[rendering_of(pack_puzzle(2))])
    assert list(tmp_path.iterdir()) == []


def test_pack_salt_is_needed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'pack_salt' is needed"):
        write_pack(tmp_path / "pack.db", meta={"title": "x"}, puzzles=[], renderings=[])


def test_generator_that_dies_leaves_no_file(tmp_path: Path) -> None:
    def dying() -> Iterator[PackPuzzle]:
        yield pack_puzzle(1)
        raise UsageError("no more puzzles")

    with pytest.raises(UsageError, match="no more puzzles"):
        write_pack(tmp_path / "new" / "pack.db", meta=META, puzzles=dying(), renderings=[])
    assert list((tmp_path / "new").iterdir()) == []


def test_ids_depend_on_payload_and_salt_only() -> None:
    assert puzzle_id("a", "bc") != puzzle_id("a", "bd")
    assert puzzle_id("é", "s") == text_digest("és")[:32]
    assert len({puzzle_id(payload_of(nth), PACK_SALT) for nth in range(50)}) == 50


def test_nothing_private_is_in_the_bytes_of_a_pack(pack_path: Path) -> None:
    data = pack_path.read_bytes()
    record = sealed_puzzle(1)
    for secret in (record.program, str(record.seed), record.present_probability, record.salt.hex(), "hidden-rule"):
        assert secret.encode() not in data
    names = {field.name for field in fields(SealedPuzzle)} - {"puzzle_id"}
    with closing(sqlite3.connect(f"file:{pack_path}?mode=ro", uri=True)) as connection:
        ddl = " ".join(row[0] for row in connection.execute("select sql from sqlite_master where sql is not null"))
    columns = {word.strip("(),") for word in ddl.split()}
    assert names & columns == set()
    assert not columns & {"created_at", "made_at", "autoincrement", "applied_at"}
