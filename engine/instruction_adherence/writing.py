"""What a solver may see of a writing task: the texts of the user's turns, and nothing of what is checked.

JSON has exactly two keys, `mode` and `turns`. Like all public types these are frozen and closed; this module must never
import constraints, witnesses, rewards or the sealed store. Specification, "Multi-turn scripts".
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from engine.canonical import Json, canonical_text, read_json
from engine.errors import UsageError
from engine.hidden_systems.behavior import Public

FAMILY = "instruction-adherence"
WritingMode = Literal["single", "multi"]
MODES: tuple[WritingMode, ...] = get_args(WritingMode)
FEWEST_TURNS, MOST_TURNS = 4, 12
"""Turns of a multi-turn task."""


class WritingPayload(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that a solver learns about a writing task; a later turn is shown only when it is reached."""

    mode: WritingMode
    turns: tuple[str, ...]
    """What the user says, in order; one text if the mode is single."""


def writing_document(payload: WritingPayload) -> dict[str, Json]:
    """Return the payload as plain JSON values."""
    return {"mode": payload.mode, "turns": list(payload.turns)}


def writing_text(payload: WritingPayload) -> str:
    """Return the payload's canonical JSON."""
    return canonical_text(writing_document(payload))


def read_writing(text: str, *, where: str = "payload") -> WritingPayload:
    """Read a payload from JSON.

    Raises:
        UsageError: a key or type off the list, a wrong number of turns or an empty turn; names `where` and the place.
    """
    try:
        payload = msgspec.convert(read_json(text, where=where), WritingPayload, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {error}") from error
    if reasons := writing_reasons(payload):
        raise UsageError(f"{where}: {reasons[0]}")
    return payload


def writing_reasons(payload: WritingPayload) -> tuple[str, ...]:
    """Return what is wrong with a payload of the right types. Empty when nothing is."""
    reasons: list[str] = []
    fewest, most = (1, 1) if payload.mode == "single" else (FEWEST_TURNS, MOST_TURNS)
    if not fewest <= len(payload.turns) <= most:
        asked = "exactly one" if payload.mode == "single" else f"{fewest} to {most}"
        reasons.append(f"{len(payload.turns)} turns in mode {payload.mode!r}; {asked}")
    empty = [nth for nth, turn in enumerate(payload.turns, start=1) if not turn.strip()]
    reasons += [f"turn {nth} is empty; every turn has a text" for nth in empty]
    return tuple(reasons)
