"""The first thing that `clew` runs: until the commands are loaded, an interrupt ends the program without a word.

Loading takes a tenth of a second, in which there is nothing to save and nothing to say. Nothing else may be imported
up here: whatever is, can be interrupted with a traceback.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` is made of, without the enums that it loads


def main() -> None:
    """Load the command line and run it."""
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    from engine.cli import main as command_line

    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    command_line()


if __name__ == "__main__":
    main()
