"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

PACK = click.argument("pack", metavar="[DIR_OR_FILE]", required=False)
"""A folder with `pack.db` or a pack file; the built-in pack without it."""
ANSWERS = click.option(
    "--answers", type=click.Path(path_type=Path), help="Answers file; the one in the data directory without it."
)
SCORES = click.option(
    "--scores", type=click.Path(path_type=Path), help="Scores file; the one in the data directory without it."
)
