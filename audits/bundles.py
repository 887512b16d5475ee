"""R03, S03 and S10 on a participant's bundle: its bytes, the order of its lists, the labels in them.

The lists are recomputed from the frozen manifest, which is stronger than any test of an order. What is sealed is looked
for if the sealed files of the study's packs are given; without them that part decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from audits.base import Finding, Measure, Row, exact_rows, fingerprint
from audits.flow import DECLARED
from audits.honeytokens import secrets_of
from audits.listing import balanced
from audits.remnants import HEADER
from audits.tokens import Needles, Secret, every_file
from engine.errors import ClewError, UsageError, counted
from engine.instruction_adherence.writing import FAMILY
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from engine.study.bundle import PLACES_NAME, PRACTICE_NAME, Bundle, Place, read_bundle
from engine.study.handing import list_of
from engine.study.rehearsal import Prepared

CLAIM_FILES = "a bundle holds the files of its own list, none that is declared to hold gold, and no feedback on an item"
CLAIM_SEALED = "no byte of a bundle is part of anything sealed, in any form"
CLAIM_ORDER = "every list of a bundle is the one that follows from the frozen manifest and the participant's place"
CLAIM_BALANCE = "the labels of a list are as common as each other"
CLAIM_WHOLE = "a list draws from a pack that holds more: of a whole pack exactly half is PRESENT"
NEEDS_SEALED = "give --sealed FILE for each pack of the study, in their order"


@dataclass(frozen=True, kw_only=True, repr=False)
class BundleView:
    """A bundle that was read and found whole, with the sealed files of its packs if they were given."""

    bundle: Bundle
    sealed: tuple[Path, ...] = ()

    @property
    def folder(self) -> Path:
        return self.bundle.folder

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(self.bundle.place(code) for code in self.bundle.codes)

    def present(self) -> Mapping[str, bool]:
        """Return the private label of every hidden system of the study's packs; none without sealed files."""
        found = {}
        for path in self.sealed:
            with Sealed.open(path) as opened:
                found.update({record.puzzle_id: record.gold == "PRESENT" for record in opened.records()})
        return found


def is_bundle(folder: Path) -> bool:
    """Tell whether a folder is what `clew study pack` writes."""
    return (folder / PLACES_NAME).is_file()


def open_bundle(folder: Path, sealed: tuple[Path, ...]) -> BundleView:
    """Read a bundle.

    Raises:
        StoreError: it is not whole.
        UsageError: another number of sealed files than of packs, or one of another pack.
    """
    view = BundleView(bundle=read_bundle(folder), sealed=sealed)
    packs = view.bundle.packs[:-1]
    if sealed and len(sealed) != len(packs):
        raise UsageError(f"{counted(len(sealed), 'sealed file')} for {counted(len(packs), 'pack')}; {NEEDS_SEALED}")
    for path, half in zip(packs, sealed, strict=False):
        _require_half(path, half)
    return view


def _require_half(path: Path, half: Path) -> None:
    with Pack.open(path) as pack, Sealed.open(half) as sealed:
        known = {record.puzzle_id for record in sealed.records()}
        for entry in pack.puzzles():
            if entry.family == FAMILY:
                sealed.task(entry.id)
            elif entry.id not in known:
                raise UsageError(f"{half} has no puzzle {entry.id!r} of {path.name}; {NEEDS_SEALED}")


# R03 ------------------------------------------------------------------------------------------------------------------


def audit_bytes(view: BundleView) -> tuple[Row, ...]:
    """Run R03 on a bundle."""
    files = list(every_file(view.folder))
    strange = exact_rows("R03", CLAIM_FILES, "error", "bundle", _strange(view, files), len(files))
    if not view.sealed:
        blank = exact_rows("R03", CLAIM_SEALED, "error", "bundle", (), 0)
        return (*strange, *(replace(row, threshold=NEEDS_SEALED) for row in blank))
    return (*strange, *exact_rows("R03", CLAIM_SEALED, "error", "bundle", _sealed(view, files), len(files)))


