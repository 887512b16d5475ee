"""How a stored puzzle is put before a solver: public payload and rendering in, `Presented` out.

Nothing private is reachable from here: this module must never import the program layer or the sealed store.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.canonical import text_digest
from engine.errors import FidelityError, RenderingError
from engine.hidden_systems.behavior import Label, PublicPayload
from engine.hidden_systems.surface.domain import legend_for, load_domain, pick_domain
from engine.hidden_systems.surface.template import BORDER, RENDERER
from engine.public import Presented
from engine.store.pack import PackRendering

FAMILY_NAME = "hidden-systems"


def choose(renderings: Sequence[PackRendering], payload: PublicPayload) -> PackRendering:
    """Return the rendering that is shown when none is asked for: the template's in the domain drawn for the payload.

    Raises:
        RenderingError: the puzzle has no rendering at all.
    """
    if not renderings:
        raise RenderingError("a puzzle of this pack has no rendering; render the pack")
    domain = pick_domain(payload)
    return min(renderings, key=lambda told: (told.renderer != RENDERER, told.domain != domain, told.id))


def present(payload: PublicPayload, rendering: PackRendering, labels: tuple[Label, Label]) -> Presented:
    """Return a puzzle as people and models meet it.

    Raises:
        FidelityError: the stored text is not the one whose digest is stored beside it.
    """
    sha = text_digest(rendering.body)
    if sha != rendering.body_sha:
        raise FidelityError(f"rendering {rendering.id!r}: the text does not match its digest; verify the pack")
    return Presented(
        puzzle_id=rendering.puzzle_id,
        family=FAMILY_NAME,
        rendering_id=rendering.id,
        renderer=rendering.renderer,
        text=rendering.body,
        text_sha=sha,
        payload=payload,
        legend=legend_for(payload, load_domain(rendering.domain)),
        labels=labels,
        blocks=tuple(rendering.body.split(BORDER)),
    )
