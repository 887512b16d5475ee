"""R02, C04 and C07 on packs: what is not drawn from the seeds, what lies in no row, seeds that can be guessed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from audit_samples import Ran

from audits import redrawn, seeds
from audits.base import PackAudit
from audits.view import open_view
from engine.cli import run
from engine.store.pack import Pack, rendering_id
from engine.store.places import builtin_pack


@pytest.mark.parametrize("audit", redrawn.AUDITS, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_clean_input_is_silent(audit: PackAudit) -> None:
    told = audit.self_test()
    assert told.trusted, told


@pytest.fixture(scope="module")
def writing_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study pack of writing tasks from a seed that nobody could guess, and its sealed file."""
    folder = tmp_path_factory.mktemp("writing") / "pack"
    assert run(["generate", "instruction-adherence", "--count", "4", "--constraints", "4", "--mode", "both",
                "--secret-seed", "--out", str(folder)]) == 0  # fmt: skip
    return folder


def test_packs_of_both_families_are_drawn_again(clean_folder: Path, writing_folder: Path) -> None:
    for folder, count in ((clean_folder, 24), (writing_folder, 8)):
        (row,) = redrawn.audit_redrawn(open_view(folder / "pack.db", folder / "sealed.db"))
        assert (row.status, row.n) == ("pass", count)
        (row,) = redrawn.audit_file(open_view(folder / "pack.db", None))
        assert (row.status, row.n) == ("pass", count)


def test_a_writing_pack_of_a_secret_seed_passes_and_one_of_a_small_seed_fails(
    writing_folder: Path, tmp_path: Path
) -> None:
    view = open_view(writing_folder / "pack.db", writing_folder / "sealed.db")
    (row,) = seeds.audit_seeds(view)
    assert row.status == "pass"
    small = tmp_path / "small"
    assert run(["generate", "instruction-adherence", "--count", "4", "--constraints", "4", "--mode", "both",
                "--seed", "31", "--out", str(small)]) == 0  # fmt: skip
    guessed = replace(open_view(small / "pack.db", small / "sealed.db"), kind="study")
    rows = seeds.audit_seeds(guessed)
    assert {row.status for row in rows} == {"fail"}
    assert any("/payload/generated" in row.location for row in rows)


def test_the_file_of_a_pack_of_writing_tasks_alone_is_read_too(
    writing_folder: Path, tmp_path: Path, clew: Callable[..., Ran]
) -> None:
    data = (writing_folder / "pack.db").read_bytes()
    (tmp_path / "pack.db").write_bytes(data)
    ran = clew("C04", str(tmp_path / "pack.db"))
    assert ran.code == 0 and redrawn.CLAIM_FILE in ran.out
    (tmp_path / "pack.db").write_bytes(data + bytes(4096))
    ran = clew("C04", str(tmp_path / "pack.db"))
    assert ran.code == 1 and "#/file" in ran.out


def test_the_built_in_pack_is_what_its_file_says() -> None:
    rows = redrawn.audit_file(open_view(builtin_pack(), None))
    assert {row.status for row in rows} <= {"pass", "inconclusive"}


def test_the_id_of_a_stored_rendering_is_a_function_of_its_row() -> None:
    with Pack.open(builtin_pack()) as pack:
        for entry in pack.puzzles()[::9]:
            for told in pack.renderings(entry.id):
                assert told.id == rendering_id(entry.id, told.renderer, told.domain, told.params_sha)


def test_one_changed_byte_of_free_room_is_a_finding_of_the_command(
    clean_folder: Path, tmp_path: Path, clew: Callable[..., Ran]
) -> None:
    data = bytearray((clean_folder / "pack.db").read_bytes())
    data[data.rfind(bytes(16))] = 1
    (tmp_path / "pack.db").write_bytes(bytes(data))
    ran = clew("C04", str(tmp_path / "pack.db"))
    assert ran.code == 1 and "#/file" in ran.out
