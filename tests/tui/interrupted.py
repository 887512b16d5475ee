"""Runs the real `clew` and sends itself an interrupt at the moment at which a module is about to be loaded.

python interrupted.py MODULE ARGUMENTS OF clew ...
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence


class Tripped:
    """A finder that finds nothing and interrupts once."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> None:
        if name == self.name:
            self.name = ""
            os.kill(os.getpid(), signal.SIGINT)


def main() -> None:
    sys.meta_path.insert(0, Tripped(sys.argv[1]))  # type: ignore[arg-type]
    sys.argv[1:] = sys.argv[2:]
    from engine.start import main as clew

    clew()


if __name__ == "__main__":
    main()
