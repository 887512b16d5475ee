"""One line of JSON Lines as an object whose keys are known: how every machine command reads its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.canonical import Json, read_json
from engine.errors import UsageError, quoted


def read_members(
    text: str,
    *,
    where: str,
    required: Sequence[str],
    optional: Sequence[str] = (),
    read_decimal: Callable[[str], Json] | None = None,
) -> Mapping[str, Json]:
    """Return the members of the one object in `text`; `where` says what it is in errors.

    Raises:
        UsageError: the text is not JSON or no object, a key is unknown or one is missing.
    """
    document = read_json(text, where=where, read_decimal=read_decimal)
    legal = [*required, *optional]
    if not isinstance(document, Mapping):
        raise UsageError(f"{where} {quoted(document)} must be an object with keys {legal}")
    for key in document:
        if key not in legal:
            raise UsageError(f"{where}: unknown key {quoted(key)}; legal: {legal}")
    for key in required:
        if key not in document:
            raise UsageError(f"{where}: key {key!r} is missing; needed: {list(required)}")
    return document
