"""The small language that narrows the evidence table; pure functions of a text and the puzzle's words.

    filter     every test in it must hold; an empty filter keeps all rows
    seal       the row has the event; a name may be shortened as long as it stays unique
    !seal      the row has it not
    load<=3    an attribute compared with <= < = != > >=; categories take = and != only
    n>=2       the number of events in the row
    "a b" or a-b   names that hold spaces

A text that cannot be read gives a `Flaw` with its place, never a filter that means something else.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.hidden_systems.behavior import EvidenceRow, PublicPayload
from engine.public import Legend

COUNT = "n"
"""The reserved name of the number of events."""
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
_NAME = r'"(?P<{0}_quoted>[^"]*)"|(?P<{0}_bare>[^\s"<>=!]+)'
_TEST = re.compile(
    rf"(?P<not>!?)(?:{_NAME.format('name')})(?:(?P<comparison><=|>=|!=|<|>|=)(?:{_NAME.format('value')})?)?(?=\s|$)"
)
_Keeps = Callable[[EvidenceRow], bool]


@dataclass(frozen=True, kw_only=True)
class Flaw:
    """Why a filter text cannot be read."""

    position: int
    """0-based place in the text."""
    reason: str


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Tests of which every one must hold."""

    text: str
    tests: tuple[_Keeps, ...]

    def keeps(self, row: EvidenceRow) -> bool:
        return all(test(row) for test in self.tests)


NO_FILTER = Filter(text="", tests=())


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """What can be named in a filter: folded name to code."""

    events: Mapping[str, str]
    attributes: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    """Attribute code to folded value name to value code; empty for a numeric attribute."""


def vocabulary(legend: Legend, payload: PublicPayload) -> Vocabulary:
    """Collect the names of the codes that occur in this puzzle."""
    named = {item.code: item for item in legend.attributes}
    events = {item.code: item.name for item in legend.events}
    attributes = [item.name for item in payload.attribute_vocabulary]
    return Vocabulary(
        events={_folded(events.get(code, code)): code for code in payload.event_vocabulary},
        attributes={_folded(named[code].name if code in named else code): code for code in attributes},
        values={code: {_folded(v.name): v.code for v in named[code].values} for code in attributes if code in named},
    )


def read_filter(text: str, words: Vocabulary) -> Filter | Flaw:
    """Read a filter."""
    tests: list[_Keeps] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _TEST.match(text, position)
        if match is None:
            return Flaw(
                position=position, reason='write an event, !event, or a comparison such as n>=2; quote "two words"'
            )
        test = _read_test(match, words)
        if isinstance(test, Flaw):
            return test
        tests.append(test)
        position = match.end()
    return Filter(text=text, tests=tuple(tests))


def _read_test(match: re.Match[str], words: Vocabulary) -> _Keeps | Flaw:
    if match["comparison"] is None:
        return _event_test(match, words)
    if match["not"]:
        return Flaw(position=match.start("not"), reason="! goes before an event only; compare with != instead")
    if match["value_quoted"] is None and match["value_bare"] is None:
        return Flaw(position=match.end("comparison"), reason="something to compare with is missing here")
    if match["name_bare"] == COUNT:
        return _number_test(match, lambda row: len(row.events))
    return _attribute_test(match, words)


def _event_test(match: re.Match[str], words: Vocabulary) -> _Keeps | Flaw:
    code = _look_up(match, "name", words.events, "event")
    if isinstance(code, Flaw):
        return code
    wanted = not match["not"]
    return lambda row: (code in row.events) == wanted


def _attribute_test(match: re.Match[str], words: Vocabulary) -> _Keeps | Flaw:
    code = _look_up(match, "name", words.attributes, "attribute")
    if isinstance(code, Flaw):
        return code
    values = words.values.get(code)
    if not values:
        return _number_test(match, lambda row: _number_of(row, code))
    if match["comparison"] not in ("=", "!="):
        return Flaw(position=match.start("comparison"), reason="this attribute has categories; only = and != apply")
    value = _look_up(match, "value", values, "value")
    if isinstance(value, Flaw):
        return value
    wanted = match["comparison"] == "="
    return lambda row: any(item.name == code and str(item.value) == value for item in row.attributes) == wanted


def _number_test(match: re.Match[str], number: Callable[[EvidenceRow], int]) -> _Keeps | Flaw:
    written = match["value_bare"] or match["value_quoted"] or ""
    if not re.fullmatch(r"-?[0-9]{1,9}", written):
        return Flaw(position=match.end("comparison"), reason="a whole number belongs here")
    limit, compare = int(written), _COMPARISONS[match["comparison"]]
    return lambda row: compare(number(row), limit)


def _number_of(row: EvidenceRow, code: str) -> int:
    """Return the row's value of a numeric attribute; a value that is no number counts as 0."""
    return next((item.value for item in row.attributes if item.name == code and isinstance(item.value, int)), 0)


def _look_up(match: re.Match[str], part: str, names: Mapping[str, str], kind: str) -> str | Flaw:
    group = f"{part}_bare" if match[f"{part}_quoted"] is None else f"{part}_quoted"
    wanted = _folded(match[group])
    if wanted in names:
        return names[wanted]
    found = [name for name in names if wanted and name.startswith(wanted)]
    if len(found) == 1:
        return names[found[0]]
    reason = f"could be {' or '.join(found)}" if found else f"no such {kind}; there are {', '.join(names) or 'none'}"
    return Flaw(position=match.start(group), reason=reason)


def _folded(name: str) -> str:
    return " ".join(re.sub(r"[-_\s]+", " ", name).casefold().split())
