"""Bundles, right and spoiled: a study over a pack of tokens, and what must not be in what a participant gets."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from audits import bundles
from audits.base import BundleAudit, Row, Sensitivity, settled
from audits.bundles import BundleView, audit_bytes, audit_list_labels, audit_lists, open_bundle
from audits.honeytokens import write_tokened
from audits.study_flow import filled
from engine.store.sealed import Sealed
from engine.study.bundle import PLACES_NAME, PRACTICE_NAME
from engine.study.folder import Study, freeze
from engine.study.handing import pack_bundle, reserve

CODE = "anna-lab"
SYSTEMS = (4,) * 16
"""Enough for a list of one label to be no accident."""
Plant = Callable[[Path, Path], None]
"""Spoils a bundle; is given the sealed file too."""
Run = Callable[[BundleView], tuple[Row, ...]]


@contextmanager
def made_bundle() -> Iterator[tuple[Path, Path]]:
    """Lend a right bundle of one participant, and the sealed file of its pack."""
    with TemporaryDirectory(prefix="clew-audit-") as name:
        root = Path(name)
        write_tokened(root, complexities=SYSTEMS, tasks=1)
        (root / "study.yaml").write_text(filled(), encoding="utf-8")
        freeze(root / "study.yaml", root / "study")
        with Study.open(root / "study") as study:
            reserve(study, [CODE])
            pack_bundle(study, root / "bundle", [])
        yield root / "bundle", root / "sealed.db"


def tried(run: Run, plants: Sequence[Plant]) -> Sensitivity:
    """Run a rule on a right bundle and on each spoiled copy."""
    with made_bundle() as (bundle, sealed):
        alarms = int(_fails(run, bundle, sealed))
        found = 0
        for nth, plant in enumerate(plants):
            copy = bundle.with_name(f"spoiled-{nth}")
            shutil.copytree(bundle, copy)
            plant(copy, sealed)
            _listed_anew(copy)
            found += _fails(run, copy, sealed)
    return Sensitivity(found, len(plants), alarms)


def _fails(run: Run, folder: Path, sealed: Path) -> bool:
    return any(row.status == "fail" and row.severity != "note" for row in settled(run(open_bundle(folder, (sealed,)))))


def _listed_anew(folder: Path) -> None:
    """Make the list of files fit what is there: whoever packs a leak lists it rightly."""
    document = json.loads((folder / PLACES_NAME).read_text())
    document["files"] = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in document["files"]}
    (folder / PLACES_NAME).write_text(json.dumps(document))


# Bytes ----------------------------------------------------------------------------------------------------------------


def _first(sealed: Path) -> tuple[str, str]:
    """Return id and program of a sealed record."""
    with Sealed.open(sealed) as opened:
        record = opened.records()[0]
    return record.puzzle_id, record.program


def _sealed_beside(folder: Path, sealed: Path) -> None:
    shutil.copy(sealed, folder / "answers.bin")


def _stray_file(folder: Path, sealed: Path) -> None:
    (folder / ".DS_Store").write_text("Bud1")


def _program_in_places(folder: Path, sealed: Path) -> None:
    """A field that every reader passes over: a place's id holds a program, escaped as JSON is."""
    _places(folder, lambda place: {**place, "id": _first(sealed)[1]})


def _program_wide(folder: Path, sealed: Path) -> None:
    practice = folder / PRACTICE_NAME
    practice.write_text(f"{practice.read_text()}\n{' ' * 8}", encoding="utf-8")
    (folder / "notes.txt").write_bytes(_first(sealed)[1].encode("utf-16-le"))


def _feedback_on_an_item(folder: Path, sealed: Path) -> None:
    """Prepared feedback under the id of an item of the study."""
    practice = folder / PRACTICE_NAME
    prepared = json.loads(practice.read_text())
    prepared[0]["puzzle_id"] = _first(sealed)[0]
    practice.write_text(json.dumps(prepared))


# Lists ----------------------------------------------------------------------------------------------------------------


def _places(folder: Path, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    document = json.loads((folder / PLACES_NAME).read_text())
    document["places"] = [change(place) for place in document["places"]]
    (folder / PLACES_NAME).write_text(json.dumps(document))


def _reordered(key: Callable[[str], str | int]) -> Callable[[dict[str, object]], dict[str, object]]:
    def change(place: dict[str, object]) -> dict[str, object]:
        items = place["items"]
        assert isinstance(items, list)
        return {**place, "items": sorted(items, key=lambda one: str(key(one["puzzle_id"])).rjust(40))}

    return change


def _by_label(folder: Path, sealed: Path) -> None:
    with Sealed.open(sealed) as opened:
        gold = {record.puzzle_id: record.gold for record in opened.records()}
    _places(folder, _reordered(lambda puzzle: gold.get(puzzle, "")))


def _by_id(folder: Path, sealed: Path) -> None:
    _places(folder, _reordered(lambda puzzle: puzzle))


def _in_turn(folder: Path, sealed: Path) -> None:
    """The generator's own order, in which labels alternate."""
    with Sealed.open(sealed) as opened:
        index = {record.puzzle_id: record.idx for record in opened.records()}
    _places(folder, _reordered(lambda puzzle: index.get(puzzle, -1)))


def _other_place(folder: Path, sealed: Path) -> None:
    """The list of another position under this one's number."""
    _places(folder, lambda place: {**place, "position": int(str(place["position"])) + 1})


def _one_label(folder: Path, sealed: Path) -> None:
    with Sealed.open(sealed) as opened:
        gold = {record.puzzle_id: record.gold for record in opened.records()}

    def change(place: dict[str, object]) -> dict[str, object]:
        items = place["items"]
        assert isinstance(items, list)
        return {**place, "items": [one for one in items if gold.get(one["puzzle_id"], "PRESENT") == "PRESENT"]}

    _places(folder, change)


BYTES: tuple[Plant, ...] = (_sealed_beside, _stray_file, _program_in_places, _program_wide, _feedback_on_an_item)
ORDERS: tuple[Plant, ...] = (_by_label, _by_id, _in_turn, _other_place)
LABELS: tuple[Plant, ...] = (_one_label,)


def _on_bundle(rule: str, claim: str, run: Run, plants: Sequence[Plant]) -> BundleAudit:
    return BundleAudit(
        rule=rule, scope="bundle", severity="error", claim=claim, run=run, self_test=partial(tried, run, plants)
    )  # fmt: skip


AUDITS: tuple[BundleAudit, ...] = (
    _on_bundle("R03", bundles.CLAIM_SEALED, audit_bytes, BYTES),
    _on_bundle("S03", bundles.CLAIM_ORDER, audit_lists, ORDERS),
    _on_bundle("S10", bundles.CLAIM_BALANCE, audit_list_labels, LABELS),
)
