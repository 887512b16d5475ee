"""R02 and C04 on a shipped pack: its rows are those that its seeds draw, and its file is the one that its rows make.

What was shown of draws and exits of the generator holds of a pack only if nobody had a hand in it since: a bit could be
put into the order of cases, a synonym, a number of trials. And a database file has room for bytes that are in no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace as changed
from sqlite_utils.utils import sqlite3

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.honeytokens import sample_task
from audits.view import PackView
from engine import practice
from engine.canonical import text_digest
from engine.errors import UsageError
from engine.hidden_systems.packing import Sown
from engine.hidden_systems.packing import halves as system_halves
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.wording import META
from engine.instruction_adherence.packing import halves as task_halves
from engine.packs import TEST_MARK, Halves, Salts, write_halves
from engine.randomness import derive
from engine.redrawing import Redrawing, recipe_difference
from engine.store.pack import PACK_SALT, Pack, PackPuzzle, write_pack
from engine.store.sealed import Sealed, commitment
from engine.system_recipes import system_recipe

CLAIM_ROWS = "every row of a pack is the one that its seed and index draw, so what holds of the generator holds of it"
CLAIM_FILE = "a pack's file is, byte for byte, the one that its rows make, and it says nothing else about itself"
PROPERTIES = frozenset({"title", "kind", PACK_SALT, TEST_MARK, "commit_root", "content_sha", "built_with"})
"""What a pack may say about itself, besides the wordings of its renderings."""


# R02 ------------------------------------------------------------------------------------------------------------------


def audit_redrawn(view: PackView) -> tuple[Row, ...]:
    """Run R02 on a pack beside its sealed file."""
    count = len(view.puzzles) + len(view.tasks)
    if view.place is None:
        return exact_rows("R02", CLAIM_ROWS, "error", "pack", (), 0)
    try:
        findings = list(row_findings(view.place.pack, view.place.sealed))
    except UsageError as error:
        blank = exact_rows("R02", CLAIM_ROWS, "error", "pack", (), 0)
        return tuple(replace(row, threshold=str(error)) for row in blank)
    return exact_rows("R02", CLAIM_ROWS, "error", "pack", findings, count)


def row_findings(file: Path, sealed: Path) -> Iterator[Finding]:
    """Yield what of a pack is not what its seeds draw.

    Raises:
        UsageError: its tasks come from private seed tasks that are not on this machine.
    """
    with Pack.open(file) as pack, Sealed.open(sealed) as secrets:
        redrawing = Redrawing(pack, secrets)
        if (drawn := redrawing.to_draw()) is not None:
            redrawing.take(drawn.tasks)
        for entry in redrawing.entries:
            yield from (Finding(one.subject, f"/{one.part}") for one in redrawing.differences(entry))
        yield from (Finding("pack", f"/{one.part}") for one in redrawing.as_a_whole())
        by_recipe = practice.made_by_recipe(pack)
    if by_recipe and recipe_difference(file) is not None:
        yield Finding("pack", "/recipe")


# C04 ------------------------------------------------------------------------------------------------------------------


def audit_file(view: PackView) -> tuple[Row, ...]:
    """Run C04 on the pack's own file; one that another SQLite built is compared by what it says of itself alone."""
    if view.file is None:
        return exact_rows("C04", CLAIM_FILE, "error", "pack", (), 0)
    rows = exact_rows("C04", CLAIM_FILE, "error", "pack", file_findings(view.file), len(view.puzzles) + len(view.tasks))
    if dict(view.meta).get("built_with") == f"SQLite {sqlite3.sqlite_version}":
        return rows
    told = f"0 findings; built with {dict(view.meta).get('built_with')}, so its free room is not looked at"
    return tuple(replace(row, status="inconclusive", severity="note", threshold=told) if row.status == "pass" else row
                 for row in rows)  # fmt: skip


def file_findings(file: Path) -> Iterator[Finding]:
    """Yield what a pack's file says besides its rows."""
    with Pack.open(file) as pack, TemporaryDirectory(prefix="clew-audit-") as name:
        puzzles = [PackPuzzle(**asdict(entry), payload=pack.payload(entry.id)) for entry in pack.puzzles()]
        renderings = [one for puzzle in puzzles for one in pack.renderings(puzzle.id)]
        spoken = {f"{META}{one.id}" for one in renderings}
        yield from (Finding("pack", "/meta") for key in pack.meta if key not in PROPERTIES | spoken)
        if pack.meta.get("built_with") != f"SQLite {sqlite3.sqlite_version}":
            return
        again = Path(name) / "pack.db"
        write_pack(again, meta=pack.meta, puzzles=puzzles, renderings=renderings)
        if again.read_bytes() != file.read_bytes():
            yield Finding("pack", "/file")


# Self-test ------------------------------------------------------------------------------------------------------------

PUZZLES = 4
SEED = derive("audits/plants", "R02 rows")
Spoil = Callable[[Halves], Halves]


