"""Packs that are made when they are first asked for and kept in the data directory, and what they ask.

A pack is made by `clew generate` itself, so a puzzle has the id that the command gives it for the same key. What is
asked comes from the public file alone; the sealed one (0600, in a folder of mode 0700) lies beside it for scoring.
Specification, "Quickstart". PRIVATE: a solver must never import this.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import click

from engine.canonical import digest
from engine.cli import cli
from engine.datasets import ROWS, SAMPLE_ROWS, SAMPLE_SEED, sample_rows
from engine.errors import StoreError, UsageError, quoted
from engine.hidden_systems.behavior import LABELS, read_payload
from engine.hidden_systems.packing import rendering_row
from engine.hidden_systems.presenting import choose, present
from engine.hidden_systems.surface.prompt import question
from engine.instruction_adherence.private_seed_tasks import load_private_key
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.instruction_adherence.writing import WritingMode, read_writing
from engine.public import Presented
from engine.randomness import Stream
from engine.store.files import private_folder, scratch_folder
from engine.store.pack import Pack, PackEntry
from engine.store.places import PACK_NAME, data_folder
from engine.writing_recipes import default_cell

FOLDER = "environments"
"""Where packs are kept, inside the data directory."""


@dataclass(frozen=True, kw_only=True)
class Script:
    """What the user says to a solver about one puzzle; a single turn but for multi-turn writing tasks."""

    puzzle_id: str
    mode: WritingMode
    system: str
    """What stands before it all; empty if nothing does."""
    turns: tuple[str, ...]
    """In order; a later one is sent only when it is reached."""


# Packs ----------------------------------------------------------------------------------------------------------------


def systems_pack(count: int, length: int | str, seed: int) -> Path:
    """Return the folder of a kept pack of hidden systems.

    Raises:
        UsageError: an argument that `clew generate hidden-systems` refuses.
    """
    return kept_pack(["generate", "hidden-systems", f"--count={count}", f"--length={length}", f"--seed={seed}"])


def writing_pack(
    mode: WritingMode, split: str, seed: int, count: int, constraints: int | None, depth: int | None,
    weight: float | None,
) -> Path:  # fmt: skip
    """Return the folder of a kept pack of writing tasks of one mode; None stands for the calibrated default.

    Raises:
        UsageError: an argument that `clew generate instruction-adherence` refuses; `test` without private seed tasks.
    """
    cell = default_cell(mode)
    options = {
        "count": count,
        "mode": mode,
        "split": split,
        "seed": seed,
        "constraints": cell.constraints if constraints is None else constraints,
        "burial-depth": cell.burial_depth if depth is None else depth,
        "hard-family-weight": cell.hard_family_weight if weight is None else weight,
    }
    given = [f"--{name}={value}" for name, value in options.items()]
    key = digest(load_private_key(data_folder()).hex()) if split == "test" else ""
    return kept_pack(["generate", "instruction-adherence", *given], key)


def kept_pack(arguments: Sequence[str], key: str = "") -> Path:
    """Return the folder of the pack that `clew ARGUMENTS` writes, and make it at the first call.

    Args:
        key: what else the pack depends on.
    """
    folder = _kept_folder() / digest([*arguments, key])[:16]
    if not folder.exists():
        private_folder(folder.parent)
        with scratch_folder(folder.parent) as scratch:
            _run([*arguments, f"--out={scratch / 'made'}"])
            try:
                (scratch / "made").rename(folder)
            except OSError:
                # Another process made the same pack meanwhile; the two are equal.
                if not folder.exists():
                    raise
    return folder


def version() -> str:
    """Return the installed version of clew, on which generated puzzles depend."""
    return metadata.version("clew")


def refuse_other_version(made_by: str) -> None:
    """Refuse to go on with a run that another version began: its puzzles might be told differently.

    Raises:
        UsageError: it was another version.
    """
    if made_by != version():
        raise UsageError(
            f"clew {quoted(made_by)} made the puzzles of this run, {version()} is installed; install that one"
        )


def _kept_folder() -> Path:
    return data_folder() / FOLDER / version()


def _run(arguments: Sequence[str]) -> None:
    try:
        with redirect_stdout(io.StringIO()):
            cli.main(list(arguments), prog_name="clew", standalone_mode=False)
    except click.ClickException as error:
        raise UsageError(" ".join(error.format_message().split())) from error


# Asking ---------------------------------------------------------------------------------------------------------------


def writing_scripts(
    mode: WritingMode, split: str | None, seed: int, count: int, constraints: int | None, depth: int | None,
    weight: float | None,
) -> tuple[Script, ...]:  # fmt: skip
    """Return writing tasks of one mode: of the bundled sample while the key is all defaults, else generated.

    Args:
        split: None for the default, which is `train` once something else of the key is named.

    Raises:
        UsageError: an argument that is not legal.
    """
    if count < 1:
        raise UsageError(f"number of tasks {count!r} is not legal; 1 or more")
    if split is None and seed == 0 and constraints is None and depth is None and weight is None:
        return bundled(mode, count)
    return scripts(writing_pack(mode, split or "train", seed, count, constraints, depth, weight))


def bundled(mode: WritingMode, count: int) -> tuple[Script, ...]:
    """Return the first tasks of one mode of the sample of `held_out_combos`, where three in ten are conversations."""
    sample = ["dataset", "build", "--split=held_out_combos", f"--seed={SAMPLE_SEED}", f"--count={SAMPLE_ROWS}"]
    # One process: an evaluation's worker may not start others.
    folder = kept_pack([*sample, "--processes=1"])
    if (folder / ROWS).read_bytes() != sample_rows():
        raise StoreError("the bundled sample is of another version of clew; reinstall clew")
    asked = scripts(folder)
    return tuple(script for script in asked if script.mode == mode)[:count]


def scripts(folder: Path, domain: str | None = None) -> tuple[Script, ...]:
    """Return what a pack asks, in the order of its ids, which says nothing about how it was made.

    Args:
        domain: the surface domain that hidden systems are told in; without it, the one drawn for each payload.

    Raises:
        UsageError: no such domain.
    """
    with Pack.open(folder / PACK_NAME) as pack:
        return tuple(_script(pack, entry, domain) for entry in pack.puzzles())


def _script(pack: Pack, entry: PackEntry, domain: str | None) -> Script:
    if entry.family == WRITING:
        payload = read_writing(pack.payload(entry.id), where=f"puzzle {entry.id!r}")
        return Script(puzzle_id=entry.id, mode=payload.mode, system="", turns=payload.turns)
    system, user = question(shown_system(pack, entry.id, domain)).messages
    return Script(puzzle_id=entry.id, mode="single", system=system.text, turns=(user.text,))


def shown_system(pack: Pack, puzzle_id: str, domain: str | None) -> Presented:
    """Return a hidden system as it is asked; the order of the two answers is drawn once and for all for its id.

    Args:
        domain: the surface domain that it is told in; None for the one drawn for its payload.
    """
    payload = read_payload(pack.payload(puzzle_id), where=f"puzzle {puzzle_id!r}")
    renderings = pack.renderings(puzzle_id)
    told = choose(renderings, payload) if domain is None else rendering_row(puzzle_id, payload, domain)
    swapped = Stream("environments/label-order", puzzle_id).chance(1, 2)
    return present(payload, told, (LABELS[1], LABELS[0]) if swapped else LABELS)


def holding(puzzle_id: str) -> Path:
    """Return the folder of a kept pack that has a puzzle; packs that share one share all of it.

    Raises:
        StoreError: there is none.
    """
    for path in sorted(_kept_folder().glob(f"*/{PACK_NAME}")):
        with Pack.open(path) as pack, suppress(UsageError):
            pack.entry(puzzle_id)
            return path.parent
    raise StoreError(f"no kept pack has puzzle {puzzle_id!r}; load the environment that asks it")
