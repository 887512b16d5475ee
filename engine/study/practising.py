"""Feedback for the practice block, prepared where the sealed half is, so that no participant machine needs one.

Practice items are never items of the study, and their gold is public. PRIVATE: only `freeze` calls this.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine import practice
from engine.canonical import canonical_text
from engine.hidden_systems.presenting import FAMILY_NAME, present
from engine.hidden_systems.revealing import reveal
from engine.hidden_systems.unsealing import unseal
from engine.instruction_adherence.packing import sealed_turns
from engine.public import Reveal
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from engine.study.aside import Told
from engine.study.rehearsal import Prepared


def prepare(pack: Pack, shown: tuple[Told, ...], practice_of: Mapping[str, str]) -> tuple[Prepared, ...]:
    """Return the feedback of practice items, each under the id that it has in the study.

    Args:
        pack: where the items come from; its sealed half is opened.
        practice_of: id in that pack by id in the study.

    Raises:
        StoreError: the sealed half is missing.
    """
    if not shown:
        return ()
    with Sealed.open(practice.sealed_half(pack)) as sealed:
        return tuple(
            Prepared(puzzle_id=one.puzzle.id, reveal=_reveal(one, sealed, practice_of[one.puzzle.id]))
            if one.puzzle.family == FAMILY_NAME
            else Prepared(puzzle_id=one.puzzle.id, turns=_turns(sealed, practice_of[one.puzzle.id]))
            for one in shown
        )


def _reveal(one: Told, sealed: Sealed, source: str) -> Reveal:
    """Return the feedback for whoever answered right; the desk sets the verdict."""
    skeleton = unseal(one.puzzle.payload, sealed.record(source))
    legend = present(skeleton.payload, one.rendering, skeleton.payload.answer_options).legend
    return reveal(skeleton, legend, skeleton.gold_answer)


def _turns(sealed: Sealed, source: str) -> tuple[str, ...]:
    return tuple(
        canonical_text(
            {"keywords": list(turn.keywords), "checks": [check.stored() for check in turn.checks], "conflict": None}
        )
        for turn in sealed_turns(sealed.task(source))
    )
