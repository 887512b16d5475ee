"""What a model is told so that it renders: the legend call without any count, and the call for blocks.

Texts are functions of the public payload and the frozen words alone. This module must never import the program layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, NamedTuple

from engine.canonical import Json, canonical_text
from engine.hidden_systems.behavior import AttributeSetting, BehaviorCase, PublicPayload
from engine.hidden_systems.surface.wording import Wording
from engine.models.solver import Message, OutputMode, Question

PROMPT_VERSION = "rendering/1"
NO_NOTES: Mapping[int, str] = MappingProxyType({})
MOST_OWN_WORDS = 12
"""Other words that a schema lets a model choose; a free reply may choose more."""


def rules(kind: Literal["legend", "blocks"]) -> str:
    """Return the fixed part of a call."""
    folder = files("engine.hidden_systems.surface") / "prompts"
    return (folder / f"{kind}.txt").read_text(encoding="utf-8").strip()


class Refused(NamedTuple):
    """A reply that could not be taken, and why."""

    reply: str
    why: str


def legend_question(payload: PublicPayload, mode: OutputMode, refused: Refused | None = None) -> Question:
    """Return the call for names; it sees codes and no count or number.

    Args:
        refused: the reply before this one.
    """
    codes: dict[str, Json] = {
        "events": list(payload.event_vocabulary),
        "attributes": {item.name: _value_codes(item.values) or "a number" for item in payload.attribute_vocabulary},
    }
    asked = _question(rules("legend"), codes, mode, _legend_schema(payload))
    if refused is None:
        return asked
    again = (
        Message(role="assistant", text=refused.reply),
        Message(role="user", text=f"This was refused: {refused.why}. Return the whole object again, corrected."),
    )
    return replace(asked, messages=(*asked.messages, *again))


def block_question(
    payload: PublicPayload,
    wording: Wording,
    places: Sequence[int],
    mode: OutputMode,
    notes: Mapping[int, str] = NO_NOTES,
) -> Question:
    """Return the call for the blocks in some places, 0 being the introduction and the last the question.

    Args:
        notes: by place, why the text before this one was refused.
    """
    legend = wording.legend
    asked: dict[str, Json] = {
        "record": legend.record,
        "present": legend.outcomes[0].name,
        "absent": legend.outcomes[1].name,
        "words": list(wording.words),
        "blocks": [
            _block(payload, wording, place) | ({"refused before": notes[place]} if place in notes else {})
            for place in places
        ],
    }
    schema: dict[str, Json] = {
        "type": "array", "items": {"type": "string"}, "minItems": len(places), "maxItems": len(places),
    }  # fmt: skip
    return _question(rules("blocks"), asked, mode, schema)


def _question(told: str, content: Mapping[str, Json], mode: OutputMode, schema: Mapping[str, Json]) -> Question:
    return Question(
        messages=(Message(role="system", text=told), Message(role="user", text=canonical_text(content))),
        mode=mode,
        schema=canonical_text(schema) if mode == "schema" else "",
    )


def _value_codes(values: Sequence[int | str]) -> list[Json]:
    return [value for value in values if isinstance(value, str)]


def _legend_schema(payload: PublicPayload) -> dict[str, Json]:
    word: dict[str, Json] = {"type": "string", "pattern": "^[a-z]{3,12}$"}
    attributes: dict[str, Json] = {}
    for item in payload.attribute_vocabulary:
        values = {str(code): word for code in _value_codes(item.values)}
        attributes[item.name] = _object({"name": word, "values": _object(values)} if values else {"name": word})
    return _object(
        {
            "title": {"type": "string", "maxLength": 40},
            "record": {"type": "string", "pattern": "^the [a-z]{3,12}$"},
            "present": word,
            "absent": word,
            "events": _object(dict.fromkeys(payload.event_vocabulary, word)),
            "attributes": _object(attributes),
            "words": {"type": "array", "items": word, "maxItems": MOST_OWN_WORDS},
        }
    )


def _object(properties: Mapping[str, Json]) -> dict[str, Json]:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def _block(payload: PublicPayload, wording: Wording, place: int) -> dict[str, Json]:
    cases = payload.support_cases
    if place == 0:
        return _introduction(payload, wording)
    case = payload.query_case if place == len(cases) + 1 else cases[place - 1]
    told: dict[str, Json] = {"attributes": _setting(case.attributes, wording), "events": _events(case, wording)}
    present, absent = wording.legend.outcomes
    if place == len(cases) + 1:
        return {"block": "question", **told}
    counts: dict[str, Json] = {present.name: case.observed_present, absent.name: case.observed_absent}
    return {"block": "case", **told, "runs": case.trials, "counts": counts}


def _introduction(payload: PublicPayload, wording: Wording) -> dict[str, Json]:
    names = {item.code: {value.code: value.name for value in item.values} for item in wording.legend.attributes}
    attributes: dict[str, Json] = {}
    for item, named in zip(payload.attribute_vocabulary, wording.legend.attributes, strict=True):
        attributes[named.name] = [names[item.name].get(str(value), value) for value in item.values]
    return {
        "block": "introduction",
        "entries": len(payload.support_cases),
        "runs": payload.observation_protocol.trials_per_case,
        "events": [item.name for item in wording.legend.events],
        "attributes": attributes,
    }


def _setting(settings: Sequence[AttributeSetting], wording: Wording) -> dict[str, Json]:
    named = {item.code: item for item in wording.legend.attributes}
    told: dict[str, Json] = {}
    for setting in settings:
        attribute = named[setting.name]
        words = {value.code: value.name for value in attribute.values}
        told[attribute.name] = words.get(str(setting.value), setting.value)
    return told


def _events(case: BehaviorCase, wording: Wording) -> list[Json]:
    names = {item.code: item.name for item in wording.legend.events}
    return [names[event] for event in case.events]
