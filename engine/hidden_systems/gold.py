"""The exact gold of a written hidden system: one JSON line in, one JSON line out.

A line holds `{"system": {...}, "attributes": {...}, "events": [...], "event_vocabulary": [...]}`, the last optional;
without it any event is known. Decimals are read as the rationals they are written as, so that label and margin never
depend on a binary double. Specification, "Exact gold computation versus sampled evidence".
PRIVATE: works on secret programs; nothing that a solver runs imports this module.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal, DecimalException
from typing import NamedTuple

from engine.canonical import Json
from engine.errors import ProgramError, UsageError, quoted
from engine.hidden_systems.program.exact import gold, label_of
from engine.hidden_systems.program.grammar import HiddenSystem, Value, read_system, read_value
from engine.hidden_systems.program.semantics import check_case
from engine.json_lines import read_members

REQUIRED = ("system", "attributes", "events")
OPTIONAL = ("event_vocabulary",)


class Question(NamedTuple):
    """A checked system with the case that it is to be run on."""

    system: HiddenSystem
    attributes: Mapping[str, Value]
    events: tuple[str, ...]


def answer_line(text: str) -> str:
    """Return the JSON answer to one JSON question.

    Raises:
        UsageError: the text is not JSON, or not an object with the question's keys.
        ProgramError: the system breaks the grammar or cannot be run on the case.
    """
    try:
        question = read_question(text)
    except RecursionError as error:
        raise UsageError(f"question {quoted(text[:40])} is nested too deeply; a question has five levels") from error
    probability = gold(*question)
    return json.dumps({"present_probability": float(probability), "answer": label_of(probability)})


def read_question(text: str) -> Question:
    """Read and check one question; raises as `answer_line` does."""
    fields = read_members(text, where="question", required=REQUIRED, optional=OPTIONAL, read_decimal=_decimal)
    vocabulary = _events(fields["event_vocabulary"], "event_vocabulary") if "event_vocabulary" in fields else None
    system = read_system(fields["system"], vocabulary)
    attributes = _attributes(fields["attributes"])
    events = _events(fields["events"], "events")
    check_case(system, attributes, events, vocabulary)
    return Question(system, attributes, events)


def _decimal(literal: str) -> Json:
    """Keep a number as it is written; `read_value` decides later whether it can be read exactly."""
    try:
        return Decimal(literal)  # type: ignore[return-value]  # a leaf that only `read_value` sees
    except DecimalException as error:
        raise UsageError(f"question: {quoted(literal)} is not a number that can be read exactly") from error


def _attributes(document: Json) -> dict[str, Value]:
    if not isinstance(document, Mapping):
        raise ProgramError(f"attributes {quoted(document)} must be an object of names and values")
    attributes: dict[str, Value] = {}
    for name, leaf in document.items():
        value = read_value(leaf, f"attribute {quoted(name)}")
        if value is None:
            raise ProgramError(f"attribute {quoted(name)}: null is not a value; a number, text or bool is")
        attributes[name] = value
    return attributes


def _events(document: Json, where: str) -> tuple[str, ...]:
    if not isinstance(document, list):
        raise ProgramError(f"{where} {quoted(document)} must be a list of texts")
    for nth, event in enumerate(document, start=1):
        if not isinstance(event, str) or not event:
            raise ProgramError(f"{where}: item {nth} {quoted(event)} must be a non-empty text")
    return tuple(document)
