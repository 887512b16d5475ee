"""`clew audit BUNDLE_DIR`: a right bundle passes, every spoiled one is found, and what is not given decides nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from audit_samples import Ran

from audits.base import BundleAudit, settled
from audits.bundle_plants import AUDITS, BYTES, CODE, made_bundle
from audits.bundles import audit_bytes, audit_lists, open_bundle
from engine.study.bundle import PLACES_NAME


@pytest.fixture(scope="module")
def made() -> Iterator[tuple[Path, Path]]:
    with made_bundle() as lent:
        yield lent


@pytest.fixture
def bundle(made: tuple[Path, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(made[0], tmp_path / "bundle"))


@pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_a_right_bundle_is_silent(audit: BundleAudit) -> None:
    told = audit.self_test()
    assert told.trusted, told


def test_a_right_bundle_passes_with_its_sealed_file(
    bundle: Path, made: tuple[Path, Path], clew: Callable[..., Ran]
) -> None:
    ran = clew(str(bundle), "--sealed", str(made[1]))
    assert ran.code == 0, ran.out
    assert f"audit R03 S03 S10 on bundle {bundle} with 1 sealed file" in ran.err


def test_without_the_sealed_file_a_bundle_is_not_called_clean(bundle: Path, clew: Callable[..., Ran]) -> None:
    ran = clew(str(bundle))
    assert ran.code == 3 and "--sealed" in ran.out


def test_a_sealed_file_in_a_bundle_is_seen_without_any_other(bundle: Path, made: tuple[Path, Path]) -> None:
    shutil.copy(made[1], bundle / "notes.txt")
    rows = audit_bytes(open_bundle(bundle, ()))
    assert [row.location for row in rows if row.status == "fail"] == [
        "bundle notes.txt#/files/unlisted", "bundle notes.txt#/files/declared",
    ]  # fmt: skip


def test_no_report_holds_what_was_found(bundle: Path, made: tuple[Path, Path]) -> None:
    from engine.store.sealed import Sealed

    with Sealed.open(made[1]) as sealed:
        record = sealed.records()[0]
    (bundle / "stray").write_text(record.program)
    told = repr(audit_bytes(open_bundle(bundle, (made[1],))))
    assert "/raw/program" in told and record.program not in told and record.salt.hex() not in told


def test_the_list_of_every_position_is_drawn_again(made: tuple[Path, Path]) -> None:
    (row,) = settled(audit_lists(open_bundle(made[0], ())))
    assert (row.status, row.n) == ("pass", 1)


@pytest.mark.parametrize("given", [("--sealed", "pack.db"), ("--sealed", "a.db", "--sealed", "b.db")])
def test_wrong_sealed_files_are_one_line_and_two(
    given: tuple[str, ...], bundle: Path, clew: Callable[..., Ran]
) -> None:
    ran = clew(str(bundle), *given)
    assert (ran.code, ran.out, len(ran.err.strip().splitlines()) <= 2) == (2, "", True)


def test_sealed_goes_with_a_bundle_only(clean_folder: Path, clew: Callable[..., Ran]) -> None:
    ran = clew(str(clean_folder), "--sealed", str(clean_folder / "sealed.db"))
    assert ran.code == 2 and "goes with a bundle" in ran.err


def test_a_bundle_with_a_changed_file_is_refused(bundle: Path, clew: Callable[..., Ran]) -> None:
    (bundle / "practice.json").write_text("[]")
    ran = clew(str(bundle))
    assert ran.code == 2 and "practice.json is not the file that was packed" in ran.err


def test_plants_are_many_and_the_sample_is_for_one_code(made: tuple[Path, Path]) -> None:
    assert len(BYTES) >= 5 and CODE in (made[0] / PLACES_NAME).read_text()
