"""A whole practice session of both families, played by keys or by mouse in a terminal or a browser, or in lines.

A puzzle, a text of one turn and a conversation stand in one pack. What is played is written once for every hand that
can play it, and so is what is compared: the rows that the session leaves.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from textual.pilot import Pilot
from textual.widgets import Input

from engine.cli import OpenDoors
from engine.desk import RealDesk
from engine.hidden_systems.packing import Sown, halves
from engine.hidden_systems.program.generate import generate_skeleton
from engine.packs import PACK_SALT_PURPOSE, Salts, write_halves
from engine.public import Presented
from engine.store.answers import Answers
from tests.engine.conversation_pack import TURNS, written_half
from tests.tui.driving import click, drive, press, screen_text, until, write_fast
from tui.app import ClewApp
from tui.config import Config
from tui.plain.run import play
from tui.wording import Words

SEED = 5
CARD = "Write a card for the bakery."
TEXTS = tuple(f"Text {nth} of the bakery, all of it" for nth in range(1, len(TURNS) + 1))
CONFLICT = ("1", "2", "both")
"""What is said in the second turn: two requirements, and a note."""
PLACES = ("R__", "R__", "____")
"""What stands in the fields of the conflict box while they are empty."""
FILLED = ("between: 1", "and 2", "both")
"""How the conflict box shows each of them."""
BOX, MARKED = "╭─ marks", "+  raises"
OF_THE_SCREEN = {
    "terminal": "says how large the window is, or that there is none",
    "resize": "lines have no size",
    "view": "panes take turns in a window, and a wide one needs fewer turns",
    "scroll": "only what does not fit is scrolled",
    "covered": "a question in front of an item covers it only in a window",
    "typed": "only a window sees single keys",
    "paste": "the same",
    "blur": "only a window can lose the focus",
    "focus": "the same",
}
"""Kinds of events that tell of a window or a keyboard, of which not all ways to play have one, and why."""
OF_THE_MOMENT = {
    "clock": "says what time it is, once more whenever a window comes into view again",
    "focus_reports": "says what kind of window it is: a browser tells of its focus",
}
"""Kinds of events whose data differ from run to run, and why."""
PATIENCE = 6
"""How many times as long as for other tests is waited."""
Row = tuple[object, ...]


class Hand(Protocol):
    """Plays the app, wherever it is shown."""

    async def until(self, *texts: str) -> None:
        """Wait until the screen shows all texts."""

    async def press(self, keys: str) -> None:
        """Press keys that stand between spaces, by their names in the app."""

    async def write(self, text: str) -> None:
        """Type a text into the field that has the focus."""

    async def click(self, text: str, *, below: int = 0) -> None:
        """Click the middle of the first place of a text, or so many lines below it."""

    async def until_in(self, placeholder: str) -> None:
        """Wait until an empty field of one line has the focus, by the beginning of what stands in it then."""

    def shows(self, text: str) -> bool:
        """Say whether the screen shows a text now."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """What the puzzle of the session calls things."""

    outcome: str
    """The outcome that is offered first."""
    step: str
    """The first step of the question."""


def write_session(folder: Path) -> Path:
    """Write the pack of a session, with its sealed half, into a folder and return the folder."""
    salts = Salts(seed=SEED)
    salt = salts.token(PACK_SALT_PURPOSE)
    sown = Sown(skeleton=generate_skeleton(4, SEED, 0), seed=SEED, index=0)
    rows = [halves(sown, salt, salts), written_half((CARD,), salt), written_half(TURNS, salt)]
    folder.mkdir(parents=True, exist_ok=True)
    write_halves(folder / "pack.db", folder / "sealed.db", rows, title="both", recipe="{}", salts=salts, pack_salt=salt)
    return folder


def names(pack: Path) -> Named:
    """Return what player `ada` is shown; this begins a session in the data folder of the moment."""
    desk = RealDesk.for_player(pack=str(pack), player="ada")
    desk.open()
    shown = desk.next()
    desk.close()
    assert isinstance(shown, Presented)
    words = Words(shown.legend)
    return Named(outcome=words.outcome(shown.labels[0]), step=words.event(shown.payload.query_case.events[0]))


# By keys


async def by_keys(hand: Hand) -> None:
    """Play all of it without a mouse."""
    await hand.until("drafts are kept", "answers")
    await hand.press("c")
    await puzzle_by_keys(hand)
    await hand.press("h")
    await hand.until("the next writing task")
    await hand.press("c")
    await hand.until(CARD[:12], "[ send ]")
    await hand.write(TEXTS[0])
    await hand.press("f2")
    await hand.until("What you wrote")
    await hand.press("enter")
    for nth, text in enumerate(TEXTS, start=1):
        await hand.until(f"brief of turn {nth}")
        await hand.write(text)
        if nth == 2:
            await _conflict_by_keys(hand)
        await hand.press("f2")
    await hand.until("turns meet all that counts")


async def puzzle_by_keys(hand: Hand) -> None:
    await hand.until("your answer", "sort")
    await hand.press("j space s n")
    await hand.until("leave notes")
    await hand.write("why")
    await hand.press("escape")
    await hand.until("esc home")
    await hand.press("1 u a")
    await hand.until("how sure")
    await hand.press("left 7 plus")
    await hand.until("[75]")
    await hand.press("enter")
    await hand.until("Brier score")
    await hand.press("r")
    await hand.until("The rules behind it")


async def _conflict_by_keys(hand: Hand) -> None:
    for key, shown in (("tab", ">[ send ]<"), ("tab", "space tick"), ("space", "[x]")):
        await hand.press(key)
        await hand.until(shown)
    for place, said, shown in zip(PLACES, CONFLICT, FILLED, strict=True):
        await hand.until_in(place)
        await hand.write(said)
        await hand.until(shown)
        await hand.press("enter")


# By mouse


async def by_mouse(hand: Hand, named: Named) -> None:
    """Play all of it by clicks; only texts are typed."""
    await hand.until("drafts are kept", "answers")
    await hand.click("c start")
    await _puzzle_by_mouse(hand, named)
    await hand.click("h home")
    await hand.click("the next writing task")
    await hand.click("your text", below=1)
    await hand.write(TEXTS[0])
    await hand.click("[ send ]")
    await hand.until("What you wrote")
    await hand.click("enter next")
    for nth, text in enumerate(TEXTS, start=1):
        await hand.until(f"brief of turn {nth}")
        await hand.click("your text", below=1)
        await hand.write(text)
        if nth == 2:
            await _conflict_by_mouse(hand)
        await hand.click("[ send ]")
    await hand.until("turns meet all that counts")


async def _puzzle_by_mouse(hand: Hand, named: Named) -> None:
    await hand.until("your answer", "sort")
    await hand.click("steps in order", below=2)
    await hand.until("> 2")
    await hand.click("space pin  c")
    await hand.until("pinned 1")
    await hand.click("original order")
    await hand.until("sort share")
    await hand.click("n notes" if hand.shows("n notes") else "n writes some")
    await hand.until("leave notes")
    await hand.write("why")
    await hand.until("why")
    await hand.click("leave notes")
    # The key line changes before all below the notes moves.
    await hand.until("esc home", "n edit")
    # A box of its own in a wide window, whose first line is the first step; else one line.
    boxed = hand.shows(BOX)
    await hand.click(BOX if boxed else f"1 {named.step} .", below=int(boxed))
    await hand.until(MARKED if boxed else f"1 {named.step} +")
    await hand.click("u undo")
    await hand.click(f"[ {named.outcome} ]")
    await hand.click(" 75 ")
    await hand.until("[75]")
    await hand.click("[ send ]")
    await hand.until("Brier score")
    await hand.click("r what is behind it")
    await hand.until("The rules behind it")


async def _conflict_by_mouse(hand: Hand) -> None:
    await hand.click("I see a conflict")
    await hand.until("[x]")
    for place, said, shown in zip(PLACES, CONFLICT, FILLED, strict=True):
        await hand.click(place)
        await hand.write(said)
        await hand.until(shown)


# In a terminal


class InTerminal:
    """A hand at the app in this process."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self._pilot = pilot

    def shows(self, text: str) -> bool:
        return text in screen_text(self._pilot.app)

    async def until_in(self, placeholder: str) -> None:
        def inside() -> bool:
            field = self._pilot.app.focused
            return isinstance(field, Input) and not field.value and str(field.placeholder).startswith(placeholder)

        await until(self._pilot, inside)

    async def until(self, *texts: str) -> None:
        """Wait longer than for a desk in memory: the real one opens files."""
        for _ in range(PATIENCE):
            try:
                await until(self._pilot, lambda: all(map(self.shows, texts)))
            except AssertionError:
                continue
            return
        raise AssertionError(f"{texts} never came; the screen shows\n{screen_text(self._pilot.app)}")

    async def press(self, keys: str) -> None:
        await press(self._pilot, keys)

    async def write(self, text: str) -> None:
        await write_fast(self._pilot, text)

    async def click(self, text: str, *, below: int = 0) -> None:
        await self.until(text)
        await click(self._pilot, text, below=below)


