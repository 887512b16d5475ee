"""What is handed out: nothing sealed in it, and nothing in it that could be changed without being noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.errors import StoreError, UsageError
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from engine.study.bundle import read_bundle
from engine.study.handing import list_of
from engine.study.proof import leaks, secret_words
from tests.study.study_world import Lab


@pytest.fixture
def handed(lab: Lab) -> Lab:
    lab.freeze(systems=3, writing=1, block_items="2")
    lab.recruit("ada-lab", "ben-lab")
    return lab


def halves(lab: Lab) -> tuple[list[Path], list[Path]]:
    folders = [lab.folder / "systems", lab.folder / "writing"]
    return [folder / "pack.db" for folder in folders], [folder / "sealed.db" for folder in folders]


def test_a_bundle_holds_no_sealed_byte(handed: Lab) -> None:
    packs, sealed = halves(handed)
    bundle = handed.bundle("ada-lab")
    assert leaks(bundle, packs, sealed) == ()
    names = sorted(path.name for path in bundle.iterdir())
    assert names == ["aside.db", "manifest.json", "pack-1.db", "pack-2.db", "places.json", "practice.json"]
    everything = b"".join(path.read_bytes() for path in bundle.iterdir())
    for path, pack_path in zip(sealed, packs, strict=True):
        with Sealed.open(path) as opened, Pack.open(pack_path) as pack:
            words = secret_words(opened, pack)
            assert len(words) > 8 and set(opened.canaries()) <= set(words)
            assert not any(word.encode() in everything for word in words if word not in pack.meta.values())


@pytest.mark.parametrize("where", ["manifest.json", "new.txt", "aside.db"])
def test_the_search_finds_what_is_planted(handed: Lab, where: str) -> None:
    packs, sealed = halves(handed)
    path = handed.bundle("ada-lab") / where
    with Sealed.open(sealed[0]) as opened:
        word = opened.records()[0].program
    if path.exists():
        path.chmod(0o600)
    with path.open("ab") as writing:
        writing.write(word.encode())
    assert leaks(handed.bundle("ada-lab"), packs, sealed) == (where,)


def test_a_bundle_knows_its_own_codes_only(handed: Lab) -> None:
    bundle = read_bundle(handed.bundle("ada-lab"))
    assert bundle.codes == ("ada-lab",) and b"ben-lab" not in (handed.bundle("ada-lab") / "places.json").read_bytes()
    with pytest.raises(UsageError, match="'ben-lab' is none of"):
        bundle.place("ben-lab")
    with handed.study() as study:
        place = bundle.place("ada-lab")
        items = sorted({one.puzzle_id for one in place.items if one.role == "main"})
        assert list_of(study.manifest, place.position, items) == place.slots()


@pytest.mark.parametrize("name", ["pack-1.db", "aside.db", "practice.json", "manifest.json"])
def test_a_changed_or_missing_file_is_refused(handed: Lab, name: str) -> None:
    path = handed.bundle("ada-lab") / name
    path.chmod(0o600)
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StoreError, match=f"{name} is not the file that was packed"):
        read_bundle(handed.bundle("ada-lab"))
    path.unlink()
    with pytest.raises(StoreError, match=f"{name} is missing"):
        read_bundle(handed.bundle("ada-lab"))


def test_a_bundle_put_together_from_two_studies_is_refused(handed: Lab) -> None:
    path = handed.bundle("ada-lab") / "places.json"
    contents = json.loads(path.read_text())
    contents["manifest_sha"] = "0" * 64
    path.write_text(json.dumps(contents))
    with pytest.raises(StoreError, match="another study or version"):
        read_bundle(handed.bundle("ada-lab"))
    path.write_text("{}")
    with pytest.raises(StoreError, match="not what clew wrote"):
        read_bundle(handed.bundle("ada-lab"))
    path.unlink()
    with pytest.raises(StoreError, match="no study bundle"):
        read_bundle(handed.bundle("ada-lab"))


def test_packing_needs_places_and_a_new_folder(handed: Lab) -> None:
    there = handed.bundle("ada-lab")
    assert "exists already" in handed.clew("study", "pack", handed.home, "--out", there, code=2).err
    refused = handed.clew("study", "pack", handed.home, "--code", "eve", "--out", handed.folder / "x", code=2)
    assert "'eve' has no place" in refused.err and not (handed.folder / "x").exists()
    whole = handed.clew("study", "pack", handed.home, "--out", handed.folder / "all")
    assert "2 participants" in whole.out and read_bundle(handed.folder / "all").codes == ("ada-lab", "ben-lab")


def test_without_the_sealed_half_nothing_is_packed(handed: Lab) -> None:
    sealed = handed.folder / "systems" / "sealed.db"
    sealed.rename(handed.folder / "away.db")
    refused = handed.clew("study", "pack", handed.home, "--code", "ada-lab", "--out", handed.folder / "x", code=2)
    assert "does not exist" in refused.err and not (handed.folder / "x").exists()
    handed.clew(
        "study", "pack", handed.home, "--code", "ada-lab", "--out", handed.folder / "x",
        "--sealed", handed.folder / "away.db", "--sealed", handed.folder / "writing" / "sealed.db",
    )  # fmt: skip
    only_one = handed.clew(
        "study", "pack", handed.home, "--out", handed.folder / "y", "--sealed", handed.folder / "away.db", code=2
    )
    assert "1 sealed file for 2 packs" in only_one.err


def test_practice_items_are_none_of_the_study(handed: Lab) -> None:
    with handed.study() as study:
        texts = {sha for item in study.manifest.items for sha in item.prompt_shas}
        beside = {sha for extra in study.manifest.aside.practice for sha in extra.prompt_shas}
        beside |= {sha for extra in study.manifest.aside.attention for sha in extra.prompt_shas}
        copies = {copy.uid for copy in study.manifest.aside.copies}
    assert beside and not texts & beside
    assert len(copies) == 4 and not copies & {item.uid for item in study.manifest.items}
