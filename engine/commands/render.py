"""`clew render`: add renderings to a pack by building a new file and putting it in the old one's place."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

import click

from engine.commands.model_options import Bar, limits_of, model_options, parameters_of
from engine.commands.progress import progress
from engine.errors import ProviderError, UsageError, counted, one_line
from engine.hidden_systems.behavior import read_payload
from engine.hidden_systems.packing import rendering_row
from engine.hidden_systems.presenting import FAMILY_NAME
from engine.hidden_systems.surface.domain import load_domain
from engine.hidden_systems.surface.llm import MOST_TRIES
from engine.model_renderings import Order, render_with
from engine.models.solver import OutputMode
from engine.store.pack import Pack, PackPuzzle, PackRendering, write_pack
from engine.store.places import pack_path

TEMPLATE = "template"
MOST_REASONS = 5
"""How many reasons for asking again are told, the commonest first."""


@click.command()
@click.argument("pack", metavar="DIR_OR_FILE")
@click.option("--renderer", default=TEMPLATE, show_default=True, help="`template`, openai:NAME or llm:ID.")
@click.option("--domain", help="Surface domain of the template; without it, the one drawn for each puzzle.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many puzzles that a model has not told.")
@click.option(
    "--pieces", type=click.IntRange(1), metavar="N",
    help="Ask for one thing at a time by example, for at most N blocks of each text: for small models.",
)  # fmt: skip
@click.option(
    "--tries", type=click.IntRange(1, MOST_TRIES), default=MOST_TRIES, show_default=True,
    help="How often a model is asked for the same thing.",
)  # fmt: skip
@model_options
@click.option(
    "--output", "mode", type=click.Choice(("text", "schema")), default="text", show_default=True,
    help="How a model is asked for JSON.",
)  # fmt: skip
def render(
    pack: str,
    renderer: str,
    domain: str | None,
    limit: int | None,
    pieces: int | None,
    tries: int,
    base_url: str | None,
    api_key_var: str | None,
    concurrency: int | None,
    timeout: float,
    item_deadline: float,
    max_tokens: int | None,
    temperature: str | None,
    seed: int | None,
    params: tuple[str, ...],
    mode: OutputMode,
) -> None:
    """Tell every puzzle of a pack anew: by the template in a surface domain, or by a language model in its own words.

    A model sees the public payload only, and its text is read back: what does not say exactly what was observed is
    asked for again, and told by the template in the end. Text and checks are stored with the puzzle.

    \b
    Example: clew render my-pack --renderer template --domain kiln
    """
    path = pack_path(pack)
    _require_systems(path)
    if renderer == TEMPLATE:
        if domain is not None:
            load_domain(domain)
        click.echo(f"{path}: {counted(add_renderings(path, domain), 'rendering')} added")
        return
    if domain is not None:
        raise UsageError(f"--domain is {domain!r}; a model chooses its own words, so it goes with the template only")
    if pieces is not None and mode != "text":
        raise UsageError(f"--output is {mode!r}; pieces are asked for as text")
    from engine.models.catalogue import open_solver

    solver = open_solver(renderer, base_url=base_url, key_variable=api_key_var, beside=(TEMPLATE,))
    order = Order(
        solver=solver,
        parameters=parameters_of(temperature, max_tokens, seed, params),
        mode=mode,
        limits=limits_of(solver, concurrency, timeout, item_deadline),
        limit=limit,
        pieces=pieces,
        tries=tries,
    )
    _render_with(path, order)


def _require_systems(path: Path) -> None:
    """Refuse a pack without anything to tell.

    Raises:
        UsageError: it holds writing tasks alone.
    """
    with Pack.open(path) as pack:
        if all(entry.family != FAMILY_NAME for entry in pack.puzzles()):
            raise UsageError(f"{path} has no puzzle of {FAMILY_NAME}; a writing task is told by its brief alone")


def _render_with(path: Path, order: Order) -> None:
    """Let a model render, and say what came of it."""
    with ExitStack() as shown:

        def begin(items: int) -> Callable[[], None]:
            return shown.enter_context(Bar(order.renderer, items)).finished

        result = render_with(path, order, begin, lambda line: click.echo(one_line(line), err=True))
    if result.again:
        click.echo(f"{counted(result.again, 'request')} of a run that was killed had no answer yet", err=True)
    own = f" ({result.in_part} in part)" if result.in_part else ""
    told = f"{counted(result.told, 'puzzle')} told by {order.renderer}{own}, {result.fell_back} by the template in its"
    told += f" place; {counted(result.blocks, 'block')} its own"
    requests = ", ".join(f"{count} {kind}" for kind, count in sorted(result.requests.items()))
    click.echo(f"{path}: {told}; {result.there} told before; requests: {requests or 'none'}")
    for why, count in result.reasons.most_common(MOST_REASONS):
        click.echo(f"  {count} x {one_line(why)}")
    if result.left:
        why = result.fatal or "the endpoint gave no answer in time"
        raise ProviderError(f"{counted(len(result.left), 'puzzle')} left: {why}", "run the command again to go on")


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