def at_terminal(pack: Path, size: tuple[int, int], *, named: Named | None = None) -> None:
    """Play in the app: by mouse where the names of things to be clicked are given, else by keys."""

    async def script(pilot: Pilot[None], app: ClewApp) -> None:
        hand = InTerminal(pilot)
        await (by_keys(hand) if named is None else by_mouse(hand, named))

    drive(OpenDoors().desk(pack=str(pack), player="ada"), script, size=size)


# In lines


def in_lines(pack: Path, named: Named) -> None:
    """Play all of it in the line mode."""
    lines = [
        "continue", "pin 2", "sort share", "note why", "mark 1 +", "undo", f"answer {named.outcome} 75", "reveal",
        "home", "continue", "edit", TEXTS[0], ".", "send", "next",
    ]  # fmt: skip
    for nth, text in enumerate(TEXTS, start=1):
        lines += ["edit", text, ".", *([f"conflict {' '.join(CONFLICT)}"] if nth == 2 else []), "send"]
    data = "".join(f"{line}\n" for line in (*lines, "quit")).encode()
    out = io.StringIO()
    desk = OpenDoors().desk(pack=str(pack), player="ada")
    code = play(desk, source=io.BytesIO(data), out=out, err=out, config=Config(players=False))
    assert code == 0, out.getvalue()


# What is left


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
            told = [event for event in answers.events(session.id) if event.kind not in OF_THE_SCREEN | OF_THE_MOMENT]
            found += [(event.kind, event.puzzle_id, event.data) for event in told]
        assert answers.check() == ()
    return found
