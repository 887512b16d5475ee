"""Takes a terminal as the app does, and ends without ever coming back to where it would be given back."""

from __future__ import annotations

import sys
import tty

from pty_session import MODES

from tui import ends


def main() -> None:
    held = ends.terminal_given_back(lambda: False)
    held.__enter__()
    sys.stdout.write("".join(f"\x1b[?{mode}h" for mode in MODES) + "\x1b[?25l")
    sys.stdout.flush()
    tty.setraw(0)
    # A reference that outlives the interpreter's last look: the block itself is never left.
    sys.modules["held"] = held  # type: ignore[assignment]


if __name__ == "__main__":
    main()
