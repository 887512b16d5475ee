"""The private seed tasks of this machine: 24, composed from templates of their own and a random key.

They serve the split `test` alone and live in one file of the data directory that only its owner may read. Neither
their texts nor the key may be printed, logged or exported; errors name the path and no content. The composed tasks are
stored beside the key, so that a later change of the templates leaves the tasks of a machine as they are.
Section "Private seed tasks" of the specification.
"""

from __future__ import annotations

import os
import stat
from functools import cache
from itertools import chain, product
from pathlib import Path
from typing import Literal

import msgspec

from engine.errors import UsageError
from engine.instruction_adherence.seed_tasks import TASK_TYPES, Filler, SeedTask, Slot, data_text, seed_task_reasons
from engine.randomness import Stream, secret_bits
from engine.store.files import cannot_write, create_empty, private_folder, publish, scratch_folder, sync_file

FILE_NAME = "private_seed_tasks.json"
FILE_MODE = 0o600
KEY_BYTES = 32
PRIVATE_PER_TYPE = 3
FILLERS_DRAWN = 6
"""Fillers that a composed slot gets from its pool."""


class Subject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a private task is about, and the keywords that go with it."""

    text: str
    keywords: tuple[str, ...]


class Templates(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of which the private tasks of one type are put together."""

    frames: tuple[str, ...]
    """Each holds `{subject}` once."""
    angles: tuple[str, ...]
    subjects: tuple[Subject, ...]
    fillers: dict[str, tuple[str, ...]]
    """The pool of every slot that frames and angles name."""


class _Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file's content; its repr is kept free of it."""

    format: Literal[1] = 1
    key: str
    """In hexadecimal digits."""
    seed_tasks: tuple[SeedTask, ...]

    def __repr__(self) -> str:
        return "_Kept(...)"


@cache
def templates() -> dict[str, Templates]:
    """Return the templates by task type.

    Raises:
        UsageError: the file of the installation is not usable.
    """
    return read_templates(data_text("private_templates"))


def read_templates(text: str) -> dict[str, Templates]:
    """Read templates from YAML.

    Raises:
        UsageError: the text is not usable.
    """
    try:
        read = msgspec.yaml.decode(text, type=dict[str, Templates])
    except msgspec.MsgspecError as error:
        raise UsageError(f"private templates: {error}") from error
    if tuple(sorted(read)) != TASK_TYPES:
        raise UsageError(f"private templates: task types {sorted(read)}; needed are {', '.join(TASK_TYPES)}")
    for task_type, parts in read.items():
        _refuse_unusable(parts, task_type)
    return read


def _refuse_unusable(parts: Templates, task_type: str) -> None:
    """Raise unless every task that could be composed is a proper seed task of its own kind."""
    sizes = {"frames": len(parts.frames), "angles": len(parts.angles), "subjects": len(parts.subjects)}
    for what, there in sizes.items():
        if there < PRIVATE_PER_TYPE:
            raise UsageError(f"private templates {task_type!r}: {there} {what}; at least {PRIVATE_PER_TYPE}")
    for frame in parts.frames:
        if frame.count("{subject}") != 1:
            raise UsageError(f"private templates {task_type!r}: frame {frame!r}; it holds {{subject}} once")
    for name, pool in parts.fillers.items():
        if len(pool) < FILLERS_DRAWN:
            raise UsageError(f"private templates {task_type!r}: {len(pool)} {name!r}; at least {FILLERS_DRAWN}")
    # Slots hang on frame and angle, keywords on the subject alone: all pairs, then all subjects, cover all triples.
    pairs = product(parts.frames, parts.angles, parts.subjects[:1])
    for drawn in chain(pairs, product(parts.frames[:1], parts.angles[:1], parts.subjects)):
        if reasons := seed_task_reasons(_joined(f"{task_type}.private", task_type, drawn, parts.fillers)):
            raise UsageError(f"private templates: {reasons[0]}")


