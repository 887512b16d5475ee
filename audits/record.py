"""The recorded self-test: what became of every audit's plants, for exactly this code.

It lies in the user's data directory. A change of any line of the engine or the audits makes it void.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from audits.base import Sensitivity
from engine.errors import StoreError
from engine.store.files import private_folder
from engine.store.places import data_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NAME = "audit-self-test.json"


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the file holds."""

    code_digest: str
    plants: dict[str, Sensitivity]
    """By audit key, such as `S01/draws`."""


def record_path() -> Path:
    """Return where the record lies."""
    return data_folder() / NAME


def read_record() -> Mapping[str, Sensitivity]:
    """Return the recorded sensitivities of this code; empty without a record, with an old or an unreadable one."""
    try:
        record = msgspec.json.decode(record_path().read_bytes(), type=Record)
    except (OSError, msgspec.DecodeError):
        return {}
    return record.plants if record.code_digest == code_digest() else {}


def write_record(plants: Mapping[str, Sensitivity]) -> None:
    """Add sensitivities to the record of this code, in one step.

    Raises:
        StoreError: the data directory cannot be written.
    """
    record = Record(code_digest=code_digest(), plants={**read_record(), **plants})
    path = record_path()
    private_folder(path.parent)
    beside = path.with_name(f".{NAME}.{os.getpid()}")
    try:
        beside.write_bytes(msgspec.json.format(msgspec.json.encode(record, order="sorted"), indent=1) + b"\n")
        beside.replace(path)
    except OSError as error:
        raise StoreError(f"Cannot write {path}: {error.strerror}. Set CLEW_DATA_DIR.") from error


@cache
def code_digest() -> str:
    """Return the digest of all source and data files of the engine and the audits."""
    running = hashlib.sha256()
    for package in ("audits", "engine"):
        for name, content in sorted(_sources(files(package), package)):
            running.update(f"{name}\0{len(content)}\0".encode())
            running.update(content)
    return running.hexdigest()[:32]


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        path = f"{name}/{entry.name}"
        if entry.is_dir():
            found += _sources(entry, path)
        elif entry.name.endswith((".py", ".yaml", ".json", ".txt")):
            found.append((path, entry.read_bytes()))
    return found


def tool() -> str:
    """Return name and version of this program."""
    try:
        return f"clew {metadata.version('clew')}"
    except metadata.PackageNotFoundError:
        return "clew, not installed"
