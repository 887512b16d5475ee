"""All constraint types, and the way from a stored constraint to a checked value."""

from __future__ import annotations

from collections.abc import Mapping

from engine.canonical import Json
from engine.errors import UsageError, quoted
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints import language, length, lexical, meta, positional, structure

ALL: tuple[type[Constraint], ...] = (
    *length.TYPES,
    *lexical.TYPES,
    *structure.TYPES,
    *language.TYPES,
    *positional.TYPES,
    *meta.TYPES,
)
"""The 46 types in the order of the specification's table."""
TYPES: Mapping[str, type[Constraint]] = {kind.id: kind for kind in ALL}
"""The types by id."""
TRAINABLE = tuple(kind for kind in ALL if not kind.eval_only)


def constraint_of(name: Json, params: Json) -> Constraint:
    """Return the constraint that an id and stored parameters describe.

    Raises:
        UsageError: the id is unknown or the parameters do not fit it.
    """
    if not isinstance(name, str) or name not in TYPES:
        raise UsageError(f"constraint {quoted(name)} is unknown; legal: {', '.join(TYPES)}")
    if not isinstance(params, Mapping):
        raise UsageError(f"{name}: params {quoted(params)} must be an object of names and values")
    return TYPES[name].of(params)
