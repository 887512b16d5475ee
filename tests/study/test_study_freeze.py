"""Freezing: the same file is the same study, a late edit is refused with what differs, an amendment keeps both."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.canonical import text_digest
from engine.errors import StoreError, UsageError
from engine.store.pack import PACK_SALT, Pack, PackPuzzle, PackRendering, write_pack
from engine.store.rows import column_names
from engine.store.sealed import Sealed
from engine.study.folder import Study
from engine.study.legible import steering
from engine.study.manifest import manifest_sha, manifest_text, read_manifest
from tests.study.study_world import Lab, changed
from tui.shown import shown_block


def test_freezing_twice_is_freezing_once(lab: Lab) -> None:
    lab.freeze(systems=3)
    first = (lab.home / "v1" / "manifest.json").read_bytes()
    again = lab.clew("study", "freeze", lab.config, "--out", lab.home)
    assert "unchanged" in again.out
    assert (lab.home / "v1" / "manifest.json").read_bytes() == first
    with lab.study() as study:
        assert study.sha == text_digest(first.decode()) and study.sha in again.out
        assert [row.version for row in study.file.frozen()] == [1]


def test_a_manifest_fixes_everything_and_holds_no_seed_of_a_puzzle(lab: Lab) -> None:
    lab.freeze(systems=4, writing=2)
    with lab.study() as study, Sealed.open(lab.folder / "systems" / "sealed.db") as sealed:
        text = manifest_text(study.manifest)
        manifest = study.manifest
        secrets = [str(record.seed) for record in sealed.records()] + [sealed.meta["recipe"], *sealed.canaries()]
        with Pack.open(study.packs[0]) as pack:
            assert manifest.packs[0].content_sha == pack.sha
            assert manifest.packs[0].commit_root == pack.meta["commit_root"]
            bodies = {entry.id: pack.renderings(entry.id)[0].body for entry in pack.puzzles()}
    assert not any(secret in text for secret in secrets)
    assert read_manifest(text, where="here") == manifest
    assert {item.uid: item.prompt_shas for item in manifest.items if item.family == "hidden-systems"} == {
        uid: (text_digest(body),) for uid, body in bodies.items()
    }
    assert len(manifest.items) == 6 and manifest.feedback == "never"
    for field in ("order_seed", "resampling_seed", "analysis", "resume", "confidence", "statuses", "consent"):
        assert json.loads(text)[field]


def test_a_late_edit_is_refused_with_what_differs(lab: Lab) -> None:
    lab.freeze(systems=3)
    text = lab.config.read_text()
    lab.config.write_text(changed(changed(text, "item_limit_s", "300"), "skips_per_ten", "2"))
    refused = lab.clew("study", "freeze", lab.config, "--out", lab.home, code=2)
    assert "time.item_limit_s: 0 -> 300" in refused.err and "skips_per_ten: 1 -> 2" in refused.err
    assert refused.err.count("\n") == 1 and not (lab.home / "v2").exists()


def test_an_amendment_is_a_version_of_its_own_and_rows_keep_theirs(lab: Lab) -> None:
    lab.freeze(systems=3)
    lab.recruit("ada-lab")
    lab.play("ada-lab")
    lab.merge("ada-lab")
    lab.config.write_text(changed(lab.config.read_text(), "item_limit_s", "300"))
    lab.clew("study", "freeze", lab.config, "--out", lab.home, "--amend")
    with lab.study() as study:
        first, second = study.versions
        assert (first.version, second.version) == (1, 2) and second.order_seed == first.order_seed
        assert study.shas == {manifest_sha(first): 1, manifest_sha(second): 2}
    assert (lab.home / "v1").is_dir() and (lab.home / "v2").is_dir()
    status = lab.clew("study", "status", lab.home).out
    assert "ada-lab" not in status and "0 trials collected" in status
    exported = lab.clew("study", "export", lab.home, "--version", "1", "--out", lab.folder / "one").out
    assert "participants (1)" in exported


@pytest.mark.parametrize("spoil", ["edit", "remove", "garbage"])
def test_a_manifest_that_was_changed_on_disk_stops_every_command(lab: Lab, spoil: str) -> None:
    lab.freeze(systems=2)
    path = lab.home / "v1" / "manifest.json"
    if spoil == "remove":
        path.unlink()
    elif spoil == "garbage":
        path.write_text("{}")
    else:
        path.write_text(path.read_text().replace('"skips_per_ten":1', '"skips_per_ten":5'))
    with pytest.raises(StoreError) as caught:
        Study.open(lab.home)
    assert ("skips_per_ten: 1 -> 5" in caught.value.line()) == (spoil == "edit")
    assert lab.clew("study", "status", lab.home, code=2).err.count("\n") == 1


def test_a_practice_pack_is_no_study(lab: Lab) -> None:
    lab.clew(
        "generate", "hidden-systems", "--count", "2", "--length", "4", "--seed", "3", "--out", lab.folder / "systems"
    )
    lab.write(["systems"])
    assert "--secret-seed" in lab.clew("study", "check", lab.config, code=2).err


def test_a_sealed_half_of_another_pack_is_refused(lab: Lab) -> None:
    lab.write(lab.packs(systems=2))
    other = lab.folder / "other"
    lab.clew("generate", "hidden-systems", "--count", "2", "--length", "4", "--secret-seed", "--out", other)
    sealed = lab.folder / "systems" / "sealed.db"
    sealed.unlink()
    assert "does not exist" in lab.clew("study", "freeze", lab.config, "--out", lab.home, code=2).err
    shutil.copy(other / "sealed.db", sealed)
    refused = lab.clew("study", "freeze", lab.config, "--out", lab.home, code=2)
    assert "no puzzle" in refused.err or "committed" in refused.err
    assert not (lab.home / "study.db").exists()


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\u202e", "\x9b", "\u200b", "a" + "\u0301" * 9])
def test_a_text_that_a_screen_would_change_is_refused(lab: Lab, hostile: str) -> None:
    lab.write(lab.packs(systems=1))
    pack = lab.folder / "systems" / "pack.db"
    _spoil(pack, hostile)
    refused = lab.clew("study", "check", lab.config, code=2)
    assert "a screen shows that otherwise" in refused.err and hostile not in refused.err


def _spoil(path: Path, hostile: str) -> None:
    """Build the pack again with something in its text that steers a terminal."""
    with Pack.open(path) as pack:
        meta = {key: pack.meta[key] for key in ("title", "kind", PACK_SALT)}
        entries = pack.puzzles()
        puzzles = [
            PackPuzzle(
                **{n: getattr(e, n) for n in column_names(PackPuzzle) if n != "payload"}, payload=pack.payload(e.id)
            )
            for e in entries
        ]
        told = [one for entry in entries for one in pack.renderings(entry.id)]
    bodies = [one.body + hostile for one in told]
    renderings = [
        PackRendering(
            **{n: getattr(one, n) for n in column_names(PackRendering) if n not in ("body", "body_sha")},
            body=body, body_sha=text_digest(body),
        )
        for one, body in zip(told, bodies, strict=True)
    ]  # fmt: skip
    path.unlink()
    write_pack(path, meta=meta, puzzles=puzzles, renderings=renderings)


@pytest.mark.slow
def test_what_is_called_legible_is_what_the_app_shows_as_it_is() -> None:
    wrong = [code for code in range(0x110000) if (shown_block(chr(code)) != chr(code)) != bool(steering(chr(code)))]
    assert wrong == []
    for text in ("e" + "\u0301" * 8, "e" + "\u0301" * 9, "plain\n\ttext", "\ud800"):
        assert bool(steering(text)) == (shown_block(text) != text)


def test_the_registered_text_is_kept_by_digest_beside_the_manifest(lab: Lab) -> None:
    (lab.folder / "prereg.md").write_text("We expect a difference.\n")
    lab.freeze(systems=2, registration="osf.io/abcde", file="prereg.md")
    with lab.study() as study:
        assert study.file.meta["registration"] == "osf.io/abcde"
        assert study.file.meta["prereg_sha"] == text_digest("We expect a difference.\n")
        assert "osf.io" not in manifest_text(study.manifest)
    lab.config.write_text(changed(lab.config.read_text(), "file", "gone.md"))
    assert "gone.md" in lab.clew("study", "check", lab.config, code=2).err


def test_new_writes_the_template_once(lab: Lab) -> None:
    path = lab.folder / "new.yaml"
    lab.clew("study", "new", path)
    assert "packs:" in path.read_text()
    assert "exists already" in lab.clew("study", "new", path, code=2).err


def test_an_unknown_version_and_a_folder_without_a_study_are_named(lab: Lab) -> None:
    with pytest.raises(StoreError, match="holds no study"):
        Study.open(lab.folder)
    lab.freeze(systems=1, attention="0", repeats="0")
    with pytest.raises(UsageError, match="1 to 1 are"):
        Study.open(lab.home, version=2)
