"""What one field of a stored row may hold, in words and as a check; Python's checks come before SQLite's."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.errors import UsageError
from engine.store.rows import Row, column_names

MAX_ID = 200
MAX_TEXT = 1_000_000
"""Longest free text, in code points."""
MAX_INTEGER = 2**63 - 1


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What a field may hold."""

    holds: Callable[[object], bool]
    right: str


def text(longest: int, shortest: int = 0) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and shortest <= len(value) <= longest


def number(low: int, high: int = MAX_INTEGER) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def among(*values: str) -> Rule:
    return Rule(holds=lambda value: value in values and isinstance(value, str), right=f"one of {values}")


def or_none(rule: Rule) -> Rule:
    return Rule(holds=lambda value: value is None or rule.holds(value), right=f"{rule.right}, or None")


def _is_time(value: object) -> bool:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", value, re.ASCII):
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_ID and value.isprintable()


ID = Rule(holds=lambda value: _is_name(value) and value != "", right=f"1 to {MAX_ID} printable characters")
NAME = Rule(holds=_is_name, right=f"at most {MAX_ID} printable characters")
FREE = Rule(holds=text(MAX_TEXT), right=f"text of at most {MAX_TEXT} characters")
SHA = Rule(
    holds=lambda value: isinstance(value, str) and bool(re.fullmatch("[0-9a-f]{64}", value)), right="64 hex digits"
)
TIME = Rule(holds=_is_time, right="UTC as YYYY-MM-DDTHH:MM:SS.mmmZ")
COUNT = Rule(holds=number(0), right="a whole number from 0")
NTH = Rule(holds=number(1), right="a whole number from 1")


def check_fields(row: Row, rules: Mapping[str, Rule], table: str) -> None:
    """Check every field of a row; `rules` may hold more.

    Raises:
        UsageError: names the table, the field, its value and what would be right.
    """
    for name in column_names(type(row)):
        value, rule = getattr(row, name), rules[name]
        if not rule.holds(value):
            shown = repr(value) if len(repr(value)) <= 80 else f"{repr(value)[:80]}..."
            raise UsageError(f"{table}.{name} is {shown}; {rule.right} is right")
