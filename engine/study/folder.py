"""A study's folder on the researcher's machine, and the act of freezing one.

    study.db           manifests, places, leases, notes
    v1/                one folder a version, written once: manifest.json, pack-1.db ..., aside.db, practice.json,
                       attention.json
    answers.db         what was merged so far
    scores.db          what the scorer made of it; may be deleted

Every command opens the folder through `Study.open`, which compares each manifest file with the frozen text.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from msgspec.structs import replace

from engine.canonical import Json, canonical_text, read_json, text_digest
from engine.errors import StoreError, UsageError, counted
from engine.store.clock import Clock, utc_now
from engine.store.files import copy_created, private_folder, scratch_folder, sync_folder
from engine.store.pack import PACK_MODE, Pack
from engine.store.places import sealed_path
from engine.store.study_file import FrozenRow, StudyFile
from engine.study.aside import write_aside
from engine.study.composing import Composed, Seeds, compose
from engine.study.config import read_config
from engine.study.manifest import Manifest, differences, manifest_sha, manifest_text, read_manifest
from engine.study.practising import prepare
from engine.study.proof import require_committed
from engine.study.rehearsal import rehearsal_text

STUDY_NAME, MANIFEST_NAME, ASIDE_NAME, PRACTICE_NAME = "study.db", "manifest.json", "aside.db", "practice.json"
ATTENTION_NAME = "attention.json"
"""What attention tasks are checked for; it stays on the researcher's machine."""
ANSWERS_NAME, SCORES_NAME = "answers.db", "scores.db"
SEALED_KEY = "sealed"
"""Meta key: where the sealed halves lay when the study was frozen, one a pack."""
SHOWN_DIFFERENCES = 4


def pack_name(nth: int) -> str:
    """Return the file name of the nth pack of a study, from 0."""
    return f"pack-{nth + 1}.db"


@dataclass(frozen=True, kw_only=True)
class Frozen:
    """What freezing came to."""

    manifest: Manifest
    sha: str
    new: bool
    """False when the same study was frozen before."""


def freeze(config_path: Path, folder: Path, *, amend: bool = False, clock: Clock = utc_now) -> Frozen:
    """Freeze a study into a folder; the same file again changes nothing.

    Args:
        amend: a changed file makes the next version; the older ones stay.

    Raises:
        UsageError: the study file or its packs are not usable, or the frozen study differs; names what differs.
        StoreError: a pack's sealed half is missing or is not the committed one, or the folder is not writable.
    """
    config = read_config(config_path)
    text = config_path.read_text(encoding="utf-8")
    if not (folder / STUDY_NAME).exists():
        return _first(config_path, folder, compose(config, config_path.parent, Seeds.fresh(), 1), text, clock)
    with Study.open(folder) as study:
        before = study.manifest
        seeds = Seeds(order=before.order_seed, resampling=before.resampling_seed)
        after = compose(config, config_path.parent, seeds, before.version)
        same_aside = replace(after.manifest, aside=replace(after.manifest.aside, pack_sha=before.aside.pack_sha))
        changes = differences(before, replace(same_aside, clew_version=before.clew_version))
        if not changes:
            return Frozen(manifest=before, sha=study.sha, new=False)
        if not amend:
            more = f"; and {len(changes) - SHOWN_DIFFERENCES} more" if len(changes) > SHOWN_DIFFERENCES else ""
            raise UsageError(
                f"study {before.name!r} is frozen as version {before.version} ({study.sha[:12]}) and differs:"
                f" {'; '.join(changes[:SHOWN_DIFFERENCES])}{more}",
                "clew study freeze --amend makes the next version, and keeps this one",
            )
        manifest = _write_version(folder, replace_version(after, before.version + 1))
        study.file.add_version(_row(manifest, text, clock))
    return Frozen(manifest=manifest, sha=manifest_sha(manifest), new=True)


def replace_version(composed: Composed, version: int) -> Composed:
    """Return the same study under another version number."""
    return Composed(
        manifest=replace(composed.manifest, version=version), aside=composed.aside, packs=composed.packs,
        practice=composed.practice,
    )  # fmt: skip


def _first(config_path: Path, folder: Path, composed: Composed, text: str, clock: Clock) -> Frozen:
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty and holds no study; give a new folder")
    private_folder(folder)
    manifest = _write_version(folder, composed)
    sealed: list[Json] = [str(sealed_path(path).resolve()) for path in composed.packs]
    StudyFile.create(
        folder / STUDY_NAME, {SEALED_KEY: canonical_text(sealed)} | prereg(config_path), _row(manifest, text, clock)
    )
    return Frozen(manifest=manifest, sha=manifest_sha(manifest), new=True)


def prereg(config_path: Path) -> dict[str, str]:
    """Return what is kept beside the manifest about its public registration.

    Raises:
        UsageError: the registered text is named and cannot be read.
    """
    told = read_config(config_path).preregistration
    found = {"registration": told.registration, "prereg_sha": ""}
    if told.file:
        try:
            found["prereg_sha"] = text_digest((config_path.parent / told.file).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"preregistration.file {told.file!r} cannot be read; a text in UTF-8 is needed") from error
    return found


def _row(manifest: Manifest, config: str, clock: Clock) -> FrozenRow:
    return FrozenRow(
        version=manifest.version,
        sha=manifest_sha(manifest),
        manifest=manifest_text(manifest),
        config=config,
        at=clock(),
    )


