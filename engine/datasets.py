"""The three data sets of writing tasks: a pack of rows drawn index by index, each with a key of its own.

Of a row, mode, K, burial depth and hard-family weight are drawn from (split, seed, index): three in ten are multi-turn,
K is uniform over 3..16, the depth over 0..3, the weight over 1, 2, 3. So a set is a function of its split, seed and
number of rows, for `test` also of the private key. Finished rows go to `building.jsonl` in the order of indices, and a
build that was cut goes on after the last whole line. Specification, "Splits". PRIVATE: rows hold checks and witnesses.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import IO, overload

import msgspec

from engine.canonical import Json, canonical_text
from engine.errors import StoreError, UsageError
from engine.instruction_adherence.calibration import Cell
from engine.instruction_adherence.generate import GENERATOR_VERSION, generate_task
from engine.instruction_adherence.packing import halves
from engine.instruction_adherence.sampling import FEWEST, MOST
from engine.instruction_adherence.splits import Split
from engine.instruction_adherence.writing import WritingMode
from engine.packs import PACK_SALT_PURPOSE, Halves, Salts, marks_of, write_halves
from engine.randomness import Stream
from engine.store.files import cannot_write, private_folder, publish, scratch_folder
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME
from engine.store.sealed import Sealed
from engine.writing_recipes import writing_recipe

SIZES: Mapping[Split, int] = {"train": 10_000, "held_out_combos": 1_000, "test": 1_000}
"""Rows of each set. Specification, "Splits"."""
SAMPLE_SEED, SAMPLE_ROWS = 0, 500
"""Of the bundled sample of `held_out_combos`."""
ROWS, BUILDING = "rows.jsonl", "building.jsonl"
WEIGHTS = (1.0, 2.0, 3.0)
DEPTHS = (0, 3)
MULTI = (3, 10)
"""Share of rows that are multi-turn."""
PRIVATE_MODE, PUBLIC_MODE = 0o600, 0o644


@dataclass(frozen=True, kw_only=True)
class RowKey:
    """What is drawn for one row before its task is."""

    mode: WritingMode
    cell: Cell


@dataclass(frozen=True, kw_only=True)
class DataSet:
    """Which set is built."""

    split: Split
    seed: int
    count: int

    def document(self) -> dict[str, Json]:
        """Return what must be equal for a build to go on, and what the sealed file keeps as its recipe."""
        return {
            "family": "instruction-adherence", "dataset": self.split, "seed": str(self.seed), "count": self.count,
            "generator_version": GENERATOR_VERSION,
        }  # fmt: skip


def row_key(split: Split, seed: int, index: int) -> RowKey:
    """Return what is drawn for a row."""
    stream = Stream("dataset/row", split, seed, index)
    return RowKey(
        mode="multi" if stream.chance(*MULTI) else "single",
        cell=Cell(
            constraints=stream.between(FEWEST, MOST),
            burial_depth=stream.between(*DEPTHS),
            hard_family_weight=stream.choice(WEIGHTS),
        ),
    )


def row(split: Split, seed: int, index: int) -> Halves:
    """Return the public and the private rows of one index."""
    salts = Salts(seed=seed)
    key = row_key(split, seed, index)
    task = generate_task(writing_recipe(split, key.mode, seed, key.cell), index)
    return halves(task, salts.token(PACK_SALT_PURPOSE), salts)


def build(wanted: DataSet, out: Path, *, processes: int | None = None) -> Iterator[int]:
    """Build a set into a folder and yield the number of finished rows after each; a cut build goes on.

    Raises:
        UsageError: the folder holds another set, or the beginning of another one.
        StoreError: a file cannot be written.
    """
    if (out / ROWS).exists():
        with Sealed.open(out / SEALED_NAME) as sealed:
            if sealed.meta.get("recipe") != canonical_text(wanted.document()):
                raise UsageError(f"{out} holds another data set; give --out a new folder")
        yield wanted.count
        return
    # The split `test` fails here, before a file is made, if its seed tasks are missing.
    writing_recipe(wanted.split, "single", wanted.seed, row_key(wanted.split, wanted.seed, 0).cell)
    private_folder(out)
    with closing(Building(out / BUILDING, wanted)) as building:
        yield len(building)
        yield from _grown(building, wanted, processes or os.cpu_count() or 1)
        _finish(building, wanted, out)
    (out / BUILDING).unlink()


def _grown(building: Building, wanted: DataSet, processes: int) -> Iterator[int]:
    left = range(len(building), wanted.count)
    make = partial(_encoded_row, wanted.split, wanted.seed)
    with ExitStack() as stack:
        if processes == 1 or not left:
            made: Iterator[bytes] = map(make, left)
        else:
            # Spawned, not forked: the caller may have threads. Unfinished rows are dropped when the caller stops.
            pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
            stack.callback(pool.shutdown, cancel_futures=True)
            made = pool.map(make, left, chunksize=4)
        for line in made:
            building.append(line)
            yield len(building)


def _encoded_row(split: Split, seed: int, index: int) -> bytes:
    return msgspec.json.encode(row(split, seed, index))


class Building(Sequence[Halves]):
    """The rows that are finished, one a line of a private file behind a header; read from the file at each use."""

    def __init__(self, path: Path, wanted: DataSet) -> None:
        """Open the file, or begin it; a last line that is not whole is cut off.

        Raises:
            UsageError: it is the beginning of another set.
        """
        self._path = path
        self._ends: list[int] = []
        header = canonical_text(wanted.document()).encode() + b"\n"
        try:
            self._file = _locked(path)
            found = self._file.readline()
            if found != header:
                self._begin(found, header)
        except OSError as error:
            raise cannot_write(path) from error
        self._start = len(header)
        self._find_rows()

    def _begin(self, found: bytes, header: bytes) -> None:
        if found.endswith(b"\n"):
            self._file.close()
            before = found.decode(errors="replace").strip()
            raise UsageError(f"{self._path} is the beginning of another data set, {before}; give --out a new folder")
        self._file.seek(0)
        self._file.truncate()
        self._file.write(header)

    def _find_rows(self) -> None:
        self._file.seek(self._start)
        end = self._start
        for line in self._file:
            if line.endswith(b"\n"):
                end += len(line)
                self._ends.append(end)
        self._file.truncate(end)
        self._file.seek(end)

    def append(self, line: bytes) -> None:
        """Add a finished row; it survives the end of this process at once."""
        try:
            self._file.write(line + b"\n")
            self._file.flush()
        except OSError as error:
            raise StoreError(f"Not written: {error.strerror}. The finished rows are kept; run it again.") from error
        self._ends.append((self._ends[-1] if self._ends else self._start) + len(line) + 1)

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> Halves: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Halves]: ...
    def __getitem__(self, index: int | slice) -> Halves | Sequence[Halves]:
        if isinstance(index, slice):
            return [self[nth] for nth in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        start = self._ends[index - 1] if index else self._start
        self._file.seek(start)
        return msgspec.json.decode(self._file.read(self._ends[index] - start), type=Halves)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _locked(path: Path) -> IO[bytes]:
    """Open the file, made private if it is new, for this process alone.

    Raises:
        UsageError: another process builds it.
    """
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_MODE), "r+b")
    if os.name == "posix":
        try:
            os.lockf(file.fileno(), os.F_TLOCK, 0)
        except OSError as error:
            file.close()
            raise UsageError(f"another process builds {path.parent}; wait for it") from error
    return file


def _finish(building: Building, wanted: DataSet, out: Path) -> None:
    """Write pack, sealed file and rows beside each other, whole, then give them their names; the rows come last."""
    salts = Salts(seed=wanted.seed)
    public = PRIVATE_MODE if wanted.split == "test" else PUBLIC_MODE
    with scratch_folder(out) as folder:
        pack, sealed, rows = folder / PACK_NAME, folder / SEALED_NAME, folder / ROWS
        write_halves(
            pack, sealed, building, title=f"writing, {wanted.split}", recipe=canonical_text(wanted.document()),
            salts=salts, pack_salt=salts.token(PACK_SALT_PURPOSE), marks=marks_of(wanted.split),
        )  # fmt: skip
        _write_rows(pack, rows)
        for file, mode in ((sealed, PRIVATE_MODE), (pack, public), (rows, public)):
            file.chmod(mode)
            publish(file, out / file.name, replace=True)


def _write_rows(pack: Path, rows: Path) -> None:
    """Write the public rows in the order of their ids, which tells nothing of the order in which they were drawn."""
    with Pack.open(pack) as opened, rows.open("x", encoding="utf-8") as file:
        for entry in opened.puzzles():
            payload = json.loads(opened.payload(entry.id))
            file.write(canonical_text({"puzzle_id": entry.id, **payload}) + "\n")
        file.flush()
        os.fsync(file.fileno())


def sample_rows() -> bytes:
    """Return the bundled sample: the `rows.jsonl` of the first 500 rows of `held_out_combos`, byte for byte."""
    return gzip.decompress(files("engine.instruction_adherence").joinpath("held_out_sample.jsonl.gz").read_bytes())
