"""How a stored puzzle is put before a solver: public payload and rendering in, `Presented` out.

Nothing private is reachable from here: this module must never import the program layer or the sealed store.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.canonical import text_digest
from engine.errors import FidelityError, RenderingError
from engine.hidden_systems.behavior import Label, PublicPayload, read_payload
from engine.hidden_systems.surface.domain import legend_for, load_domain, pick_domain
from engine.hidden_systems.surface.template import BORDER, RENDERER
from engine.hidden_systems.surface.wording import META, read_wording
from engine.public import Legend, Presented
from engine.store.pack import Pack, PackRendering

FAMILY_NAME = "hidden-systems"
NO_META: Mapping[str, str] = MappingProxyType({})


def choose(renderings: Sequence[PackRendering], payload: PublicPayload) -> PackRendering:
    """Return the rendering that is shown when none is asked for: the template's in the domain drawn for the payload.

    Raises:
        RenderingError: the puzzle has no rendering at all.
    """
    if not renderings:
        raise RenderingError("a puzzle of this pack has no rendering; render the pack")
    domain = pick_domain(payload)

    def rank(told: PackRendering) -> tuple[bool, bool, bool, str]:
        # What the template told in a model's place stands behind the template's own.
        return told.renderer != RENDERER, told.domain != domain, told.audit_status != "", told.id

    return min(renderings, key=rank)


def legend_of(payload: PublicPayload, rendering: PackRendering, meta: Mapping[str, str]) -> Legend:
    """Return the words of a rendering: those of its domain, or its own, which stand in the pack's meta then.

    Raises:
        UsageError: the wording in the pack is not usable, or the domain is not known.
    """
    own = meta.get(f"{META}{rendering.id}")
    if own is None:
        return legend_for(payload, load_domain(rendering.domain))
    return read_wording(own, where=f"wording of rendering {rendering.id!r}").legend


def present_system(
    pack: Pack, puzzle_id: str, labels: tuple[Label, Label], rendering: PackRendering | None = None
) -> Presented:
    """Return a puzzle of a pack as people and models meet it.

    Args:
        rendering: the telling of it that is shown; None for the one that is shown when none is asked for.

    Raises:
        RenderingError, FidelityError: as `choose` and `present`.
    """
    payload = read_payload(pack.payload(puzzle_id), where=f"puzzle {puzzle_id!r}")
    return present(payload, rendering or choose(pack.renderings(puzzle_id), payload), labels, pack.meta)


def present(
    payload: PublicPayload, rendering: PackRendering, labels: tuple[Label, Label], meta: Mapping[str, str] = NO_META
) -> Presented:
    """Return a puzzle as people and models meet it.

    Args:
        meta: the pack's, for the words of renderings that have their own.

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
        legend=legend_of(payload, rendering, meta),
        labels=labels,
        blocks=tuple(rendering.body.split(BORDER)),
    )