def compose(key: bytes) -> tuple[SeedTask, ...]:
    """Return the private seed tasks of a key, ordered by task type: three a type, no part in two tasks of a type."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key of {len(key)} bytes; {KEY_BYTES} are needed")
    composed: list[SeedTask] = []
    for task_type in TASK_TYPES:
        parts, stream = templates()[task_type], Stream("seed task/private", key.hex(), task_type)
        frames, angles = stream.sample(parts.frames, PRIVATE_PER_TYPE), stream.sample(parts.angles, PRIVATE_PER_TYPE)
        subjects = stream.sample(parts.subjects, PRIVATE_PER_TYPE)
        for nth, drawn in enumerate(zip(frames, angles, subjects, strict=True), start=1):
            pools = {name: tuple(stream.sample(pool, FILLERS_DRAWN)) for name, pool in parts.fillers.items()}
            composed.append(_joined(_private_id(task_type, nth), task_type, drawn, pools))
    return tuple(composed)


def _private_id(task_type: str, nth: int) -> str:
    return f"{task_type}.private.{nth:02}"


def _joined(
    task_id: str, task_type: str, drawn: tuple[str, str, Subject], pools: dict[str, tuple[str, ...]]
) -> SeedTask:
    """Return the seed task of a frame, an angle and a subject, with the slots that its text names."""
    frame, angle, subject = drawn
    text = f"{frame} {angle}".replace("{subject}", subject.text)
    slots = tuple(
        Slot(name=name, fillers=tuple(Filler(text=filler) for filler in pool))
        for name, pool in pools.items()
        if f"{{{name}}}" in text
    )
    return SeedTask(id=task_id, task_type=task_type, text=text, slots=slots, keywords=subject.keywords)


def private_path(folder: Path) -> Path:
    """Return where the private seed tasks lie in a data directory."""
    return folder / FILE_NAME


def init_private(folder: Path, *, replace: bool) -> Path:
    """Draw a key, compose the private seed tasks, keep both in `folder`, and return the path of the file.

    Raises:
        UsageError: they are there already and `replace` is False.
        StoreError: the folder cannot be written.
    """
    path = private_path(folder)
    key = secret_bits(8 * KEY_BYTES).to_bytes(KEY_BYTES, "big")
    kept = _Kept(key=key.hex(), seed_tasks=compose(key))
    private_folder(folder)
    with scratch_folder(folder) as scratch:
        fresh = scratch / FILE_NAME
        try:
            create_empty(fresh, FILE_MODE)
            fresh.write_bytes(msgspec.json.encode(kept))
            sync_file(fresh)
            publish(fresh, path, replace=replace)
        except FileExistsError:
            raise UsageError(
                f"private seed tasks are in {str(path)!r} already; replacing them makes other tests of this machine",
                hint="clew seeds init-private --replace",
            ) from None
        except OSError as error:
            raise cannot_write(path) from error
    return path


def load_private(folder: Path) -> tuple[SeedTask, ...]:
    """Return the private seed tasks that `init_private` kept in `folder`.

    Raises:
        UsageError: they are missing, open to others, or damaged.
    """
    return _load(private_path(folder)).seed_tasks


def load_private_key(folder: Path) -> bytes:
    """Return the key of the private seed tasks: it is part of the instance key of every `test` instance.

    Raises:
        UsageError: as `load_private`.
    """
    return bytes.fromhex(_load(private_path(folder)).key)


def _load(path: Path) -> _Kept:
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            content = file.read()
    except FileNotFoundError:
        raise UsageError(
            f"split 'test' needs the private seed tasks; {str(path)!r} is missing", hint="clew seeds init-private"
        ) from None
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be read: {error.strerror}") from error
    if os.name == "posix" and mode != FILE_MODE:
        raise UsageError(f"{str(path)!r} has mode {mode:04o}; it must be {FILE_MODE:04o}", hint=f"chmod 600 {path}")
    return _read(content, path)


def _read(content: bytes, path: Path) -> _Kept:
    """Read the file's content. What is wrong with it is not told, since a reason could quote a private text."""
    try:
        kept = msgspec.json.decode(content, type=_Kept)
        usable = len(bytes.fromhex(kept.key)) == KEY_BYTES and not any(map(seed_task_reasons, kept.seed_tasks))
    except (msgspec.MsgspecError, ValueError):
        usable = False
    expected = [_private_id(task_type, nth) for task_type in TASK_TYPES for nth in range(1, PRIVATE_PER_TYPE + 1)]
    if not usable or [seed_task.id for seed_task in kept.seed_tasks] != expected:
        told = f"{str(path)!r} is no file of private seed tasks; restore it from a copy, or make others"
        raise UsageError(told, hint="clew seeds init-private --replace")
    return kept
