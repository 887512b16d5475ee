"""Read a rendering back to its payload from the text and the legend alone, without a model and without the frames.

Order of understanding: a block is cut into tokens (names of the legend, longest match first; numbers; ends of
clauses; all other words are skipped), tokens are taken by typed slots, and the slots make a payload:

    setting    an attribute's name beside its value: the next number, or a neighbouring value name
    events     in order of mention
    counts     the trials, then each outcome word beside its count
    intro      number of cases, number of trials, what a run starts with, all events, all attribute values

A text that is structurally impossible raises; one that says something else gives another payload, and comparing it
with the record is the audit's part. This module must never import the program layer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, NoReturn

from engine.errors import FidelityError
from engine.hidden_systems.behavior import (
    QUERY_ID,
    AttributeRange,
    AttributeSetting,
    AttributeValue,
    BehaviorCase,
    ObservationProtocol,
    PublicPayload,
    payload_reasons,
)
from engine.hidden_systems.surface.lexicon import NUMBER, number, plain
from engine.hidden_systems.surface.template import case_id, split_blocks
from engine.public import AttributeName, Legend

Kind = Literal["event", "attribute", "value", "outcome", "number", "stop"]


class _Token(NamedTuple):
    kind: Kind
    code: str = ""
    """Of the event, attribute or outcome; for a value, of its attribute."""
    value: AttributeValue = 0
    """A number, or a value's code."""


_STOP = _Token("stop")


class _Intro(NamedTuple):
    events: tuple[str, ...]
    ranges: tuple[AttributeRange, ...]
    cases: int
    trials: int


def parse_back(text: str, legend: Legend) -> PublicPayload:
    """Return the payload that a text tells in the words of a legend.

    Raises:
        FidelityError: the text, or a block of it, tells no payload; names the block and what is wrong.
    """
    lexer = _Lexer(legend)
    blocks = split_blocks(text)
    if len(blocks) < 2 or any("\n" in block or not block.strip() for block in blocks):
        raise FidelityError(f"{len(blocks)} blocks: an introduction, cases and a question, a blank line apart")
    intro = _read_intro(lexer.tokens(blocks[0]), legend)
    told = len(blocks) - 2
    if intro.cases != told:
        _refuse("block 1 (introduction)", f"announces {intro.cases} cases, {told} are told")
    numbered = enumerate(blocks[1:-1], start=1)
    cases = tuple(_read_case(lexer.tokens(block), legend, intro.trials, nth) for nth, block in numbered)
    query = _read_question(lexer.tokens(blocks[-1]), legend, f"block {len(blocks)} (question)")
    payload = PublicPayload(
        complexity=len(set(query.events)),
        event_vocabulary=intro.events,
        attribute_vocabulary=intro.ranges,
        observation_protocol=ObservationProtocol(trials_per_case=intro.trials),
        support_cases=cases,
        query_case=query,
    )
    if reasons := payload_reasons(payload):
        raise FidelityError(f"the text contradicts itself: {reasons[0]}")
    return payload


class BlockReader:
    """Reads single blocks of a text in the words of a legend, as `parse_back` reads them in their places."""

    def __init__(self, legend: Legend, trials: int) -> None:
        """Read blocks of a text whose cases have so many trials."""
        self._legend = legend
        self._trials = trials
        self._lexer = _Lexer(legend)

    def case(self, block: str, nth: int) -> BehaviorCase:
        """Return the support case that a block tells in the nth place (1-based).

        Raises:
            FidelityError: it tells none.
        """
        return _read_case(self._lexer.tokens(block), self._legend, self._trials, nth)

    def question(self, block: str) -> BehaviorCase:
        """Return the query that a block tells.

        Raises:
            FidelityError: it tells none.
        """
        return _read_question(self._lexer.tokens(block), self._legend, "the question")

    def introduction(self, block: str) -> tuple[tuple[str, ...], tuple[AttributeRange, ...], int]:
        """Return the events and attribute ranges that a block introduces, and how many cases it announces.

        Raises:
            FidelityError: it does not introduce them, or another number of trials.
        """
        intro = _read_intro(self._lexer.tokens(block), self._legend)
        if intro.trials != self._trials:
            raise FidelityError(f"the introduction tells {intro.trials} trials; {self._trials} is right")
        return intro.events, intro.ranges, intro.cases

    def residue(self, block: str) -> str:
        """Return a block in plain form without the names of the legend and without numbers."""
        return self._lexer.residue(block)


