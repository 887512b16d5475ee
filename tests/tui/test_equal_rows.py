"""One practice session of both families, by keys, by mouse and in the line mode, leaves equal rows at the real desk."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import LARGE, SMALL, click, drive, paste, press, screen_text, until, write, write_fast
from textual.pilot import Pilot

from engine.cli import OpenDoors
from engine.desk import RealDesk
from engine.public import Presented
from engine.store.answers import Answers
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.world import World
from tui.app import ClewApp
from tui.config import Config
from tui.plain.run import play
from tui.wording import Words

TEXTS = tuple(f"Text {nth} of the bakery, all of it" for nth in range(1, len(TURNS) + 1))
OF_THE_SCREEN = {
    "resize", "terminal", "view", "scroll", "typed", "paste", "covered", "clock", "focus_reports", "blur", "focus",
    "compare", "introduction", "wall",
}  # fmt: skip
"""Kinds of events that tell of a window, a keyboard or a clock, of which the line mode has none."""
Row = tuple[object, ...]


def outcome(pack: Path) -> str:
    """Return the first outcome that player `ada` is offered for the first puzzle."""
    desk = RealDesk.for_player(pack=str(pack), player="ada")
    desk.open()
    shown = desk.next()
    desk.close()
    assert isinstance(shown, Presented)
    return Words(shown.legend).outcome(shown.labels[0])


async def until_told(pilot: Pilot[None], *texts: str) -> None:
    """Wait for texts on the screen, longer than with a desk in memory: the real one opens files."""
    for _ in range(20):
        try:
            await until(pilot, lambda: all(text in screen_text(pilot.app) for text in texts))
        except AssertionError:
            continue
        return
    raise AssertionError(f"{texts} never came; the screen shows\n{screen_text(pilot.app)}")


async def puzzle_by_keys(pilot: Pilot[None], app: ClewApp) -> None:
    await until_told(pilot, "drafts are kept")
    await press(pilot, "c")
    await until_told(pilot, "your answer", "sort")
    await press(pilot, "j space s n")
    await write(pilot, "why")
    await press(pilot, "escape 1 u a left 7 plus enter")
    await until_told(pilot, "Brier score")


async def puzzle_by_mouse(pilot: Pilot[None], app: ClewApp) -> None:
    await click(pilot, "c start")
    await until_told(pilot, "your answer", "sort")
    table = app.screen.query_one("#evidence")
    await pilot.click("#evidence", offset=(30, 2))
    await until(pilot, lambda: table.cursor_row == 1)  # type: ignore[attr-defined]
    await click(pilot, "space pin  c")
    await click(pilot, "original order")
    await click(pilot, "n notes")
    await until(pilot, lambda: app.focused is not None and app.focused.id == "notes")
    await paste(pilot, "why")
    await click(pilot, "esc leave notes")
    await pilot.click("#marks", offset=(4, 1))
    await click(pilot, "u undo")
    await click(pilot, "[ ")
    await click(pilot, " 75 ")
    await click(pilot, "[ send ]")
    await until_told(pilot, "Brier score")


async def text_by_keys(pilot: Pilot[None], app: ClewApp) -> None:
    await until_told(pilot, "drafts are kept")
    await press(pilot, "c")
    for nth, text in enumerate(TEXTS, start=1):
        await until_told(pilot, f"turn {nth} of {len(TURNS)}")
        await write_fast(pilot, text)
        if nth == 2:
            await press(pilot, "tab tab space")
            await write(pilot, "1")
            await press(pilot, "enter")
            await write(pilot, "2")
            await press(pilot, "enter")
            await write(pilot, "both")
        await press(pilot, "f2")
    await until_told(pilot, "turns meet all that counts")


async def text_by_mouse(pilot: Pilot[None], app: ClewApp) -> None:
    await click(pilot, "c start")
    for nth, text in enumerate(TEXTS, start=1):
        await until_told(pilot, f"turn {nth} of {len(TURNS)}")
        await pilot.click("#text")
        await paste(pilot, text)
        if nth == 2:
            await click(pilot, "I see a conflict")
            for name, said in (("first", "1"), ("second", "2"), ("note", "both")):
                await pilot.click(f"#conflict-{name}")
                await paste(pilot, said)
        await click(pilot, "[ send ]")
    await until_told(pilot, "turns meet all that counts")


def in_app(script: Callable[[Pilot[None], ClewApp], object], size: tuple[int, int]) -> Callable[[Path], None]:
    def played(pack: Path) -> None:
        drive(OpenDoors().desk(pack=str(pack), player="ada"), script, size=size)  # type: ignore[arg-type]

    return played


def in_lines(*lines: str) -> Callable[[Path], None]:
    def played(pack: Path) -> None:
        name = outcome(pack) if "{outcome}" in "".join(lines) else ""
        data = "".join(f"{line}\n" for line in (*lines, "quit")).replace("{outcome}", name).encode()
        out = io.StringIO()
        desk = OpenDoors().desk(pack=str(pack), player="ada")
        code = play(desk, source=io.BytesIO(data), out=out, err=out, config=Config(players=False))
        assert code == 0, out.getvalue()

    return played


def rows(database: Path) -> list[Row]:
    """Return what is stored, apart from ids, times and what tells of the screen alone."""
    with Answers.open(database, read_only=True) as answers:
        sessions = sorted(answers.sessions(next(iter(answers.solvers()))), key=lambda row: row.started_at)
        found: list[Row] = [(row.mode, row.aid, row.feedback, row.label_order, row.pack_sha) for row in sessions]
        for row in answers.attempts():
            found.append((row.puzzle_id, row.text_sha, row.answer, row.confidence, row.notes, row.attempt_no))
            turns = answers.turns(row.session, row.puzzle_id)
            found += [(turn.turn, turn.role, turn.text) for turn in turns]
        for session in sessions:
            for event in answers.events(session.id):
                if event.kind not in OF_THE_SCREEN:
                    found.append((event.kind, event.puzzle_id, event.data))
        assert answers.check() == ()
    return found


PUZZLE_LINES = (
    "continue", "pin 2", "sort share", "note why", "mark 1 +", "undo", "answer {outcome} 75",
)  # fmt: skip


def text_lines() -> tuple[str, ...]:
    lines = ["continue"]
    for nth, text in enumerate(TEXTS, start=1):
        lines += ["edit", text, ".", *(["conflict 1 2 both"] if nth == 2 else []), "send"]
    return tuple(lines)


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> World:
    return World(tmp_path, capsys)


@pytest.mark.slow
def test_a_puzzle_leaves_equal_rows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = world.pack(complexities=(4, 4))
    ways = (in_app(puzzle_by_keys, SMALL), in_app(puzzle_by_mouse, LARGE), in_lines(*PUZZLE_LINES))
    keys, mouse, lines = (played(world, monkeypatch, way, pack, f"p{nth}") for nth, way in enumerate(ways))
    assert len(keys) >= 10 and keys == mouse == lines


@pytest.mark.slow
def test_a_conversation_leaves_equal_rows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = write_conversation(world.folder / "talk")
    ways = (in_app(text_by_keys, SMALL), in_app(text_by_mouse, LARGE), in_lines(*text_lines()))
    keys, mouse, lines = (played(world, monkeypatch, way, pack, f"t{nth}") for nth, way in enumerate(ways))
    assert len(keys) >= 10 and keys == mouse == lines


def played(
    world: World, monkeypatch: pytest.MonkeyPatch, way: Callable[[Path], None], pack: Path, name: str
) -> list[Row]:
    """Play in a data folder of its own and return its rows."""
    data = world.folder / name
    monkeypatch.setenv("CLEW_DATA_DIR", str(data))
    way(pack)
    return rows(data / "answers.db")
