"""What a participant's machine gets: packs, practice, manifest, and the lists of the codes that play there.

No sealed file, no seed of a puzzle, no gold of an item. Every file is named with its digest; a bundle that was changed,
cut short or put together from two studies is refused before anything is shown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.canonical import canonical_text
from engine.errors import StoreError, UsageError, quoted
from engine.hidden_systems.behavior import Public
from engine.public import Aid
from engine.store.files import copy_created, private_folder, scratch_folder, sync_folder
from engine.store.pack import PACK_MODE, Pack
from engine.study.manifest import Manifest, manifest_sha, read_manifest
from engine.study.ordering import Slot
from engine.study.rehearsal import Rehearsal, read_rehearsal

FORMAT = "clew-bundle/1"
PLACES_NAME, MANIFEST_NAME, ASIDE_NAME, PRACTICE_NAME = "places.json", "manifest.json", "aside.db", "practice.json"


class Listed(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One item of a person's list."""

    puzzle_id: str
    role: str
    block: int
    aid: Aid


class Place(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One participant of a bundle."""

    id: str
    code: str
    position: int
    aid: Aid
    """The first one, where a study varies it within people."""
    items: tuple[Listed, ...]
    """In the order in which they are shown."""

    def slots(self) -> tuple[Slot, ...]:
        return tuple(
            Slot(
                puzzle_id=one.puzzle_id,
                role="attention" if one.role == "attention" else "repeat" if one.role == "repeat" else "main",
                block=one.block,
                aid=one.aid,
            )
            for one in self.items
        )


class Contents(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table of contents of a bundle."""

    format: str
    manifest_sha: str
    files: dict[str, str]
    """SHA-256 of every other file, by name."""
    places: tuple[Place, ...]


class Bundle:
    """A bundle that was read and found whole."""

    def __init__(self, folder: Path, manifest: Manifest, contents: Contents, rehearsal: Rehearsal) -> None:
        self.folder = folder
        self.manifest = manifest
        self.sha = contents.manifest_sha
        self.rehearsal = rehearsal
        self.files = tuple(sorted(contents.files))
        """Names of all files but the list itself."""
        self._places = {place.code: place for place in contents.places}

    @property
    def codes(self) -> tuple[str, ...]:
        return tuple(sorted(self._places))

    @property
    def packs(self) -> tuple[Path, ...]:
        """The study's packs, then the aside pack."""
        return (
            *(self.folder / f"pack-{nth + 1}.db" for nth in range(len(self.manifest.packs))),
            self.folder / ASIDE_NAME,
        )

    def place(self, code: str) -> Place:
        """Return the place of a code.

        Raises:
            UsageError: the bundle has no such code.
        """
        if code not in self._places:
            raise UsageError(
                f"code {quoted(code)} is none of this bundle's {len(self._places)}; the code as it was given is needed"
            )
        return self._places[code]


def write_bundle(out: Path, source: Path, manifest: Manifest, places: Sequence[Place]) -> None:
    """Write a bundle of a version's folder into a new folder, in one step.

    Raises:
        UsageError: the folder exists.
        StoreError: it cannot be written.
    """
    if out.exists():
        raise UsageError(f"{out} exists already; a bundle needs a new folder")
    private_folder(out.parent)
    with scratch_folder(out.parent) as scratch:
        built = scratch / "bundle"
        built.mkdir(mode=0o700)
        names = [
            *(f"pack-{nth + 1}.db" for nth in range(len(manifest.packs))),
            ASIDE_NAME,
            PRACTICE_NAME,
            MANIFEST_NAME,
        ]
        for name in names:
            copy_created(source / name, built / name, PACK_MODE)
        contents = Contents(
            format=FORMAT, manifest_sha=manifest_sha(manifest), files={name: _sha(built / name) for name in names},
            places=tuple(places),
        )  # fmt: skip
        (built / PLACES_NAME).write_text(canonical_text(msgspec.to_builtins(contents)), encoding="utf-8")
        built.rename(out)
    sync_folder(out.parent)


def read_bundle(folder: Path) -> Bundle:
    """Read a bundle and check every file of it.

    Raises:
        StoreError: no bundle, a missing, changed or foreign file, or a manifest of another study.
    """
    contents = _contents(folder)
    for name, sha in sorted(contents.files.items()):
        if Path(name).name != name or not (folder / name).is_file():
            raise StoreError(f"bundle {folder}: {name} is missing; copy the whole folder again")
        if _sha(folder / name) != sha:
            raise StoreError(f"bundle {folder}: {name} is not the file that was packed; copy the whole folder again")
    where = str(folder / MANIFEST_NAME)
    manifest = read_manifest((folder / MANIFEST_NAME).read_text(encoding="utf-8"), where=where)
    if manifest_sha(manifest) != contents.manifest_sha:
        raise StoreError(
            f"bundle {folder}: its manifest is {manifest_sha(manifest)[:12]} and its list is for"
            f" {contents.manifest_sha[:12]}: another study or version; pack it again"
        )
    rehearsal = read_rehearsal((folder / PRACTICE_NAME).read_text(encoding="utf-8"), where=str(folder / PRACTICE_NAME))
    bundle = Bundle(folder, manifest, contents, rehearsal)
    _require_packs(bundle)
    return bundle


def _contents(folder: Path) -> Contents:
    try:
        text = (folder / PLACES_NAME).read_text(encoding="utf-8")
        contents = msgspec.json.decode(text, type=Contents)
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            f"{folder} is no study bundle: {PLACES_NAME} cannot be read", "clew study pack makes one"
        ) from error
    except msgspec.DecodeError as error:
        raise StoreError(f"bundle {folder}: {PLACES_NAME} is not what clew wrote: {error}") from error
    if contents.format != FORMAT:
        raise StoreError(f"bundle {folder}: format {quoted(contents.format)}; {FORMAT!r} is what this clew reads")
    return contents


def _require_packs(bundle: Bundle) -> None:
    wanted = [*(pack.content_sha for pack in bundle.manifest.packs), bundle.manifest.aside.pack_sha]
    for path, sha in zip(bundle.packs, wanted, strict=True):
        with Pack.open(path) as pack:
            if pack.sha != sha:
                raise StoreError(
                    f"bundle {bundle.folder}: {path.name} is another pack than the manifest's; pack it again"
                )


def _sha(path: Path) -> str:
    with path.open("rb") as reading:
        return hashlib.file_digest(reading, "sha256").hexdigest()