class _Lexer:
    """Cuts a block into tokens."""

    def __init__(self, legend: Legend) -> None:
        self._named: dict[str, _Token] = {}
        for phrase, token in _phrases(legend):
            key = " ".join(plain(phrase).split())
            if not key or key in self._named:
                raise FidelityError(f"the legend gives the phrase {phrase!r} to two codes or is empty; one code each")
            self._named[key] = token
        longest_first = sorted(self._named, key=len, reverse=True)
        phrases = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in longest_first)
        self._pattern = re.compile(rf"(?<!\w)(?P<name>{phrases})(?!\w)|(?P<number>{NUMBER})|(?P<stop>[.;!?])")

    def tokens(self, block: str) -> list[_Token]:
        return [self._token(match) for match in self._pattern.finditer(plain(block))]

    def residue(self, block: str) -> str:
        return self._pattern.sub(lambda match: match.group() if match.lastgroup == "stop" else " ", plain(block))

    def _token(self, match: re.Match[str]) -> _Token:
        if match.lastgroup == "name":
            return self._named[" ".join(match.group().split())]
        return _Token("number", value=number(match.group())) if match.lastgroup == "number" else _STOP


def _phrases(legend: Legend) -> Iterator[tuple[str, _Token]]:
    for event in legend.events:
        yield event.name, _Token("event", event.code)
    for attribute in legend.attributes:
        yield attribute.name, _Token("attribute", attribute.code)
        for value in attribute.values:
            yield value.name, _Token("value", attribute.code, value.code)
    for outcome in legend.outcomes:
        yield outcome.name, _Token("outcome", outcome.code)


def _read_intro(tokens: Sequence[_Token], legend: Legend) -> _Intro:
    where = "block 1 (introduction)"
    events = tuple(token.code for token in tokens if token.kind == "event")
    if Counter(events) != Counter(event.code for event in legend.events):
        _refuse(where, f"{len(events)} events told; each of the legend's {len(legend.events)} once")
    outcomes = [token.code for token in tokens if token.kind == "outcome"]
    if outcomes[:1] != ["ABSENT"] or "PRESENT" not in outcomes:
        _refuse(where, "the outcome words do not say that a run starts with the record absent")
    ranges, numbers = _read_ranges(tokens, legend, where)
    if len(numbers) != 2:
        _refuse(where, f"{len(numbers)} numbers that are no attribute values; the cases, then the trials of each")
    cases, trials = numbers
    return _Intro(events, ranges, cases, trials)


def _read_ranges(tokens: Sequence[_Token], legend: Legend, where: str) -> tuple[tuple[AttributeRange, ...], list[int]]:
    """Return the attribute ranges in order of mention, and the numbers that belong to none."""
    attributes = {attribute.code: attribute for attribute in legend.attributes}
    ranges: dict[str, tuple[AttributeValue, ...]] = {}
    spare: list[int] = []
    for clause in _clauses(tokens):
        names = [token.code for token in clause if token.kind == "attribute"]
        if len(names) > 1 or (names and names[0] in ranges):
            _refuse(where, f"attribute {names[-1]} is told beside another or twice; each once, in a clause of its own")
        if any(token.kind == "value" and token.code not in names for token in clause):
            _refuse(where, "an attribute value stands in a clause without its attribute")
        values, others = _range_values(clause, attributes[names[0]] if names else None)
        spare += others
        if names:
            ranges[names[0]] = values
    for code, attribute in attributes.items():
        told = len(set(ranges.get(code, ())))
        if not told or told != len(ranges[code]) or (attribute.values and told != len(attribute.values)):
            _refuse(where, f"attribute {code}: {told} values told; all of its values once each")
    return tuple(AttributeRange(name=code, values=values) for code, values in ranges.items()), spare


