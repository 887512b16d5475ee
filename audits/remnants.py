"""C04: the folders of a pack and of those who play it hold no secret byte, not even in what was deleted.

Every file is read raw: databases with their journals, backups, logs, temporary files, what editors and trash cans keep.
Files that are declared to hold gold, by the kind in their header, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlite_utils.utils import sqlite3

from audits.base import Finding, PackAudit, Row, Sensitivity, exact_rows
from audits.flow import DECLARED
from audits.honeytokens import secrets_of, token
from audits.tokens import Needles, Secret, every_file
from audits.view import PackView
from engine.store.places import data_folder

CLAIM = "no file of the pack's folder or of the data directory holds a secret, live or deleted"
HEADER = slice(68, 72)
"""Where an SQLite file states its kind."""


def audit_remnants(view: PackView) -> tuple[Row, ...]:
    """Run C04 beside a sealed file."""
    if view.place is None:
        return exact_rows("C04", CLAIM, "error", "folder", (), 0)
    secrets = secrets_of(view.place.sealed, [task.id for task in view.tasks])
    files = [(path.name, path) for path in _pack_files(view)]
    folder = data_folder()
    if folder.is_dir():
        files += [(f"data/{path.relative_to(folder)}", path) for path in every_file(folder)]
    return exact_rows("C04", CLAIM, "error", "folder", remnant_findings(secrets, files), len(files))


def _pack_files(view: PackView) -> Iterator[Path]:
    assert view.place is not None
    if view.place.whole_folder:
        yield from every_file(view.place.pack.parent)
    else:
        yield view.place.pack


def remnant_findings(secrets: Iterable[Secret], files: Iterable[tuple[str, Path]]) -> list[Finding]:
    """Return each file that holds a secret it is not declared to hold."""
    needles = Needles(secrets)
    findings = []
    for name, path in files:
        data = path.read_bytes()
        if data[HEADER] in DECLARED:
            continue
        findings += [Finding(name, f"/{hit.form}/{hit.label}") for hit in needles.found(name.encode() + b"\n" + data)]
    return findings


# Self-test ----------------------------------------------------------------------------------------------------------


def _database(folder: Path, secret: str, *, journal: str, overwrite: bool) -> sqlite3.Connection:
    """Write a secret into a database and delete it again; the connection stays open, as a killed program leaves it."""
    connection = sqlite3.connect(folder / "kept.db", isolation_level=None)
    connection.execute(f"pragma journal_mode = {journal}")
    connection.execute(f"pragma secure_delete = {int(overwrite)}")
    connection.execute("create table note (id integer primary key, text text)")
    connection.executemany("insert into note (text) values (?)", [("a plain text " * 9,)] * 50)
    connection.execute("insert into note (text) values (?)", (secret,))
    connection.execute("delete from note where text = ?", (secret,))
    return connection


def _left(journal: str, *, overwrite: bool = False) -> Callable[[Path, str], None]:
    def plant(folder: Path, secret: str) -> None:
        aside = folder / "aside"
        aside.mkdir()
        connection = _database(aside, secret, journal=journal, overwrite=overwrite)
        for path in every_file(aside):
            (folder / path.name).write_bytes(path.read_bytes())
        connection.close()
        for path in every_file(aside):
            path.unlink()

    return plant


def _file(name: str) -> Callable[[Path, str], None]:
    def plant(folder: Path, secret: str) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"before {secret} after")

    return plant


PLANTS: tuple[Callable[[Path, str], None], ...] = (
    *(_left(journal) for journal in ("delete", "truncate", "persist", "wal", "memory")),
    _left("wal", overwrite=True),
    _file("pack.db~"), _file(".pack.db.swp"), _file(".Trash/notes.txt"), _file("tmp.partial"), _file("log/crash-1.txt"),
    lambda folder, secret: (folder / f"{secret}.txt").touch(),
)  # fmt: skip
"""A secret deleted under each journal, and files that others leave: a backup, an editor's swap, a trash can, a log."""


def plants() -> Sensitivity:
    """Leave a secret behind in every listed way; with overwriting and a deleted journal nothing must be found."""
    found = sum(_finds(plant) for plant in PLANTS)
    return Sensitivity(found, len(PLANTS), int(_finds(_left("delete", overwrite=True))))


def _finds(plant: Callable[[Path, str], None]) -> bool:
    secret = Secret("canary", token())
    with TemporaryDirectory(prefix="clew-audit-") as name:
        folder = Path(name)
        plant(folder, secret.text)
        return bool(remnant_findings([secret], [(path.name, path) for path in every_file(folder)]))


REMNANTS = PackAudit(
    rule="C04", scope="files", severity="error", claim=CLAIM, run=audit_remnants, self_test=plants
)  # fmt: skip
