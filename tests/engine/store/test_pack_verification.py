"""Verification of packs: a clean one has no findings, each spoiled one the expected finding."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlite_utils.utils import sqlite3
from store_samples import PACK_SALT, pack_puzzle, rendering_of, write_sample_pack

from engine.errors import StoreError
from engine.store.content import content_sha
from engine.store.pack import write_pack
from engine.store.verify import first_difference, verify_file


def spoil(path: Path, *statements: str, honest: bool = False) -> None:
    """Change a finished pack; an honest spoiler also writes the new content digest."""
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        if honest:
            sha = content_sha(connection)
            connection.execute("update meta set value = ? where key = 'content_sha'", (sha,))


def test_clean_pack_has_no_findings(pack_path: Path) -> None:
    assert verify_file(pack_path) == ()
    assert first_difference(pack_path, pack_path) is None


SPOILED = {
    "update puzzle_body set payload = payload || ' '": (
        "payload_sha is not the digest", "the id is not the salted digest", "the payload is not canonical",
    ),
    "update rendering set body = 'x'": ("body_sha is not the digest",),
    "update puzzle set commit_sha = replace(commit_sha, substr(commit_sha, 1, 1), 'g')": ("commit_root is not",),
    "update meta set value = 'cd' where key = 'pack_salt'": ("the id is not the salted digest",),
    "delete from puzzle_body": ("has no puzzle",),
    "delete from puzzle": ("rows refer to puzzles that are not in the pack",),
    "alter table puzzle add column gold text": ("tables that this clew did not make",),
    "create table extra (x)": ("tables that this clew did not make",),
    "pragma user_version = 2": ("made by a newer clew",),
    "pragma application_id = 7": ("is not a clew file",),
    "pragma journal_mode = wal": ("is not a finished pack",),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "expected"), SPOILED.items(), ids=list(SPOILED))
def test_each_spoiled_pack_has_its_finding(pack_path: Path, statement: str, expected: tuple[str, ...]) -> None:
    spoil(pack_path, statement, honest="table" not in statement and "pragma" not in statement)
    findings = verify_file(pack_path)
    for words in expected:
        assert any(words in finding for finding in findings), findings
    assert not any("content_sha" in finding for finding in findings)


def test_any_change_shows_in_the_content_digest(pack_path: Path) -> None:
    spoil(pack_path, "update rendering set audit_status = 'passed'")
    (finding,) = verify_file(pack_path)
    assert finding.startswith("content_sha is ")


def test_damaged_pages_are_found(pack_path: Path) -> None:
    data = bytearray(pack_path.read_bytes())
    data[4096 * 3 : 4096 * 4] = b"\xa5" * 4096
    pack_path.unlink()
    pack_path.write_bytes(data)
    (finding,) = verify_file(pack_path)
    assert "damaged" in finding


def test_other_page_size_is_found(pack_path: Path) -> None:
    spoil(pack_path, "pragma page_size = 8192", "vacuum")
    assert verify_file(pack_path) == ("page_size is 8192; 4096 is right",)


@pytest.mark.parametrize("content", [b"", b"text that is longer than a header " * 10])
def test_what_is_no_pack_is_said_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pack.db"
    path.write_bytes(content)
    assert verify_file(path) == (f"{path} is not a clew file.",)
    assert verify_file(tmp_path / "none") == (f"{tmp_path / 'none'} does not exist.",)


def test_builder_and_stated_digest_are_no_difference(tmp_path: Path) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    write_sample_pack(one)
    write_sample_pack(other)
    spoil(other, "update meta set value = 'x' where key in ('built_with', 'content_sha')")
    assert first_difference(one, other) is None


DIFFERENCES: dict[str, Callable[[str], str]] = {
    "update puzzle set complexity = 9 where id = (select max(id) from puzzle)": (
        lambda puzzle: f"puzzle {puzzle}: complexity is "
    ),
    "delete from rendering": lambda puzzle: "rendering: row ",
    "update meta set value = 'y' where key = 'title'": lambda puzzle: "meta title: value is 'sample' against 'y'",
}


@pytest.mark.parametrize(("statement", "expected"), DIFFERENCES.items(), ids=list(DIFFERENCES))
def test_first_difference_names_its_place(tmp_path: Path, statement: str, expected: Callable[[str], str]) -> None:
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    write_sample_pack(one)
    write_sample_pack(other)
    spoil(other, statement)
    last = max(pack_puzzle(nth).id for nth in range(3))
    found = first_difference(one, other)
    assert found is not None
    assert found.startswith(expected(last))
    assert first_difference(other, one) is not None


def test_long_values_are_cut(tmp_path: Path) -> None:
    puzzle = pack_puzzle(1)
    for name, status in (("one", "a" * 500), ("other", "b" * 500)):
        rendering = replace(rendering_of(puzzle), audit_status=status)
        meta = {"pack_salt": PACK_SALT}
        write_pack(tmp_path / name, meta=meta, puzzles=[puzzle], renderings=[rendering])
    found = first_difference(tmp_path / "one", tmp_path / "other")
    assert found is not None
    assert len(found) < 250


def test_pack_with_fewer_puzzles_differs(tmp_path: Path) -> None:
    write_sample_pack(tmp_path / "one", count=3)
    write_sample_pack(tmp_path / "other", count=2)
    assert first_difference(tmp_path / "one", tmp_path / "other") is not None
    with pytest.raises(StoreError):
        first_difference(tmp_path / "one", tmp_path / "none")
