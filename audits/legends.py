"""F01: a legend is unambiguous and hint-free. It is checked without the loader that refuses bad domains.

A legend says what each code is called. Two codes under one phrase, a phrase inside another, a digit, a law, or a name
such as "starter" would blur or betray what the counts alone should tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from audits.view import Told
from audits.wordlists import forbidden, hinting, number_words, plain
from engine.errors import FidelityError
from engine.hidden_systems.behavior import PublicPayload
from engine.hidden_systems.surface.domain import legend_for, load_domain
from engine.hidden_systems.surface.template import RENDERER, frame_words
from engine.hidden_systems.surface.wording import allowed_words, read_wording
from engine.public import Legend

CLAIM = "every code has one phrase of its own, no phrase holds another, and none hints at a law, order, role or number"
MOST_SENTENCES = (10, 2, 3)
"""Of an introduction, a case and a question."""


class Vocabulary(NamedTuple):
    """The words of one rendering: its legend, and all other words that its text may hold."""

    legend: Legend
    frames: frozenset[str]


def vocabulary_of(payload: PublicPayload, told: Told) -> Vocabulary:
    """Return the legend and frame words of a stored rendering.

    Raises:
        FidelityError: the renderer is not known, so nothing says which words were agreed on.
        UsageError, RenderingError: no such domain, or one without enough names.
    """
    if told.wording:
        wording = read_wording(told.wording, where="wording")
        return Vocabulary(wording.legend, allowed_words(wording))
    if told.renderer != RENDERER:
        raise FidelityError(f"renderer {told.renderer!r} left no legend; {RENDERER!r} has one")
    domain = load_domain(told.domain)
    return Vocabulary(legend_for(payload, domain), frame_words(domain))


def legend_faults(legend: Legend, payload: PublicPayload) -> Iterator[str]:
    """Yield a pointer to each thing that is wrong with a legend; a phrase is named by its place."""
    yield from _coverage(legend, payload)
    names = [plain(name) for name in (*_phrases(legend), legend.record)]
    for (at, one), (other_at, other) in combinations(enumerate(names), 2):
        if one == other:
            yield f"/legend/{at}/twice"
        elif one in other or other in one:
            yield f"/legend/{at if other in one else other_at}/contains"
    for at, name in enumerate(names):
        if any(c.isdigit() for c in name) or number_words().search(name):
            yield f"/legend/{at}/number"
        if forbidden().search(name):
            yield f"/legend/{at}/law"
        if hinting().search(name):
            yield f"/legend/{at}/hint"
        if not name or name != " ".join(name.split()):
            yield f"/legend/{at}/blank"


def _phrases(legend: Legend) -> Iterator[str]:
    yield from (item.name for item in (*legend.events, *legend.outcomes))
    for attribute in legend.attributes:
        yield attribute.name
        yield from (value.name for value in attribute.values)


def _coverage(legend: Legend, payload: PublicPayload) -> Iterator[str]:
    """Yield where a legend does not name exactly the codes of its payload."""
    if Counter(item.code for item in legend.events) != Counter(payload.event_vocabulary):
        yield "/legend/events"
    told = {item.code: tuple(value.code for value in item.values) for item in legend.attributes}
    if len(told) != len(legend.attributes) or told.keys() != {item.name for item in payload.attribute_vocabulary}:
        yield "/legend/attributes"
    for attribute in payload.attribute_vocabulary:
        codes = [value for value in attribute.values if isinstance(value, str)]
        if sorted(told.get(attribute.name, ())) != sorted(codes):
            yield "/legend/attributes/values"
    if [item.code for item in legend.outcomes] != ["PRESENT", "ABSENT"]:
        yield "/legend/outcomes"
