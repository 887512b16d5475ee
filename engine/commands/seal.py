"""`clew seal`: open the commitments of a pack after collection, and check what somebody opened."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from engine import practice
from engine.commands.progress import progress
from engine.errors import StoreError, UsageError, counted, quoted
from engine.reveals import (
    Fault,
    Head,
    Opened,
    head_line,
    opening_faults,
    read_reveal,
    reveal_lines,
    session_faults,
)
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.places import pack_path
from engine.store.sealed import Sealed

ROOT = re.compile("[0-9a-f]{64}")
SHOWN = 20
"""Faults that are told one by one."""


@click.group()
def seal() -> None:
    """Open and check the commitments of a pack: the gold was fixed before the first answer.

    \b
    Example: clew seal reveal my-pack --out reveal.jsonl && clew seal verify reveal.jsonl --pack my-pack
    """


@seal.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--puzzle", "puzzles", multiple=True, metavar="ID", help="This puzzle only; repeatable.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A new file; standard output without it.")
def reveal(pack: str, puzzles: tuple[str, ...], out: Path | None) -> None:
    """Print record, salt and path of each puzzle as JSON Lines. Whoever reads them knows the answers.

    \b
    Example: clew seal reveal my-pack --out reveal.jsonl
    """
    with Pack.open(pack_path(pack)) as opened, Sealed.open(practice.sealed_half(opened)) as sealed:
        count = len(puzzles) or len(opened.puzzles())
        with progress(reveal_lines(opened, sealed, puzzles), count, "opening") as lines:
            _put([head_line(opened), *lines], out)
    click.echo(f"{counted(count, 'puzzle')} opened; the pack is burnt for further collection", err=True)


def _put(lines: Sequence[str], out: Path | None) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if out is None or str(out) == "-":
        click.echo(text, nl=False)
        return
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise StoreError(f"{out} exists already; a new name is needed") from error


@seal.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True, dir_okay=False))
@click.option("--pack", help="The pack that was played: its root and commitments count.")
@click.option("--root", metavar="HEX", help="The root as it was published before collection.")
@click.option("--answers", type=click.Path(path_type=Path), help="Answers whose sessions must hold the root.")
@click.pass_context
def verify(ctx: click.Context, file: Path, pack: str | None, root: str | None, answers: Path | None) -> None:
    """Check that opened records are those that were committed to. Exit 1 if one is not.

    \b
    Example: clew seal verify reveal.jsonl --pack my-pack --answers answers.db
    """
    if pack is None and root is None:
        raise UsageError("neither --pack nor --root is given; a root from elsewhere than the reveal itself is needed")
    if answers is not None and pack is None:
        raise UsageError(f"--answers {quoted(str(answers))} needs --pack, which says whose sessions count")
    if root is not None and not ROOT.fullmatch(root):
        raise UsageError(f"--root {quoted(root)} is not a root; 64 hex digits are")
    head, opened = read_reveal(_lines(file))
    faults = [*_faults(head, opened, pack, root), *_session_faults(pack, answers)]
    for fault in faults[:SHOWN]:
        click.echo(f"{fault.subject}: {fault.what}")
    if faults:
        click.echo(f"{file}: {counted(len(faults), 'fault')}", err=True)
        ctx.exit(1)
    click.echo(f"{file}: {len(opened)} of {counted(head.puzzles, 'puzzle')} lead to root {head.commit_root}")


def _lines(file: Path) -> list[str]:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        name = quoted(str(file))
        raise UsageError(f"reveal {name} cannot be read: {type(error).__name__}; a text file is needed") from error
    return [line for line in text.splitlines() if line.strip()]


def _faults(head: Head, opened: Sequence[Opened], pack: str | None, root: str | None) -> Iterator[Fault]:
    """Yield what does not hold against the root given and against the pack."""
    commitments = None
    roots = [root] if root else []
    if pack is not None:
        with Pack.open(pack_path(pack)) as played:
            commitments = {entry.id: entry.commit_sha for entry in played.puzzles()}
            roots.append(played.meta.get("commit_root", ""))
    for wanted in roots:
        if wanted != head.commit_root:
            yield Fault("head", f"the reveal names root {head.commit_root}, published was {wanted}")
            return
    if not opened:
        yield Fault("head", "no puzzle is opened")
    for one in opened:
        yield from opening_faults(one, roots[0], commitments)


def _session_faults(pack: str | None, answers: Path | None) -> Iterator[Fault]:
    if pack is None or answers is None:
        return
    with Pack.open(pack_path(pack)) as played, Answers.open(answers, create=False, read_only=True) as given:
        puzzles = [entry.id for entry in played.puzzles()]
        yield from session_faults(given, played.sha, played.meta.get("commit_root", ""), puzzles)
