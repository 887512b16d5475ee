"""One JSON line with a constraint and a response in, one JSON line with the verdict out."""

from __future__ import annotations

import json

from engine.errors import UsageError, quoted
from engine.instruction_adherence.constraints.registry import constraint_of
from engine.instruction_adherence.text import Reading
from engine.json_lines import read_members

KEYS = ("constraint", "params", "response")


def verdict_line(text: str) -> str:
    """Return the verdict on one response as JSON: `passed`, `seen`, `spans`.

    Raises:
        UsageError: the text is not JSON, not an object with these keys, or no constraint fits it.
    """
    try:
        members = read_members(text, where="check", required=KEYS)
        constraint = constraint_of(members["constraint"], members["params"])
    except RecursionError as error:
        raise UsageError(f"check {quoted(text[:40])} is nested too deeply; a check has three levels") from error
    response = members["response"]
    if not isinstance(response, str):
        raise UsageError(f"check: response {quoted(response)} must be a text")
    verdict = constraint.check(Reading(response))
    return json.dumps({"passed": verdict.passed, "seen": verdict.seen, "spans": verdict.spans})
