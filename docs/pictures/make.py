"""Makes the pictures of the README: `python docs/pictures/make.py`. Plays the built-in pack in a throw-away folder."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"

HERE = Path(__file__).parent
SIZE = (118, 36)
BOARD = ("s", "down", "space", "down", "down", "space", "down", "1", "3", "3", "4", "4", "4")
"""Sorts, pins two rows, marks three steps."""
TEXT = "The rice goes into the hot pan, and the kitchen goes quiet."


async def pictures() -> None:
    from engine.players import PlayerDesk
    from tui.app import ClewApp
    from tui.messages import OpenPuzzle, OpenTask

    app = ClewApp(PlayerDesk.for_player(pack=None, player="ada"), resume=False)
    async with app.run_test(size=SIZE) as pilot:

        async def until(name: str) -> None:
            for _ in range(200):
                await pilot.pause(0.05)
                if type(app.screen).__name__ == name:
                    break
            await pilot.pause(0.5)

        while app.session is None:
            await pilot.pause(0.05)
        app.post_message(OpenPuzzle(complexity=6))
        await until("PuzzleScreen")
        await pilot.press(*BOARD)
        # Until the hint about the order has gone.
        await pilot.pause(5)
        save(app.export_screenshot(title="clew"), "puzzle")
        await pilot.press("a", "right", "7", "enter")
        await until("FeedbackScreen")
        await pilot.press("r")
        await pilot.pause(0.5)
        save(app.export_screenshot(title="clew"), "feedback")
        app.post_message(OpenTask(kind="single"))
        await until("WritingScreen")
        await pilot.press(*TEXT)
        await pilot.pause(1.0)
        save(app.export_screenshot(title="clew"), "writing")


def save(svg: str, name: str) -> None:
    (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLEW_DATA_DIR"] = folder
        asyncio.run(pictures())
