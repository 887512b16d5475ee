"""One session from the first paint to the exit code: build the app, run it, finish saving, say what went wrong."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from engine.public import Desk
from tui import crash, early, ends
from tui.app import ClewApp
from tui.config import Config
from tui.themes import MONO, check_theme

LAST_LINES = 3
"""Most lines on standard error after an end."""


def run(desk: Desk, *, resume: bool, config: Config | None = None, code: str = "") -> int:
    """Run the app on this terminal and return its exit code.

    Args:
        code: of the practice puzzle to begin with; empty for none.

    Raises:
        UsageError: the settings name a theme that there is not.
    """
    config = config or Config()
    check_theme(config.theme, config.source("theme"))
    # Colours must be off before the app is built, so the theme without any counts as NO_COLOR does.
    mono = bool(os.environ.get("NO_COLOR")) or config.theme == MONO.name
    app = ClewApp(desk, resume=resume, mono=mono, listens=True, config=config, code=code)
    interrupt = early.Remembered()
    interrupt.listen()
    app.interrupt = interrupt
    with crash.faults_kept(), ends.terminal_given_back(app.left_terminal):
        app.run()
    with ends.deaf():
        app.finish(ends.SIGNAL_BOUND_S)
    for line in app.last_words()[:LAST_LINES]:
        with suppress(OSError):
            print(f"clew: {line}", file=sys.stderr)
    return app.return_code or int(app.lost)
