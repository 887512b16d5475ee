"""`clew render`: add renderings to a pack by building a new file and putting it in the old one's place."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from engine.commands.progress import progress
from engine.errors import UsageError
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.packing import rendering_row
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.surface.domain import load_domain
from engine.store.pack import Pack, PackPuzzle, PackRendering, write_pack
from engine.store.places import pack_path


@click.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--renderer", default="template", show_default=True, help="Only `template` so far.")
@click.option("--domain", help="Surface domain; without it, the one drawn for each puzzle.")
def render(pack: str, renderer: str, domain: str | None) -> None:
    """Tell every puzzle of a pack in a surface domain.

    \b
    Example: clew render my-pack --renderer template --domain kiln
    """
    if renderer != "template":
        raise UsageError(f"renderer {renderer!r} is not known; known: template")
    if domain is not None:
        load_domain(domain)
    path = pack_path(pack)
    added = add_renderings(path, domain)
    click.echo(f"{path}: {added} renderings added")


def add_renderings(path: Path, domain: str | None) -> int:
    """Add the template renderings that are not there yet; return how many were added."""
    puzzles: list[PackPuzzle] = []
    renderings: dict[str, PackRendering] = {}
    added = 0
    with Pack.open(path) as pack:
        meta = pack.meta
        entries = pack.puzzles()
        with progress(entries, len(entries), "rendering") as listed:
            for entry in listed:
                text = pack.payload(entry.id)
                puzzles.append(PackPuzzle(**asdict(entry), payload=text))
                renderings |= {told.id: told for told in pack.renderings(entry.id)}
                if entry.family != FAMILY_NAME:
                    continue
                new = rendering_row(entry.id, read_payload(text, where=f"puzzle {entry.id!r}"), domain)
                added += new.id not in renderings
                renderings.setdefault(new.id, new)
    if added:
        write_pack(path, meta=meta, puzzles=puzzles, renderings=renderings.values(), replace=True)
    return added
