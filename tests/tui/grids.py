"""Screens as grids of text, compared with reviewed files; set CLEW_WRITE_GOLDEN to write the files anew."""

from __future__ import annotations

import os
from pathlib import Path

from driving import screen_text
from textual.screen import ModalScreen

from tui.app import ClewApp

GOLDEN = Path(__file__).parent / "golden"
FOUR_SIZES = {"60x18": (60, 18), "80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}


def check_grid(app: ClewApp, name: str) -> None:
    """Compare what the screen shows with the file of this name; of a dialog, the dialog alone.

    What lies below a dialog is drawn by the terminal's next update, and may not be in the grid yet.
    """
    path = GOLDEN / f"{name}.txt"
    text = _shown(app) + "\n"
    if os.environ.get("CLEW_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} differs; it now shows\n{text}"


def _shown(app: ClewApp) -> str:
    if not isinstance(app.screen, ModalScreen):
        return screen_text(app)
    x, y, width, height = app.screen.children[0].region
    return "\n".join(line[x : x + width] for line in screen_text(app).split("\n")[y : y + height])
