"""What is written down when the app breaks: the kind of error and where, never what any variable held.

A traceback with locals could hold gold, so there is none: no locals, no source lines, and the message of an
error only if clew wrote that message itself. Files have mode 0600; the newest ten are kept.
"""

from __future__ import annotations

import faulthandler
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from traceback import walk_tb

from engine.errors import ClewError
from tui.shown import shown_cell

KEPT = 10
FRAMES = 60
"""The innermost frames that are listed, per error."""
CAUSES = 5


def log_folder() -> Path:
    """Return where logs go: `log` in CLEW_DATA_DIR if that is set, else the user's log folder."""
    if data := os.environ.get("CLEW_DATA_DIR"):
        return Path(data) / "log"
    # Loaded here because most sessions never need it.
    from platformdirs import user_log_dir

    return Path(user_log_dir("clew", appauthor=False))


def exit_code(error: BaseException) -> int:
    """Return the code of an error that clew raised on purpose, 1 for any other."""
    return error.exit_code if isinstance(error, ClewError) else 1


def message(error: BaseException) -> str:
    """Return what may be said about an error on a screen: clew's own words, or only the kind."""
    return shown_cell(error.line()) if isinstance(error, ClewError) else f"unexpected {type(error).__name__}"


def write_crash(error: BaseException, *, mode: str, now: datetime, folder: Path | None = None) -> Path:
    """Write a crash file and return its path; drop the oldest ones.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = folder or log_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"crash-{now:%Y%m%dT%H%M%S}-{now.microsecond:06d}-{os.getpid()}.txt"
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
        file.write("\n".join(_lines(error, mode, now)) + "\n")
    for old in sorted(folder.glob("crash-*.txt"))[:-KEPT]:
        old.unlink(missing_ok=True)
    return path


@contextmanager
def faults_kept(folder: Path | None = None) -> Iterator[None]:
    """Have a crash of the interpreter itself written down: which functions ran, no values; else no file stays."""
    folder = folder or log_folder()
    path = folder / f"fault-{os.getpid()}.txt"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w")
    except OSError:
        yield
        return
    with file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()
            if not path.stat().st_size:
                path.unlink(missing_ok=True)
    for old in sorted(folder.glob("fault-*.txt"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
        old.unlink(missing_ok=True)


def _lines(error: BaseException, mode: str, now: datetime) -> Iterator[str]:
    yield f"clew {_version()}, Python {sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    yield f"mode {mode}, {now.isoformat()}"
    for depth, one in enumerate(_chain(error)):
        yield f"{'error' if depth == 0 else 'from'} {type(one).__module__}.{type(one).__qualname__}"
        if isinstance(one, ClewError):
            yield f"  {shown_cell(one.line())}"
        yield from _frames(one)


def _chain(error: BaseException) -> Iterator[BaseException]:
    one: BaseException | None = error
    for _ in range(CAUSES):
        if one is None:
            return
        yield one
        one = one.__cause__ or one.__context__


def _frames(error: BaseException) -> Iterator[str]:
    places = [
        f"  {_place(frame.f_code.co_filename)}:{line}:{frame.f_code.co_name}"
        for frame, line in walk_tb(error.__traceback__)
    ]
    yield from places[-FRAMES:]


def _place(file: str) -> str:
    """Return the last three parts of a path, which name the module and not the person's folders."""
    return "/".join(Path(file).parts[-3:])


def _version() -> str:
    # Takes a fiftieth of a second to load, and most sessions never need it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("clew")
    except PackageNotFoundError:
        return "unknown version"
