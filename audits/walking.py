"""Walks through the app as a state machine and prints what every step showed. Runs as a program of its own.

    python -c "from audits.walking import main; main()" PACK LEAK

A state is the screen that is shown; its transitions are the keys that it offers now. The walk answers two puzzles, then
presses every key that any screen offers, going to the nearest screen with a key not yet pressed. Clock and chance are
fixed, so the same desk gives the same walk. Each line is JSON: screen, key, text.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from engine.cli import OpenDoors
from engine.public import Answer, Desk, Happening, Past, Receipt
from tui.app import ClewApp
from tui.keys import keys_on
from tui.moments import Moments

SIZE = (100, 40)
PREFIX = (
    *("enter", "escape", "enter", "a", "left", "7", "enter"),
    *("enter", "a", "right", "8", "enter"),
    *("enter", "escape", "escape", "h", "escape", "question_mark", "escape"),
)
"""Two puzzles answered, one for either outcome; then back to the home screen."""
MOST_STEPS = 400
SETTLES = 80
ENDING = frozenset(("escape", "S", "enter", "q", "s", "1", "2", "3", "c", "h", "u"))
"""Keys that often leave a screen: pressed once all others have been."""
WAYS_BACK = ("escape", "c", "escape", "g", "c", "enter", "escape", "escape", "c", "h", "escape", "c", "S", "escape")
"""Pressed one after the other when the way to a screen is not known any more."""
LEAVING = ("quit", "suspend_process")
TIMES = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d{4}-\d{2}-\d{2}\b|\b\d+ (?:s|ms|min|h)\b")


def main() -> None:
    """Walk over the pack named on the command line; further arguments name a leak to plant and the most steps."""
    pack, leak, most = [*sys.argv[1:], "", ""][:3]
    steps = int(most or 0)
    for resume in (False,) if steps else (False, True):
        desk: Any = OpenDoors().desk(pack=pack, player="anna")
        walk = Walk(
            desk=_Leaky(desk, Path(pack).parent, leak) if leak else desk, resume=resume, most=steps or MOST_STEPS
        )
        for line in walk.run():
            print(json.dumps(line))


@dataclass
class Walk:
    """One session."""

    desk: Desk
    resume: bool
    most: int
    """Steps."""
    seen: dict[str, dict[str, str]] = field(default_factory=dict)
    """Screen, key, screen that it led to; empty for a key not pressed yet."""
    actions: dict[str, set[str]] = field(default_factory=dict)
    """The actions of each screen that have a key there; a second key for one is not walked."""

    def run(self) -> Iterator[dict[str, str]]:
        """Walk, and yield each step; the last one says how much of what was offered was pressed."""
        yield from asyncio.run(self._session())
        total = sum(map(len, self.seen.values()))
        left = sorted(f"{screen} {key}" for screen, keys in self.seen.items() for key, to in keys.items() if not to)
        yield {"screen": "", "key": "", "text": "", "offered": str(total), "left": " ".join(left)}

    async def _session(self) -> list[dict[str, str]]:
        app = ClewApp(self.desk, resume=self.resume, moments=_moments())
        steps = []
        async with app.run_test(size=SIZE) as pilot:
            steps.append(_step(app, "", await _settled(app, pilot)))
            for key in [] if self.resume else PREFIX:
                steps.append(await self._press(app, pilot, key))
            lost = 0
            while len(steps) < self.most and self._left() and lost < len(WAYS_BACK):
                key = self._next(app) or WAYS_BACK[lost]
                before = self._left()
                steps.append(await self._press(app, pilot, key))
                lost = 0 if self._left() != before else lost + 1
            app.exit()
        app.clerk.finish(10)
        return steps

    async def _press(self, app: ClewApp, pilot: Pilot[None], key: str) -> dict[str, str]:
        before = _name(app)
        self._note(app)
        await pilot.press(key)
        text = await _settled(app, pilot)
        self.seen.setdefault(before, {})[key] = _name(app)
        self._note(app)
        return _step(app, key, text)

    def _note(self, app: ClewApp) -> None:
        """Note every action that the screen offers now, under the first of its keys."""
        known = self.seen.setdefault(_name(app), {})
        actions = self.actions.setdefault(_name(app), set())
        for one in keys_on(app.screen):
            if one.binding.action not in actions and not one.binding.action.endswith(LEAVING):
                actions.add(one.binding.action)
                known.setdefault(one.binding.key.split(",")[0], "")

    def _left(self) -> int:
        """Return how many offered keys were not pressed yet."""
        return sum(not to for keys in self.seen.values() for to in keys.values())

    def _next(self, app: ClewApp) -> str:
        """Return a key not pressed yet, here or on the way to the nearest screen that has one; empty when done."""
        self._note(app)
        here = _name(app)
        trails: deque[tuple[str, str]] = deque([(here, "")])
        visited = {here}
        while trails:
            screen, first = trails.popleft()
            for key, to in sorted(self.seen.get(screen, {}).items(), key=lambda pair: (pair[0] in ENDING, pair[0])):
                if not to:
                    return first or key
                if to not in visited:
                    visited.add(to)
                    trails.append((to, first or key))
        return ""


def _moments() -> Moments:
    count = iter(range(1 << 40))
    return Moments(
        monotonic=lambda: 100.0,
        now=lambda: datetime(2030, 1, 1, 9, 30, tzinfo=UTC),
        chance=lambda size: hashlib.sha256(str(next(count)).encode()).digest()[:size],
    )


def _name(app: ClewApp) -> str:
    return type(app.screen).__name__


def _text(app: ClewApp) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def _step(app: ClewApp, key: str, text: str) -> dict[str, str]:
    return {"screen": _name(app), "key": key, "text": TIMES.sub("#", text)}


async def _settled(app: ClewApp, pilot: Pilot[None]) -> str:
    """Wait until the desk is idle and the screen stands still, a bounded number of turns; return its text."""
    text, still = "", 0
    for _ in range(SETTLES):
        await pilot.pause(0.015)
        now = _text(app)
        still = still + 1 if now == text and app.clerk.idle() else 0
        text = now
        if still >= 4:
            break
    return text


class _Leaky:
    """A desk that tells what it must not; only the self-test uses one."""

    def __init__(self, desk: Any, folder: Path, leak: str) -> None:
        from engine.store.sealed import Sealed

        self._desk, self._leak = desk, leak
        with Sealed.open(folder / "sealed.db") as sealed:
            self._gold = {record.puzzle_id: record.gold for record in sealed.records()}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._desk, name)

    def history(self) -> tuple[Past, ...]:
        told: tuple[Past, ...] = self._desk.history()
        if self._leak != "history":
            return told
        from msgspec.structs import replace

        return tuple(replace(one, correct=self._gold.get(one.puzzle_id) == "PRESENT") for one in told)

    def submit(self, answer: Answer) -> Receipt:
        receipt: Receipt = self._desk.submit(answer)
        if self._leak == "events":
            told = "1" if self._gold.get(answer.puzzle_id) == answer.answer else "0"
            self._desk.log((Happening(puzzle_id=answer.puzzle_id, t_ms=0, kind="open", data=told),))
        if self._leak != "receipt":
            return receipt
        from msgspec.structs import replace

        right = self._gold.get(answer.puzzle_id) == answer.answer
        return replace(receipt, notice="that was right" if right else "that was not it")