def _made() -> list[Halves]:
    """Return a small right pack of both families."""
    salts = Salts(seed=None)
    sown = [Sown(skeleton=generate_skeleton(4, SEED, nth), seed=SEED, index=nth) for nth in range(PUZZLES)]
    return [*(system_halves(one, "salt", salts) for one in sown), task_halves(sample_task(), "salt", salts)]


def _cases_turned(half: Halves) -> Halves:
    """Tell the first two cases in the other order, under the numbers that they then have, for one label alone."""
    assert half.system is not None
    skeleton = generate_skeleton(4, half.system.seed, half.system.idx)
    one, other, *rest = skeleton.payload.support_cases
    cases = (changed(other, id=one.id), changed(one, id=other.id), *rest)
    payload = changed(skeleton.payload, support_cases=cases)
    sown = Sown(skeleton=replace(skeleton, payload=payload), seed=half.system.seed, index=half.system.idx)
    return system_halves(sown, "salt", Salts(seed=None)) if half.system.gold == "PRESENT" else half


def _synonym(half: Halves) -> Halves:
    """Put another word into the text of one label, with a digest that fits."""
    assert half.system is not None
    body = half.rendering.body.replace(" was ", " had been ", 1) + ("" if " was " in half.rendering.body else " ")
    told = replace(half.rendering, body=body, body_sha=text_digest(body))
    return replace(half, rendering=told) if half.system.gold == "PRESENT" else half


def _other_gold(half: Halves) -> Halves:
    """Seal the other label, with a commitment that fits."""
    assert half.system is not None
    turned = replace(half.system, gold="ABSENT" if half.system.gold == "PRESENT" else "PRESENT")
    return replace(half, system=turned, puzzle=replace(half.puzzle, commit_sha=commitment(turned)))


SPOILED: tuple[Spoil, ...] = (_cases_turned, _synonym, _other_gold)
RECIPES = ("{}", system_recipe(4, PUZZLES + 1, SEED))
"""No recipe, and one of more puzzles than the pack has."""


def _written(folder: Path, made: Sequence[Halves], recipe: str = "") -> tuple[Path, Path]:
    pack, sealed = folder / "pack.db", folder / "sealed.db"
    salts, recipe = Salts(seed=None), recipe or system_recipe(4, PUZZLES, SEED)
    write_halves(pack, sealed, made, title="sample", recipe=recipe, salts=salts, pack_salt="salt")
    return pack, sealed


def plants_rows() -> Sensitivity:
    """Turn cases, exchange a word, seal another label, each time with digests that fit; seal another recipe."""
    clean = _made()
    worlds = [[spoil(one) if one.system is not None else one for one in clean] for spoil in SPOILED]
    found = sum(map(_differs, worlds)) + sum(_differs(clean, recipe) for recipe in RECIPES)
    return Sensitivity(found, len(worlds) + len(RECIPES), int(_differs(clean)))


def _differs(made: Sequence[Halves], recipe: str = "") -> bool:
    with TemporaryDirectory(prefix="clew-audit-") as name:
        return any(row_findings(*_written(Path(name), made, recipe)))


def _tail(file: Path) -> None:
    """Append a page that no table knows."""
    file.write_bytes(file.read_bytes() + b"\x01" * 4096)


def _slack(file: Path) -> None:
    """Write into the free room of the last page but one."""
    data = bytearray(file.read_bytes())
    gap = data.rfind(bytes(16))
    data[gap : gap + 1] = b"\x07"
    file.write_bytes(bytes(data))


def _property(file: Path) -> None:
    """Let the pack say something more about itself."""
    with Pack.open(file) as pack:
        puzzles = [PackPuzzle(**asdict(entry), payload=pack.payload(entry.id)) for entry in pack.puzzles()]
        renderings = [one for puzzle in puzzles for one in pack.renderings(puzzle.id)]
        meta = pack.meta | {"note": "0110"}
    write_pack(file, meta=meta, puzzles=puzzles, renderings=renderings, replace=True)


FILES: tuple[Callable[[Path], None], ...] = (_tail, _slack, _property)


def plants_file() -> Sensitivity:
    """Put bytes behind the file's end, into free room, and a property of its own into the pack."""
    with TemporaryDirectory(prefix="clew-audit-") as name:
        pack, _ = _written(Path(name), _made())
        alarms, found = len(list(file_findings(pack))), 0
        for nth, spoil in enumerate(FILES):
            copy = pack.with_name(f"copy-{nth}.db")
            copy.write_bytes(pack.read_bytes())
            spoil(copy)
            found += any(file_findings(copy))
    return Sensitivity(found, len(FILES), alarms)


AUDITS: tuple[PackAudit, ...] = (
    PackAudit(
        rule="R02", scope="files", severity="error", claim=CLAIM_ROWS, run=audit_redrawn, self_test=plants_rows
    ),
    PackAudit(rule="C04", scope="file", severity="error", claim=CLAIM_FILE, run=audit_file, self_test=plants_file),
)  # fmt: skip
