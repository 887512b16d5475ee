"""C08: wheel, source archive and git history hold no sealed file, no scores and no secret of a pack.

Members of archives and git objects are read whole. A file of a kind that holds gold is known by its header, wherever
it comes from; beside a pack's sealed half its digest and its secrets are searched for as well. From a checkout wheel
and source archive are built anew; of an installed program its own files are read.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from audits.base import Finding, PackAudit, ProgramAudit, Row, Sensitivity, exact_rows
from audits.bench import Bench
from audits.flow import DECLARED, Sink
from audits.honeytokens import secrets_of, write_tokened
from audits.tokens import Needles, Secret
from audits.view import PackView
from engine.store.schema import SEALED

CLAIM = "no archive member and no git object is a sealed file, a scores file or holds a secret of one"
HEADER = slice(68, 72)
MAGIC = b"SQLite format 3\x00"


def member_findings(members: Iterable[Sink], digests: frozenset[str], secrets: Iterable[Secret]) -> list[Finding]:
    """Return each member that is or holds what must not be shipped."""
    needles = Needles(secrets)
    findings = []
    for member in members:
        if member.data.startswith(MAGIC) and member.data[HEADER] in _barred(member.name):
            findings.append(Finding(member.name, "/kind"))
        if hashlib.sha256(member.data).hexdigest() in digests:
            findings.append(Finding(member.name, "/digest"))
        findings += [Finding(member.name, f"/{hit.form}/{hit.label}") for hit in needles.found(member.data)]
    return findings


def _barred(name: str) -> frozenset[bytes]:
    """Return the kinds of file that may not be a member; source archives hold an old scores file for the tests."""
    return DECLARED if ".whl: " in name else frozenset({SEALED.application_id.to_bytes(4, "big")})


# Where to look ------------------------------------------------------------------------------------------------------


def checkout() -> Path | None:
    """Return the folder of the source that is running, if it is one from which archives are built."""
    root = Path(__file__).parents[1]
    return root if (root / "pyproject.toml").is_file() else None


def shipped() -> Iterator[Sink]:
    """Yield everything that a release or a repository hands out."""
    root = checkout()
    if root is None:
        yield from installed_files()
        return
    yield from built_members(root)
    yield from archive_members(sorted((root / "dist").glob("*")))
    yield from git_objects(root)


def installed_files() -> Iterator[Sink]:
    """Yield the files of the installed distribution."""
    for path in metadata.files("clew") or ():
        place = Path(str(path.locate()))
        if place.is_file():
            yield Sink(f"installed: {path}", place.read_bytes())


def built_members(root: Path) -> Iterator[Sink]:
    """Build wheel and source archive in a folder of their own and yield their members; nothing without the builder."""
    if find_spec("hatchling") is None:
        return
    with TemporaryDirectory(prefix="clew-audit-") as out:
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-d", out], cwd=root, capture_output=True, timeout=300,
            check=False,
        )  # fmt: skip
        if done.returncode == 0:
            yield from archive_members(sorted(Path(out).iterdir()))


def archive_members(archives: Iterable[Path]) -> Iterator[Sink]:
    """Yield the members of wheels and of source archives."""
    for path in archives:
        if path.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(path) as opened:
                yield from (Sink(f"{path.name}: {name}", opened.read(name)) for name in opened.namelist())
        elif path.suffixes[-2:] == [".tar", ".gz"]:
            with tarfile.open(path) as packed:
                for member in packed:
                    content = packed.extractfile(member) if member.isfile() else None
                    if content is not None:
                        yield Sink(f"{path.name}: {member.name}", content.read())


def git_objects(root: Path) -> Iterator[Sink]:
    """Yield every object of a repository, reachable or not; nothing where there is no repository or no git."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "cat-file", "--batch-all-objects", "--batch"], capture_output=True, timeout=300,
            check=False,
        )  # fmt: skip
    except OSError:
        return
    stream = io.BytesIO(done.stdout)
    while head := stream.readline().split():
        name, kind, size = head[0].decode(), head[1].decode(), int(head[2])
        data = stream.read(size)
        stream.read(1)
        yield Sink(f"git {kind} {name[:12]}", data)


# The rule -----------------------------------------------------------------------------------------------------------


def audit_program(bench: Bench) -> tuple[Row, ...]:
    """Run C08 on this program as it is shipped."""
    members = list(shipped())
    return exact_rows("C08", CLAIM, "error", "archive", member_findings(members, frozenset(), ()), len(members))


def audit_pack(view: PackView) -> tuple[Row, ...]:
    """Run C08 for one pack: none of its secrets is in what this program ships."""
    if view.place is None:
        return exact_rows("C08", CLAIM, "error", "archive", (), 0)
    secrets = list(secrets_of(view.place.sealed, [task.id for task in view.tasks]))
    digests = frozenset({hashlib.sha256(view.place.sealed.read_bytes()).hexdigest()})
    members = list(shipped())
    return exact_rows("C08", CLAIM, "error", "archive", member_findings(members, digests, secrets), len(members))


# Self-test ----------------------------------------------------------------------------------------------------------


def plants() -> Sensitivity:
    """Put a sealed file into a wheel, a source archive, an old commit; a renamed part of one; a canary in a text."""
    with TemporaryDirectory(prefix="clew-audit-") as name:
        folder = Path(name)
        secrets = write_tokened(folder)
        sealed = (folder / "sealed.db").read_bytes()
        public = (folder / "pack.db").read_bytes()
        digests = frozenset({hashlib.sha256(sealed).hexdigest()})
        sinks = [
            *_archived(folder / "one.whl", sealed),
            *_archived(folder / "one.tar.gz", sealed),
            *_committed(folder / "repository", sealed),
        ]
        canary = next(secret.text for secret in secrets if secret.label == "canary")
        trials = [
            [sinks[0]], [sinks[1]], [one for one in sinks if one.data == sealed and one.name.startswith("git blob")],
            [Sink("part", sealed[4096:])], [Sink("text", f"x {canary} y".encode())],
        ]  # fmt: skip
        found = sum(bool(member_findings(trial, digests, secrets)) for trial in trials)
        clean = [*_archived(folder / "two.whl", public), *_archived(folder / "two.tar.gz", public)]
        return Sensitivity(found, len(trials), len(member_findings(clean, digests, secrets)))


def _archived(path: Path, content: bytes) -> list[Sink]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("clew/data.db", content)
    else:
        with tarfile.open(path, "w:gz") as packed:
            member = tarfile.TarInfo("clew/data.db")
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return list(archive_members([path]))


def _committed(root: Path, content: bytes) -> list[Sink]:
    """Commit a file, delete it in the next commit, and return the objects of that repository."""
    root.mkdir()
    git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
    (root / "sealed.db").write_bytes(content)
    for step in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"], ["rm", "-q", "sealed.db"],
                 ["commit", "-q", "-m", "two"]):  # fmt: skip
        subprocess.run([*git, *step], capture_output=True, check=False)
    return list(git_objects(root))


PACKAGED = ProgramAudit(
    rule="C08", scope="program", severity="error", claim=CLAIM, run=audit_program, self_test=plants
)  # fmt: skip
PACKAGED_PACK = PackAudit(
    rule="C08", scope="files", severity="error", claim=CLAIM, run=audit_pack, self_test=plants
)  # fmt: skip
