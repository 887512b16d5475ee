"""Small packs, right and spoiled, and the command run on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from audits.base import Row
from audits.cli import audit
from engine.canonical import text_digest
from engine.hidden_systems.packing import Sown, write_puzzles
from engine.hidden_systems.program.generate import iterate_skeletons
from engine.packs import Salts
from engine.store.pack import PACK_SALT, Pack, PackEntry, PackPuzzle, PackRendering, write_pack
from engine.system_recipes import system_recipe

SEED = 90_210_777_001
COUNT = 24


class Ran(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


def invoke(*arguments: str) -> Ran:
    done = CliRunner().invoke(audit, arguments)
    return Ran(done.exit_code, done.stdout, done.stderr)


def sown(count: int = COUNT) -> list[Sown]:
    skeletons = iterate_skeletons(count, "short", SEED)
    return [Sown(skeleton=one, seed=SEED, index=index) for index, one in enumerate(skeletons)]


def write_sample(folder: Path, count: int = COUNT) -> Path:
    recipe = system_recipe(4, count, SEED)
    write_puzzles(
        folder / "pack.db", folder / "sealed.db", sown(count), title="sample", recipe=recipe, salts=Salts(seed=SEED)
    )
    return folder


def rewritten(source: Path, target: Path, change: Callable[[str], str]) -> Path:
    """Copy a pack with the first rendering's text changed, every digest made to fit."""
    with Pack.open(source) as pack:
        names = PackEntry.__dataclass_fields__
        puzzles = [
            PackPuzzle(**{name: getattr(entry, name) for name in names}, payload=pack.payload(entry.id))
            for entry in pack.puzzles()
        ]
        renderings = [one for entry in puzzles for one in pack.renderings(entry.id)]
        meta = {"title": "sample", "kind": "practice", PACK_SALT: pack.meta[PACK_SALT]}
    write_pack(target, meta=meta, puzzles=puzzles, renderings=[_changed(renderings[0], change), *renderings[1:]])
    return target


def _changed(rendering: PackRendering, change: Callable[[str], str]) -> PackRendering:
    body = change(rendering.body)
    assert body != rendering.body
    return replace(rendering, body=body, body_sha=text_digest(body))


def row(**fields: object) -> Row:
    """A passing row of rule X01, with some fields otherwise."""
    blank = Row(rule="X01", claim="nothing leaks", severity="error", status="pass", n=100)
    return replace(blank, **fields)  # type: ignore[arg-type]
