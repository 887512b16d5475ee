"""A small world for tests of the desk and the commands: packs, a data folder, the command line in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.cli import run
from engine.desk import RealDesk
from engine.hidden_systems.packing import Sown, write_puzzles
from engine.hidden_systems.program.generate import generate_skeleton
from engine.packs import Salts
from engine.public import Answer, Presented, PresentedTask
from engine.store.clock import utc_now, uuid7
from engine.system_recipes import system_recipe


@dataclass(frozen=True)
class Outcome:
    """What a command left on the terminal."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True)
class World:
    """A temporary folder with the data directory inside, and `clew` to run there."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def clew(self, *arguments: str | Path) -> Outcome:
        self.capture.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = self.capture.readouterr()
        return Outcome(code, out, err)

    def pack(self, name: str = "p", *, seed: int | None = 5, complexities: tuple[int, ...] = (4, 4, 4, 4)) -> Path:
        """Write a pack and its sealed half into a folder; without a seed it is a study pack."""
        folder = self.folder / name
        sown = [
            Sown(skeleton=generate_skeleton(complexity, seed or 99, index), seed=seed or 99, index=index)
            for index, complexity in enumerate(complexities)
        ]
        recipe = system_recipe(complexities[0], len(complexities), seed or 99)
        write_puzzles(
            folder / "pack.db", folder / "sealed.db", sown, title="small", recipe=recipe, salts=Salts(seed=seed)
        )
        return folder

    @contextmanager
    def desk(self, pack: Path, player: str = "ada") -> Iterator[RealDesk]:
        with closing(RealDesk.for_player(pack=str(pack), player=player)) as desk:
            desk.open()
            yield desk


def answer_to(shown: Presented | PresentedTask, given: str | None = "PRESENT", **changes: object) -> Answer:
    """Return an answer to a puzzle as the app would make it."""
    fields: dict[str, object] = {
        "answer_id": uuid7(),
        "puzzle_id": shown.puzzle_id,
        "rendering_id": shown.rendering_id,
        "text_sha": shown.text_sha,
        "answer": given,
        "confidence": 80,
        "shown_at": utc_now(),
        "response_ms": 1200,
    }
    return Answer(**{**fields, **changes})  # type: ignore[arg-type]
