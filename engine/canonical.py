"""Canonical JSON and digests: the one way in which clew turns a value into bytes.

UTF-8, keys sorted, no spaces, no floats, no NaN; reading refuses duplicate keys.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from engine.errors import UsageError, quoted

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"


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


def read_json(text: str, *, where: str, read_decimal: Callable[[str], Json] | None = None) -> Json:
    """Parse `text`, refusing duplicate keys and NaN; `where` names the source in errors.

    Args:
        read_decimal: turns a number with a point or an exponent into a value; without it such numbers are refused.
    """

    def pairs(items: list[tuple[str, Json]]) -> dict[str, Json]:
        result: dict[str, Json] = {}
        for key, value in items:
            if key in result:
                raise UsageError(f"{where}: key {quoted(key)} occurs twice in one object; each key once")
            result[key] = value
        return result

    def refuse(literal: str) -> Json:
        raise UsageError(f"{where}: {quoted(literal)} is not allowed in canonical JSON; integers or fraction text are")

    def refuse_constant(literal: str) -> Json:
        raise UsageError(f"{where}: {literal} is not a JSON number; finite numbers are")

    try:
        value: Json = json.loads(
            text, object_pairs_hook=pairs, parse_float=read_decimal or refuse, parse_constant=refuse_constant
        )
    except json.JSONDecodeError as error:
        near = quoted(text[error.pos : error.pos + 40])
        raise UsageError(f"{where}: not JSON: {error.msg} at character {error.pos + 1}, before {near}") from error
    except RecursionError as error:
        raise UsageError(f"{where}: not JSON that can be read: nested too deeply, from {quoted(text[:40])}") from error
    except ValueError as error:  # Python refuses whole numbers of several thousand digits.
        raise UsageError(f"{where}: a whole number has too many digits; some thousand are the most") from error
    return value


def _refuse_floats(value: Json) -> None:
    """Refuse floats anywhere; every puzzle comes by here, so the plain types are told apart first and cheaply."""
    if isinstance(value, float):
        raise TypeError(f"canonical JSON holds no floats: {value!r}")
    items: Iterable[Json] = ()
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list | tuple):
        items = value
    for item in items:
        if type(item) not in _LEAVES:
            _refuse_floats(item)


_LEAVES = frozenset((str, int, bool, type(None)))
