"""Canonical JSON and digests: the one way in which clew turns a value into bytes.

UTF-8, keys sorted, no spaces, no floats, no NaN; reading refuses duplicate keys.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.errors import UsageError

Json: TypeAlias = "None | bool | int | str | Sequence[Json] | Mapping[str, Json]"


def canonical_text(value: Json) -> str:
    """Return the canonical JSON text of `value`.

    Raises:
        TypeError: a float or another type that canonical JSON does not hold.
    """
    _refuse_floats(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def digest(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of `value` as 64 hex digits."""
    return text_digest(canonical_text(value))


def text_digest(text: str) -> str:
    """Return the SHA-256 of the UTF-8 bytes of `text` as 64 hex digits; nothing is normalised."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def read_json(text: str, *, where: str) -> Json:
    """Parse `text`, refusing duplicate keys, floats and NaN; `where` names the source in errors."""

    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        result = dict(items)
        if len(result) != len(items):
            raise UsageError(f"{where}: a key occurs twice among {sorted(key for key, _ in items)!r}; each key once")
        return result

    def refuse(literal: str) -> Json:
        raise UsageError(f"{where}: {literal!r} is not allowed in canonical JSON; integers or fraction text are")

    try:
        value: Json = json.loads(text, object_pairs_hook=pairs, parse_float=refuse, parse_constant=refuse)
    except (json.JSONDecodeError, RecursionError) as error:
        raise UsageError(f"{where}: not JSON: {error}") from error
    return value


def _refuse_floats(value: Json) -> None:
    if isinstance(value, float):
        raise TypeError(f"canonical JSON holds no floats: {value!r}")
    if isinstance(value, Mapping):
        for item in value.values():
            _refuse_floats(item)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            _refuse_floats(item)
