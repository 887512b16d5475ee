"""One JSON line with a set of constraints in, one with the answer out: can it be satisfied, and by which text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.canonical import Json, digest
from engine.errors import UsageError, quoted
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import constraint_of
from engine.instruction_adherence.witness import Witness, witness
from engine.json_lines import read_members


class Answer(NamedTuple):
    """A line, and whether the question is settled either way."""

    line: str
    settled: bool


def answer_line(text: str) -> Answer:
    """Return `satisfiable` (null if unresolved after all tries), `conflict` and `witness` of one set as JSON.

    Raises:
        UsageError: the text is not JSON, not an object with the key `constraints`, or one of them is not legal.
    """
    try:
        stored = read_members(text, where="compat", required=("constraints",))["constraints"]
        constraints = tuple(_read(stored))
    except RecursionError as error:
        raise UsageError(f"compat {quoted(text[:40])} is nested too deeply; a set has four levels") from error
    found = witness(constraints, key=(digest([constraint.stored() for constraint in constraints]),))
    if isinstance(found, Witness):
        return _answer(True, None, found.text)
    if found.reason in ("tag", "parameter"):
        return _answer(False, found.text, None)
    return _answer(None, None, None)


def _answer(satisfiable: bool | None, conflict: str | None, text: str | None) -> Answer:
    line = json.dumps({"satisfiable": satisfiable, "conflict": conflict, "witness": text})
    return Answer(line, satisfiable is not None)


def _read(stored: Json) -> list[Constraint]:
    if not isinstance(stored, Sequence) or isinstance(stored, str):
        raise UsageError(f"compat: constraints {quoted(stored)} must be a list")
    found: list[Constraint] = []
    for nth, entry in enumerate(stored, start=1):
        if not isinstance(entry, Mapping) or set(entry) != {"constraint", "params"}:
            raise UsageError(
                f"compat: constraint {nth} {quoted(entry)} must be an object with 'constraint' and 'params'"
            )
        found.append(constraint_of(entry["constraint"], entry["params"]))
    return found
