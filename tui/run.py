"""One session from the first paint to the exit code: build the app, run it, finish saving, say what went wrong."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from engine.public import Desk
from tui import ends
from tui.app import ClewApp

LAST_LINES = 3
"""Most lines on standard error after an end."""


def run(desk: Desk, *, resume: bool) -> int:
    """Run the app on this terminal and return its exit code."""
    app = ClewApp(desk, resume=resume, mono=bool(os.environ.get("NO_COLOR")), listens=True)
    with ends.terminal_given_back(app.left_terminal):
        app.run()
    with ends.deaf():
        app.finish(ends.SIGNAL_BOUND_S)
    for line in app.last_words()[:LAST_LINES]:
        with suppress(OSError):
            print(f"clew: {line}", file=sys.stderr)
    return app.return_code or 0
