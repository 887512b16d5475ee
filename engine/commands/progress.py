"""A progress bar on standard error, shown on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

Item = TypeVar("Item")


@contextmanager
def progress(items: Iterable[Item], length: int, label: str) -> Iterator[Iterator[Item]]:
    """Hand the items on while a bar counts them; off a terminal nothing is printed."""
    with click.progressbar(
        items, length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty(), show_pos=True
    ) as bar:
        yield iter(bar)
