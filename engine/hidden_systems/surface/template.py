"""The template renderer: tells a payload in a domain, the same bytes for the same payload and domain.

Every number and name comes from the payload and the legend; every other word from the domain's frames or `JOINERS`.
Events are told in the order in which they are done. This module must never import the program layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import Formatter

from engine.errors import RenderingError
from engine.hidden_systems.behavior import (
    QUERY_ID,
    AttributeRange,
    AttributeSetting,
    AttributeValue,
    BehaviorCase,
    Public,
    PublicPayload,
    payload_reasons,
)
from engine.hidden_systems.surface.domain import AttributeWords, Domain, draw_legend, load_domain, payload_key, pick
from engine.hidden_systems.surface.lexicon import plain
from engine.public import AttributeName, Legend
from engine.randomness import derive

RENDERER = "template/1"
BORDER = "\n\n"
"""Stands between blocks and in none: a blank line keeps wrapped blocks apart for people and for models."""
JOINERS = ("and", "or", "then")


class Rendering(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A payload told in a domain."""

    renderer: str
    domain: str
    text: str
    """The blocks, joined by `BORDER`."""
    blocks: tuple[str, ...]
    """Introduction, one block a support case in payload order, the question."""
    legend: Legend


def render(payload: PublicPayload, domain_name: str | None = None) -> Rendering:
    """Tell a payload in a domain; without a name, in the one that the payload's digest picks.

    Raises:
        UsageError: no such domain.
        RenderingError: the text could not say all that the payload holds.
    """
    _refuse_untellable(payload)
    key = payload_key(payload)
    domain = load_domain(pick(key) if domain_name is None else domain_name)
    teller = Teller(payload, domain, draw_legend(payload, domain, key), key)
    blocks = tuple(teller.block(place) for place in range(len(payload.support_cases) + 2))
    return Rendering(renderer=RENDERER, domain=domain.id, text=BORDER.join(blocks), blocks=blocks, legend=teller.legend)


def split_blocks(text: str) -> tuple[str, ...]:
    """Return the blocks of a text: introduction, one block a support case in payload order, the question."""
    return tuple(text.split(BORDER))


def case_id(nth: int) -> str:
    """Return the id of the support case told in the nth case block (1-based)."""
    return f"c{nth:02d}"


def frame_words(domain: Domain) -> frozenset[str]:
    """Return every word that a rendering in the domain may hold besides names of the legend and numbers."""
    frames = [*domain.frames.intro, *domain.frames.case, *domain.frames.question, domain.record]
    frames += [frame for entry in domain.attributes for frame in (entry.numeric, entry.categorical)]
    literals = [text for frame in frames for text, _, _, _ in Formatter().parse(frame)]
    return frozenset(word for text in literals for word in re.findall(r"[\w']+", plain(text))) | frozenset(JOINERS)