def _write_version(folder: Path, composed: Composed) -> Manifest:
    """Write a version's folder in one step; return the manifest with the digest of its aside pack."""
    target = folder / f"v{composed.manifest.version}"
    _check_sealed(composed)
    with scratch_folder(folder) as scratch:
        built = scratch / "version"
        built.mkdir(mode=0o700)
        for nth, path in enumerate(composed.packs):
            copy_created(path, built / pack_name(nth), PACK_MODE)
        sha = write_aside(built / ASIDE_NAME, composed.aside, composed.manifest.title, composed.manifest.order_seed)
        manifest = replace(composed.manifest, aside=replace(composed.manifest.aside, pack_sha=sha))
        with Pack.open(composed.practice) as practice:
            prepared = prepare(practice, composed.aside.practice, composed.aside.practice_of)
        (built / PRACTICE_NAME).write_text(rehearsal_text(prepared), encoding="utf-8")
        checks = rehearsal_text(composed.aside.attention_checks)
        (built / ATTENTION_NAME).write_text(checks, encoding="utf-8")
        (built / MANIFEST_NAME).write_text(manifest_text(manifest), encoding="utf-8")
        try:
            built.rename(target)
        except OSError as error:
            raise StoreError(f"{target} is there already, from a freeze that was cut short; remove it") from error
    sync_folder(folder)
    return manifest


def _check_sealed(composed: Composed) -> None:
    """Refuse to freeze what could never be scored, or what its pack did not commit to."""
    items = {item.uid for item in composed.manifest.items}
    require_committed(composed.packs, [sealed_path(path) for path in composed.packs], items)


class Study:
    """An open study; use it from the thread that opened it."""

    def __init__(self, folder: Path, file: StudyFile, versions: Sequence[Manifest]) -> None:
        self.folder = folder
        self.file = file
        self.versions = tuple(versions)
        """Oldest first."""
        self.manifest = self.versions[-1]
        self.sha = manifest_sha(self.manifest)

    @classmethod
    def open(cls, folder: Path, version: int | None = None) -> Study:
        """Open a study folder, at its newest version unless another is asked for.

        Raises:
            UsageError: no such version.
            StoreError: no study, or a manifest file is not what was frozen; names what differs.
        """
        if not (folder / STUDY_NAME).is_file():
            raise StoreError(f"{folder} holds no study; clew study freeze makes one")
        with ExitStack() as files:
            file = files.enter_context(StudyFile.open(folder / STUDY_NAME))
            rows = file.frozen()
            versions = [_checked(folder, row) for row in rows]
            if version is not None and not 1 <= version <= len(versions):
                raise UsageError(f"version {version} of the study is not there; 1 to {len(versions)} are")
            study = cls(folder, file, versions[:version])
            files.pop_all()
        return study

    @property
    def place(self) -> Path:
        """The folder of the version at hand."""
        return self.folder / f"v{self.manifest.version}"

    @property
    def packs(self) -> tuple[Path, ...]:
        return tuple(self.place / pack_name(nth) for nth in range(len(self.manifest.packs)))

    @property
    def answers(self) -> Path:
        return self.folder / ANSWERS_NAME

    @property
    def scores(self) -> Path:
        return self.folder / SCORES_NAME

    @property
    def shas(self) -> dict[str, int]:
        """Version by digest of its manifest."""
        return {manifest_sha(manifest): manifest.version for manifest in self.versions}

    def sealed(self, given: Sequence[Path] = ()) -> tuple[Path, ...]:
        """Return the sealed halves, one a pack: those given, or where they lay when the study was frozen.

        Raises:
            UsageError: another number is given than there are packs.
        """
        stored = read_json(self.file.meta.get(SEALED_KEY, "[]"), where=STUDY_NAME)
        paths = tuple(given) or tuple(Path(str(path)) for path in stored if isinstance(stored, list))  # type: ignore[union-attr]
        if len(paths) != len(self.manifest.packs):
            wanted = counted(len(self.manifest.packs), "pack")
            raise UsageError(f"{counted(len(paths), 'sealed file')} for {wanted}; one each, in the same order")
        return paths

    def is_closed(self) -> bool:
        return bool(self.file.notes("closed"))

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked(folder: Path, row: FrozenRow) -> Manifest:
    """Return a frozen manifest whose file on disk is what was frozen."""
    where = folder / f"v{row.version}" / MANIFEST_NAME
    frozen = read_manifest(row.manifest, where=f"version {row.version}")
    if manifest_sha(frozen) != row.sha:
        raise StoreError(f"{folder / STUDY_NAME}: version {row.version} does not have its own digest; restore a copy")
    try:
        text = where.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{where}: missing or unreadable; the study is frozen, restore the file") from error
    if text != row.manifest:
        raise StoreError(
            f"{where}: {_edited(text, frozen, str(where))}", "restore the file; --amend makes a new version"
        )
    return frozen


def _edited(text: str, frozen: Manifest, where: str) -> str:
    try:
        changes = differences(frozen, read_manifest(text.strip(), where=where))
    except (StoreError, UsageError):
        return "no manifest any more; the frozen one was changed"
    return f"the frozen manifest was changed: {'; '.join(changes[:SHOWN_DIFFERENCES]) or 'white space'}"
