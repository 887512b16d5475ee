"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from engine.errors import UsageError
from engine.packs import TEST, TEST_MARK
from engine.store.pack import Pack

LOCAL_TEST = click.option(
    "--local-test", is_flag=True, help="Let a pack of the split test out; it should not leave this machine."
)
PACK = click.argument("pack", metavar="[DIR_OR_FILE]", required=False)
"""A folder with `pack.db` or a pack file; the built-in pack without it."""
ANSWERS = click.option(
    "--answers", type=click.Path(path_type=Path), help="Answers file; the one in the data directory without it."
)
SCORES = click.option(
    "--scores", type=click.Path(path_type=Path), help="Scores file; the one in the data directory without it."
)


def require_local_test(pack: Pack, allowed: bool) -> None:
    """Refuse to let a pack of the split `test` out unless it is asked for by name.

    Raises:
        UsageError: it is such a pack, and `allowed` is False.
    """
    if pack.meta.get(TEST_MARK) == TEST and not allowed:
        raise UsageError(f"{pack.path} is of the split test, which stays on this machine; --local-test exports it here")
