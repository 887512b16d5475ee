"""Paths, folders and renames under the databases: what must hold before SQLite sees a file.

Nothing here opens a database. A file appears under its final name only when it is whole and on disk, so that
a killed process never leaves an empty or half-written file where the next one looks.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import StoreError
from engine.store.places import data_folder

SIDECARS = ("-wal", "-shm", "-journal")
NETWORK_TYPES = frozenset(
    ("9p", "afs", "ceph", "cifs", "davfs", "drvfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs", "nfs4", "prl_fs",
     "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs")
)  # fmt: skip
"""File system types whose locks cannot be trusted; a `fuse.` type other than `fuseblk` counts too."""


def cannot_write(path: Path) -> StoreError:
    """Return the message for a place that may not be written; only the data directory is moved by its variable."""
    if path.absolute().is_relative_to(data_folder().absolute()):
        return StoreError(f"Cannot write {path}. Set CLEW_DATA_DIR.")
    return StoreError(f"Cannot write {path}. Give a place that can be written.")


def plain_path(path: Path) -> Path:
    """Return `path` made absolute, or raise if SQLite could take it for anything but a regular file.

    Raises:
        StoreError: the name starts with `file:`, or something other than a regular file is there.
    """
    if str(path).startswith("file:"):
        raise StoreError(f"{str(path)!r} is a URI; a plain file name is needed.")
    if path.exists() and not path.is_file():
        raise StoreError(f"{path} is not a regular file.")
    return path.absolute()


def sidecar(path: Path, suffix: str) -> Path:
    """Return the name of a file that SQLite keeps beside `path`; `suffix` is one of SIDECARS."""
    return path.with_name(path.name + suffix)


def sidecars(path: Path) -> tuple[Path, ...]:
    """Return the files that SQLite left beside `path`."""
    return tuple(beside for suffix in SIDECARS if (beside := sidecar(path, suffix)).exists())


def private_folder(folder: Path) -> None:
    """Create `folder` and its missing parents with mode 0700; folders that exist keep their mode."""
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    try:
        for place in reversed(missing):
            place.mkdir(mode=0o700, exist_ok=True)
            sync_folder(place.parent)
    except OSError as error:
        raise cannot_write(folder) from error


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Lend a private folder beside the final place, on the same file system, and remove it afterwards."""
    try:
        lent = tempfile.TemporaryDirectory(dir=parent, prefix=".building-")
    except OSError as error:
        raise cannot_write(parent) from error
    with lent as folder:
        yield Path(folder)


def create_empty(path: Path, mode: int) -> None:
    """Create an empty file that has `mode` from its first moment.

    Raises:
        FileExistsError: the name is taken.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))


def copy_created(source: Path, target: Path, mode: int) -> None:
    """Copy the bytes of a closed database into a new file that has `mode` from its first moment, and sync it."""
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    with os.fdopen(descriptor, "wb") as writing, source.open("rb") as reading:
        shutil.copyfileobj(reading, writing, 1 << 20)
        writing.flush()
        os.fsync(writing.fileno())


def sync_file(path: Path) -> None:
    """Put a file's bytes on disk. Never use it on an open database: closing the descriptor drops SQLite's locks."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_folder(folder: Path) -> None:
    """Put a folder's entries on disk, where the system lets folders be opened."""
    if os.name == "posix":
        sync_file(folder)


def publish(temporary: Path, path: Path, *, replace: bool) -> None:
    """Give a finished, synced file its final name in one step and sync the folder.

    Raises:
        FileExistsError: the name is taken and `replace` is False; `temporary` stays.
    """
    if replace:
        temporary.replace(path)
    else:
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            raise
        except OSError:
            # File systems without hard links: the gap between look and rename is the price, and only there.
            if path.exists():
                raise FileExistsError(str(path)) from None
            temporary.replace(path)
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def same_file(path: Path, identity: tuple[int, int]) -> bool:
    """Say whether `path` still names the file that had this (device, inode)."""
    try:
        return file_identity(path) == identity
    except OSError:
        return False


def file_identity(path: Path) -> tuple[int, int]:
    """Return device and inode of the file that `path` names now."""
    found = path.stat()
    return found.st_dev, found.st_ino


def mount_type(path: Path, mounts: Iterable[str]) -> str:
    """Return the file system type of `path` by the lines of a mount table; empty when none covers it.

    Later lines win over earlier ones on the same place, as mounts do.
    """
    best, found = -1, ""
    for line in mounts:
        fields = line.split()
        if len(fields) < 3:
            continue
        place = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1]))
        if path.is_relative_to(place) and len(place.parts) >= best:
            best, found = len(place.parts), fields[2]
    return found


def file_system(path: Path) -> str:
    """Return the type of the file system that holds `path`, such as `ext4`; empty where no mount table exists."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return mount_type(path.resolve(), mounts)


def is_network(kind: str) -> bool:
    """Say whether a file system type is one whose locks are unreliable by many reports."""
    return kind in NETWORK_TYPES or kind.startswith("fuse.")
