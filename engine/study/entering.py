"""The consent: the first thing that is stored of anybody, in one transaction with all that the study knows of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.canonical import Json, canonical_text, digest, text_digest
from engine.store.answer_rows import EventRow
from engine.store.clock import Clock
from engine.store.collected import AssignmentRow, SolverRow, StudyRow, enrol
from engine.study import marks
from engine.study.bundle import Bundle, Place
from engine.study.manifest import manifest_text
from engine.study.ordering import Slot
from engine.study.progress import CONSENT
from engine.study.showing import Shower
from engine.study.sittings import Sittings


def enter(
    path: Path, bundle: Bundle, place: Place, slots: Sequence[Slot], shower: Shower, sittings: Sittings, clock: Clock
) -> None:
    """Store person, study, items, session and the consent, all of it or nothing.

    Raises:
        ConflictError: the code is in the file already, or its person withdrew.
        StoreError: not saved.
    """
    consent = bundle.manifest.consent
    told: dict[str, Json] = {
        "version": consent.version,
        "text_sha": text_digest(consent.text),
        "position": place.position,
    }
    events = (
        sittings.event(marks.CONSENT, canonical_text(told)),
        sittings.event(marks.LIST, marks.list_data(slots)),
        sittings.event(marks.PASSED, CONSENT),
    )
    enrol(
        path,
        SolverRow(id=place.id, kind="human", alias=place.code, consent_at=clock()),
        StudyRow(id=bundle.sha, config=manifest_text(bundle.manifest), config_sha=bundle.sha),
        [_assignment(bundle, place, slot, nth, shower) for nth, slot in enumerate(slots)],
        sittings.collect,
        [_numbered(event, nth) for nth, event in enumerate(events)],
        clock=clock,
    )


def _assignment(bundle: Bundle, place: Place, slot: Slot, position: int, shower: Shower) -> AssignmentRow:
    return AssignmentRow(
        id=assignment_id(bundle.sha, place.id, slot.puzzle_id), study=bundle.sha, solver=place.id,
        puzzle_id=slot.puzzle_id, rendering_id=shower.rendering_id(slot.puzzle_id), position=position,
    )  # fmt: skip


def assignment_id(study: str, solver: str, puzzle_id: str) -> str:
    """Return the id of an assignment: the same on every machine."""
    return digest([study, solver, puzzle_id])[:32]


def _numbered(event: EventRow, nth: int) -> EventRow:
    return replace(event, n=nth)