def _strange(view: BundleView, files: list[Path]) -> Iterator[Finding]:
    listed = {*view.bundle.files, PLACES_NAME}
    for path in files:
        name = str(path.relative_to(view.folder))
        if name not in listed:
            yield Finding(name, "/files/unlisted")
        with path.open("rb") as reading:
            if reading.read(HEADER.stop)[HEADER] in DECLARED:
                yield Finding(name, "/files/declared")
    manifest = view.bundle.manifest
    items = {one.uid for one in manifest.items} | {one.uid for one in manifest.aside.copies}
    items |= {one.uid for one in manifest.aside.attention}
    prepared = msgspec.json.decode((view.folder / PRACTICE_NAME).read_bytes(), type=tuple[Prepared, ...])
    yield from (Finding(PRACTICE_NAME, "/feedback") for one in prepared if one.puzzle_id in items)


def _sealed(view: BundleView, files: list[Path]) -> Iterator[Finding]:
    secrets: list[Secret] = []
    for path, half in zip(view.bundle.packs, view.sealed, strict=False):
        with Pack.open(path) as pack:
            secrets += secrets_of(half, [entry.id for entry in pack.puzzles() if entry.family == FAMILY])
    needles = Needles(secrets)
    for path in files:
        name = str(path.relative_to(view.folder))
        for hit in needles.found(name.encode() + b"\n" + path.read_bytes()):
            yield Finding(name, f"/{hit.form}/{hit.label}")


# S03, S10 -------------------------------------------------------------------------------------------------------------


def audit_lists(view: BundleView) -> tuple[Row, ...]:
    """Run S03 on a bundle: every list is drawn again."""
    findings = [Finding(f"place {place.position}", "/order") for place in view.places if not _as_drawn(view, place)]
    return exact_rows("S03", CLAIM_ORDER, "error", "bundle", findings, len(view.places))


def _as_drawn(view: BundleView, place: Place) -> bool:
    slots = place.slots()
    items = [slot.puzzle_id for slot in slots if slot.role == "main"]
    try:
        return list_of(view.bundle.manifest, place.position, sorted(items)) == slots
    except (ClewError, KeyError):
        return False


def audit_list_labels(view: BundleView) -> tuple[Row, ...]:
    """Run S10 on a bundle: the labels of each list, and whether one shows a whole pack."""
    present = view.present()
    rows = []
    for place in view.places:
        labels = [
            present[slot.puzzle_id] for slot in place.slots() if slot.role == "main" and slot.puzzle_id in present
        ]
        rows.append(_balance_row(place, labels))
    return (*rows, _whole_row(view))


def _balance_row(place: Place, labels: list[bool]) -> Row:
    row = Row(
        rule="S10", claim=f"{CLAIM_BALANCE} (place {place.position})", severity="error", status="inconclusive",
        n=len(labels), threshold="p_holm < 0.01 fails" if labels else NEEDS_SEALED, detects_only=bool(labels),
        fingerprint=fingerprint("S10", "bundle", f"/lists/{place.position}"),
    )  # fmt: skip
    if not labels:
        return row
    return replace(balanced(row, sum(labels), len(labels)), fewest=1)


def _whole_row(view: BundleView) -> Row:
    """Note the lists that show every hidden system of a pack: with all labels but one the last would be known."""
    wholes = 0
    for path in view.bundle.packs[:-1]:
        with Pack.open(path) as pack:
            systems = {entry.id for entry in pack.puzzles() if entry.family != FAMILY}
        wholes += sum(bool(systems) and systems <= {one.puzzle_id for one in place.items} for place in view.places)
    return Row(
        rule="S10", claim=CLAIM_WHOLE, severity="note", status="fail" if wholes else "pass", n=len(view.places),
        statistic=Measure("lists that show a whole pack", wholes), threshold="a note",
        fingerprint=fingerprint("S10", "bundle", "/whole"),
    )  # fmt: skip
