"""`clew models`: which solvers can be used here, what is missing for the others."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from engine.errors import one_line
from engine.models.catalogue import Offer, offers


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON line a solver in place of the table.")
def models(as_json: bool) -> None:
    """List the solvers that `clew solve --model` takes; nothing is asked over a network.

    \b
    Example: clew models
    """
    for offer in offers():
        click.echo(json.dumps(asdict(offer)) if as_json else offer_line(offer))


def offer_line(offer: Offer) -> str:
    """Return one solver as a line of the table."""
    return f"{one_line(offer.name):<28} {'ready' if offer.available else 'missing':<8} {one_line(offer.note)}"
