"""The keys of a response that is to be one JSON object (reading 24)."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_JSON_START = re.compile(r"""[{\["0-9\-\ufeff]|null|true|false|NaN|Infinity""")
"""What the parser of the standard library takes for the start of a value, and a byte order mark, which it names."""


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object in order, repeated keys included."""


def top_keys(document: str) -> list[str] | str:
    """Return the keys of the one JSON object that a text is, in order; else what is wrong with it."""

    def refuse(literal: str) -> NoReturn:
        raise ValueError(f"{literal} is no number")

    document = document.strip(" \t\n\r")
    if document and not _JSON_START.match(document):
        return "not JSON: Expecting value: line 1 column 1 (char 0)"  # as the parser has it, which is slow to set up
    try:
        value = json.loads(document, object_pairs_hook=_Pairs, parse_constant=refuse, parse_int=str, parse_float=str)
    except RecursionError:
        return "not JSON that can be read: nested too deeply"
    except ValueError as error:
        return f"not JSON: {error}"
    return [key for key, _ in value] if isinstance(value, _Pairs) else "JSON, but no object"
