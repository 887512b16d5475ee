"""Puts the two halves of a stored puzzle together again.

PRIVATE: only the desk (after the commit), scoring, exports of records and audits call this.
"""

from __future__ import annotations

import json

from engine.canonical import read_json
from engine.errors import StoreError
from engine.hidden_systems.behavior import payload_text, read_payload
from engine.hidden_systems.program.grammar import read_probability, read_system
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, TraceStep
from engine.store.sealed import SealedPuzzle


def unseal(payload_json: str, sealed: SealedPuzzle) -> BehaviorSkeleton:
    """Return the answer-bearing skeleton of a puzzle from its public payload and its sealed record.

    Raises:
        UsageError, ProgramError: one of the halves is not what this version writes.
        StoreError: the payload is not in canonical form.
    """
    where = f"puzzle {sealed.puzzle_id!r}"
    payload = read_payload(payload_json, where=where)
    if payload_text(payload) != payload_json:
        raise StoreError(f"{where}: the stored payload is not canonical JSON; verify the pack")
    return BehaviorSkeleton(
        payload=payload,
        hidden_system=read_system(read_json(sealed.program, where=where)),
        gold_answer=sealed.gold,
        gold_present_probability=read_probability(sealed.present_probability, where),
        latent_trace=tuple(
            TraceStep(
                event=step["event"],
                rule=step["rule"],
                reached=read_probability(step["reached"], where),
                triggered=read_probability(step["triggered"], where),
            )
            for step in json.loads(sealed.latent_trace)
        ),
    )