class Teller:
    """The phrases of one payload in one domain, made once and used in all blocks."""

    def __init__(self, payload: PublicPayload, domain: Domain, legend: Legend, key: str) -> None:
        self.payload = payload
        self.domain = domain
        self.legend = legend
        self._key = key
        self._events = {item.code: item.name for item in legend.events}
        entries = {entry.name: entry for entry in domain.attributes}
        named = zip(payload.attribute_vocabulary, legend.attributes, strict=True)
        self._words = [(attribute, name, entries[name.name]) for attribute, name in named]
        self._settings = _setting_phrases(self._words)
        self._fixed = {
            "record": legend.record,
            "present": legend.outcomes[0].name,
            "absent": legend.outcomes[1].name,
        }

    def intro(self) -> str:
        protocol, cases = self.payload.observation_protocol, self.payload.support_cases
        return self._fill(
            self.domain.frames.intro,
            "intro",
            cases=str(len(cases)),
            trials=str(protocol.trials_per_case),
            events=self.events(),
            attributes=self.ranges(),
        )

    def case(self, case: BehaviorCase) -> str:
        return self._fill(
            self.domain.frames.case,
            case.id,
            setting=self.setting(case.attributes),
            steps=self.steps(case.events),
            trials=str(case.trials),
            present_count=str(case.observed_present),
            absent_count=str(case.observed_absent),
        )

    def question(self, query: BehaviorCase) -> str:
        setting, steps = self.setting(query.attributes), self.steps(query.events)
        return self._fill(self.domain.frames.question, QUERY_ID, setting=setting, steps=steps)

    def _fill(self, frames: tuple[str, ...], block: str, **slots: str) -> str:
        frame = frames[derive("surface/phrasing", self._key, block) % len(frames)]
        text = frame.format(**self._fixed, **slots)
        return text[0].upper() + text[1:]

    def events(self) -> str:
        """Return all events by name."""
        return _listed(list(self._events.values()), "and")

    def ranges(self) -> str:
        """Return all attributes with their values."""
        return "; ".join(_range_phrase(*words) for words in self._words)

    def block(self, place: int) -> str:
        """Return the block in a place: 0 is the introduction, the last the question."""
        cases = self.payload.support_cases
        if place == 0:
            return self.intro()
        return self.question(self.payload.query_case) if place > len(cases) else self.case(cases[place - 1])

    def setting(self, settings: Sequence[AttributeSetting]) -> str:
        return _listed([self._settings[setting.name, setting.value] for setting in settings], "and")

    def steps(self, events: Sequence[str]) -> str:
        return _listed([self._events[event] for event in events], "then")


def _setting_phrases(
    words: Sequence[tuple[AttributeRange, AttributeName, AttributeWords]],
) -> Mapping[tuple[str, AttributeValue], str]:
    phrases: dict[tuple[str, AttributeValue], str] = {}
    for attribute, name, entry in words:
        frame = entry.categorical if name.values else entry.numeric
        for value, told in zip(attribute.values, _told_values(attribute, name), strict=True):
            phrases[attribute.name, value] = frame.format(name=name.name, value=told)
    return phrases


def _range_phrase(attribute: AttributeRange, name: AttributeName, entry: AttributeWords) -> str:
    frame = entry.categorical if name.values else entry.numeric
    return frame.format(name=name.name, value=_listed(_told_values(attribute, name), "or"))


def _told_values(attribute: AttributeRange, name: AttributeName) -> list[str]:
    return [item.name for item in name.values] or [str(value) for value in attribute.values]


def _listed(names: Sequence[str], joiner: str) -> str:
    """Join names in their order; the joiner stands ahead of the last one."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joiner} {names[-1]}"


def _refuse_untellable(payload: PublicPayload) -> None:
    """Raise on a payload that some text could not be read back to."""
    reasons = list(payload_reasons(payload))
    cases = payload.support_cases
    ids = [case_id(nth) for nth in range(1, len(cases) + 1)]
    if [case.id for case in cases] != ids:
        reasons.append(f"support case ids are not {ids[:1]}.. in order; a text tells cases by their place")
    if payload.query_case.id != QUERY_ID:
        reasons.append(f"the query's id is {payload.query_case.id!r}, not {QUERY_ID!r}")
    if payload.complexity != len(set(payload.query_case.events)):
        reasons.append(f"complexity {payload.complexity} is not the query's number of distinct events")
    if not payload.attribute_vocabulary or any(not item.values for item in payload.attribute_vocabulary):
        reasons.append("a payload has at least one attribute, and each attribute at least one value")
    for case in (*cases, payload.query_case):
        if not case.events:
            reasons.append(f"case {case.id!r} has no event; a text tells at least one")
        if list(case.attributes) != sorted(case.attributes, key=lambda setting: setting.name):
            reasons.append(f"case {case.id!r}: attributes are not sorted by name")
    if reasons:
        raise RenderingError(f"a payload cannot be told: {reasons[0]}")
