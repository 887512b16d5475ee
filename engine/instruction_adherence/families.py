"""The six families of constraints, as the first half of a constraint's id names them.

Apart from the checkers, so that whoever only lists what is asked for loads none of them.
"""

from __future__ import annotations

from typing import Literal

Family = Literal["length", "lexical", "structure", "language", "positional", "meta"]
FAMILIES: dict[str, Family] = {
    "length": "length", "lex": "lexical", "struct": "structure", "lang": "language", "pos": "positional",
    "meta": "meta",
}  # fmt: skip
"""What the first half of an id stands for."""


def family_of(constraint_id: str) -> Family:
    """Return the family of a constraint by its id, such as `lexical` for `lex.lipogram`."""
    return FAMILIES[constraint_id.partition(".")[0]]
