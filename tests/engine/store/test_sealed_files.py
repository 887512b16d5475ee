"""Sealed files: private from the first byte, and mute when printed."""

from __future__ import annotations

import traceback
from dataclasses import fields, replace
from pathlib import Path

import pytest
from store_samples import sealed_puzzle

from engine.canonical import canonical_text, read_json
from engine.errors import StoreError, UsageError
from engine.store.commitment import leaf
from engine.store.sealed import Sealed, SealedPuzzle, commitment, record_text, write_sealed

META = {"recipe": canonical_text({"seed": "none of yours"})}


@pytest.fixture
def sealed_path(tmp_path: Path) -> Path:
    path = tmp_path / "private" / "sealed.db"
    records = [sealed_puzzle(nth) for nth in range(3)]
    write_sealed(path, meta=META, puzzles=records, canaries=["canary-b", "canary-a"])
    return path


def test_sealed_file_gives_back_what_was_written(sealed_path: Path) -> None:
    records = sorted((sealed_puzzle(nth) for nth in range(3)), key=lambda record: record.puzzle_id)
    with Sealed.open(sealed_path) as sealed:
        assert sealed.records() == tuple(records)
        assert sealed.record(records[1].puzzle_id) == records[1]
        assert sealed.record(records[1].puzzle_id).seed >= 2**255
        assert sealed.canaries() == ("canary-a", "canary-b")
        assert sealed.meta == META
        with pytest.raises(UsageError, match="has no puzzle 'p'"):
            sealed.record("p")


def test_file_and_new_folder_are_private(sealed_path: Path) -> None:
    assert sealed_path.stat().st_mode & 0o777 == 0o600
    assert sealed_path.parent.stat().st_mode & 0o777 == 0o700
    assert sealed_path.read_bytes()[18:20] == b"\x01\x01"
    assert list(sealed_path.parent.iterdir()) == [sealed_path]


def test_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    write_sealed(tmp_path / "sealed.db", meta={}, puzzles=[], canaries=[])
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_existing_file_is_replaced_only_on_demand(sealed_path: Path) -> None:
    before = sealed_path.read_bytes()
    with pytest.raises(StoreError, match="exists already"):
        write_sealed(sealed_path, meta={}, puzzles=[], canaries=[])
    assert sealed_path.read_bytes() == before
    write_sealed(sealed_path, meta={}, puzzles=[], canaries=[], replace=True)
    with Sealed.open(sealed_path) as sealed:
        assert sealed.records() == ()


SECRETS = ("hidden-rule-text", "PRESENT", "7/16", str(2**255 + 1), "01010101", "idx")


def test_printing_shows_the_public_id_only() -> None:
    record = sealed_puzzle(1)
    for shown in (repr(record), str(record), f"{record}", repr([record]), f"{record!r:>10}"):
        assert record.puzzle_id in shown
        assert not any(secret in shown for secret in SECRETS)


def test_messages_of_refused_records_are_mute(tmp_path: Path) -> None:
    for spoiled in (
        replace(sealed_puzzle(1), salt=b"short"),
        replace(sealed_puzzle(1), gold="MAYBE"),  # type: ignore[arg-type]
        replace(sealed_puzzle(1), idx=-1),
    ):
        with pytest.raises((UsageError, StoreError)) as raised:
            write_sealed(tmp_path / "sealed.db", meta={}, puzzles=[spoiled], canaries=[])
        said = "".join(traceback.format_exception_only(raised.value)) + raised.value.line()
        assert not any(secret in said for secret in ("hidden-rule-text", "7/16", str(2**255 + 1), "0101", "MAYBE"))
    assert list(tmp_path.iterdir()) == []


def test_commitment_covers_every_field_but_the_salt() -> None:
    record = sealed_puzzle(1)
    assert commitment(record) == leaf(record.salt, record_text(record))
    document = read_json(record_text(record), where="record")
    assert isinstance(document, dict)
    assert set(document) == {field.name for field in fields(SealedPuzzle)} - {"salt"}
    changes: dict[str, object] = {
        "puzzle_id": "x", "seed": 5, "idx": 7, "generator_version": "2", "program": "{}", "gold": "ABSENT",
        "present_probability": "1/16", "latent_trace": "[1]", "salt": b"y" * 16,
    }  # fmt: skip
    assert set(changes) == {field.name for field in fields(SealedPuzzle)}
    others = {commitment(replace(record, **{name: value})) for name, value in changes.items()}  # type: ignore[arg-type]
    assert len(others | {commitment(record)}) == len(changes) + 1