def _clauses(tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    clause: list[_Token] = []
    for token in tokens:
        if token is _STOP:
            yield clause
            clause = []
        else:
            clause.append(token)
    yield clause


def _range_values(
    clause: Sequence[_Token], attribute: AttributeName | None
) -> tuple[tuple[AttributeValue, ...], list[int]]:
    """Return the attribute's values in its clause, and the numbers there that are none of them."""
    if attribute is None:
        return (), _numbers(clause)
    if attribute.values:
        return tuple(token.value for token in clause if token.kind == "value"), _numbers(clause)
    at = next(place for place, token in enumerate(clause) if token.kind == "attribute")
    return tuple(_numbers(clause[at:])), _numbers(clause[:at])


def _numbers(tokens: Sequence[_Token]) -> list[int]:
    return [token.value for token in tokens if token.kind == "number" and isinstance(token.value, int)]


def _read_case(tokens: Sequence[_Token], legend: Legend, trials: int, nth: int) -> BehaviorCase:
    identity = case_id(nth)
    where = f"block {nth + 1} (case {identity})"
    settings, rest = _take_settings(tokens, legend, where)
    counts = _read_counts([token for token in rest if token.kind in ("number", "outcome")], where)
    if counts.trials != trials or counts.present + counts.absent != trials:
        _refuse(where, f"{counts.present} and {counts.absent} of {counts.trials} trials; each case has {trials}")
    return BehaviorCase(
        id=identity,
        attributes=settings,
        events=_read_events(rest, where),
        trials=counts.trials,
        observed_present=counts.present,
        observed_absent=counts.absent,
    )


def _read_question(tokens: Sequence[_Token], legend: Legend, where: str) -> BehaviorCase:
    settings, rest = _take_settings(tokens, legend, where)
    if _numbers(rest):
        _refuse(where, "a number that is no attribute value; a question holds none")
    if {token.code for token in rest if token.kind == "outcome"} != {"PRESENT", "ABSENT"}:
        _refuse(where, "an outcome word is missing; a question holds both")
    events = _read_events(rest, where)
    return BehaviorCase(
        id=QUERY_ID, attributes=settings, events=events, trials=None, observed_present=None, observed_absent=None
    )


def _take_settings(
    tokens: Sequence[_Token], legend: Legend, where: str
) -> tuple[tuple[AttributeSetting, ...], list[_Token]]:
    """Return the settings of a block, sorted by attribute code, and the tokens that are no part of them."""
    attributes = {attribute.code: attribute for attribute in legend.attributes}
    rest = dict(enumerate(token for token in tokens if token is not _STOP))
    found: dict[str, AttributeValue] = {}
    for at, token in [(at, token) for at, token in rest.items() if token.kind == "attribute"]:
        if token.code in found:
            _refuse(where, f"attribute {token.code} is told twice; each once")
        beside = _value_place(at, attributes[token.code], rest)
        if beside is None:
            _refuse(where, f"attribute {token.code} has no value beside it")
        found[token.code] = rest.pop(beside).value
        del rest[at]
    if missing := sorted(attributes.keys() - found.keys()):
        _refuse(where, f"attribute {missing[0]} is not told; each once")
    if any(token.kind == "value" for token in rest.values()):
        _refuse(where, "an attribute value stands without its attribute")
    return tuple(AttributeSetting(name=code, value=found[code]) for code in sorted(found)), list(rest.values())


def _value_place(at: int, attribute: AttributeName, tokens: Mapping[int, _Token]) -> int | None:
    """Return the place of the value that belongs to the attribute named at a place."""
    if not attribute.values:
        follower = tokens.get(at + 1)
        return at + 1 if follower is not None and follower.kind == "number" else None
    for place in (at - 1, at + 1):
        neighbour = tokens.get(place)
        if neighbour is not None and neighbour.kind == "value" and neighbour.code == attribute.code:
            return place
    return None


def _read_events(tokens: Sequence[_Token], where: str) -> tuple[str, ...]:
    events = tuple(token.code for token in tokens if token.kind == "event")
    if not events:
        _refuse(where, "no event is told; at least one")
    return events


class _Counts(NamedTuple):
    trials: int
    present: int
    absent: int


def _read_counts(tokens: Sequence[_Token], where: str) -> _Counts:
    """Read the trials, then two pairs of an outcome word and its count, both pairs in the same order."""
    kinds = tuple(token.kind for token in tokens)
    if kinds == ("number", "outcome", "number", "outcome", "number"):
        pairs = ((tokens[1], tokens[2]), (tokens[3], tokens[4]))
    elif kinds == ("number", "number", "outcome", "number", "outcome"):
        pairs = ((tokens[2], tokens[1]), (tokens[4], tokens[3]))
    else:
        _refuse(where, f"counts read {' '.join(kinds) or 'nothing'}; trials, then each outcome word beside its count")
    counts = {outcome.code: count for outcome, count in pairs}
    if len(counts) != 2:
        _refuse(where, "one outcome word stands beside both counts; each word once")
    trials, present, absent = _numbers((tokens[0], counts["PRESENT"], counts["ABSENT"]))
    return _Counts(trials, present, absent)


def _refuse(where: str, what: str) -> NoReturn:
    raise FidelityError(f"{where}: {what}")
