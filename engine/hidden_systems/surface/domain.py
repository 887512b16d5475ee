"""Surface domains: the little worlds in which a payload is told, and the names that its codes get there.

A domain is one YAML file in `domains/`. It names more things than any puzzle has; which name a code gets is drawn
from the public payload and the domain alone, so nothing private can steer a word. What a domain may hold is decided
by `domain_reasons`, which answers with reasons. This package must never import the program layer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import combinations
from string import Formatter

import msgspec
import yaml

from engine.canonical import digest
from engine.errors import RenderingError, UsageError
from engine.hidden_systems.behavior import AttributeRange, Public, PublicPayload, payload_document
from engine.hidden_systems.surface.lexicon import FORBIDDEN, HINTING, INVERTING, NUMBER_WORD, plain
from engine.public import AttributeName, Legend, Name
from engine.randomness import Stream

EVENTS, ATTRIBUTES, VALUES, PARAPHRASES = 10, 4, 4, 2
"""The fewest names and frames a domain may have: events, attributes, values of each, paraphrases of each frame."""

_SHORT = re.compile(r"[a-z]{2,10}")
_RECORD = re.compile(r"the( [a-z]{2,10}){1,2}")
_SLOTS = {
    "intro": ("cases", "trials", "absent", "present", "events", "attributes"),
    "case": ("setting", "trials", "steps", "present", "present_count", "absent", "absent_count"),
    "question": ("setting", "steps", "present", "absent"),
    "numeric": ("name", "value"),
    "categorical": ("name", "value"),
}
"""Each frame holds each of its slots once; `record` may stand besides in the first three."""
_COUNTED = ("trials", "present", "present_count", "absent", "absent_count")
_COUNT_ORDERS = (
    "trials present present_count absent absent_count",
    "trials absent absent_count present present_count",
    "trials present_count present absent_count absent",
    "trials absent_count absent present_count present",
)


class Outcomes(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The two words for what became of the record."""

    present: str
    absent: str


class AttributeWords(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that is set for an experiment, told with a number or with one of its value names."""

    name: str
    numeric: str
    """Frame such as `the {name} at notch {value}`; the value ends it."""
    categorical: str
    """Frame such as `{value} {name}`."""
    values: tuple[str, ...]


class Frames(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Paraphrases of the three kinds of block."""

    intro: tuple[str, ...]
    case: tuple[str, ...]
    question: tuple[str, ...]


class Domain(Public, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One little world."""

    id: str
    title: str
    record: str
    outcomes: Outcomes
    events: tuple[str, ...]
    attributes: tuple[AttributeWords, ...]
    frames: Frames


@cache
def domain_names() -> tuple[str, ...]:
    """Return the ids of all domains, sorted."""
    folder = files("engine.hidden_systems.surface") / "domains"
    return tuple(sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir() if entry.name.endswith(".yaml")))


@cache
def load_domain(name: str) -> Domain:
    """Return a domain by its id.

    Raises:
        UsageError: no such domain, or its file is not usable.
    """
    if name not in domain_names():
        raise UsageError(f"unknown surface domain {name!r}; legal are {', '.join(domain_names())}")
    path = files("engine.hidden_systems.surface") / "domains" / f"{name}.yaml"
    return read_domain(path.read_text(encoding="utf-8"), name)


def read_domain(text: str, name: str) -> Domain:
    """Read a domain from YAML; `name` becomes its id and stands in errors."""
    # The C loader reads a domain some ten times faster; PyYAML may be built without it.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        document = yaml.load(text, Loader=loader)
        domain = msgspec.convert({**document, "id": name}, Domain, strict=True)
    except (yaml.YAMLError, msgspec.ValidationError, TypeError) as error:
        raise UsageError(f"surface domain {name!r}: {error}") from error
    if reasons := domain_reasons(domain):
        raise UsageError(f"surface domain {name!r}: {reasons[0]}")
    return domain


def pick_domain(payload: PublicPayload) -> str:
    """Return the id of the domain in which a payload is told unless another is asked for."""
    return pick(payload_key(payload))


def legend_for(payload: PublicPayload, domain: Domain) -> Legend:
    """Return what each code of the payload is called in the domain.

    Raises:
        RenderingError: the domain has too few names for the payload.
    """
    return draw_legend(payload, domain, payload_key(payload))


def payload_key(payload: PublicPayload) -> str:
    """Return the key of all surface choices: the digest of the canonical public payload."""
    return digest(payload_document(payload))


def pick(key: str) -> str:
    """Return the id of the domain for a payload's key."""
    return Stream("surface/domain", key).choice(domain_names())


def draw_legend(payload: PublicPayload, domain: Domain, key: str) -> Legend:
    """Return the legend for a payload whose key is known already."""
    stream = Stream("surface/legend", key, domain.id)
    codes = payload.event_vocabulary
    _refuse_too_few("events", len(codes), len(domain.events), domain)
    _refuse_too_few("attributes", len(payload.attribute_vocabulary), len(domain.attributes), domain)
    events = stream.sample(domain.events, len(codes))
    entries = stream.sample(domain.attributes, len(payload.attribute_vocabulary))
    pairs = zip(payload.attribute_vocabulary, entries, strict=True)
    return Legend(
        domain=domain.id,
        title=domain.title,
        record=domain.record,
        events=tuple(Name(code=code, name=name) for code, name in zip(codes, events, strict=True)),
        attributes=tuple(_attribute_name(attribute, entry, stream, domain) for attribute, entry in pairs),
        outcomes=(
            Name(code="PRESENT", name=domain.outcomes.present),
            Name(code="ABSENT", name=domain.outcomes.absent),
        ),
    )


def _attribute_name(attribute: AttributeRange, entry: AttributeWords, stream: Stream, domain: Domain) -> AttributeName:
    codes = [value for value in attribute.values if isinstance(value, str)]
    if codes and len(codes) != len(attribute.values):
        raise RenderingError(f"attribute {attribute.name!r} mixes numbers and codes; a rendering tells one kind")
    _refuse_too_few(f"values of {attribute.name!r}", len(codes), len(entry.values), domain)
    names = stream.sample(entry.values, len(codes))
    values = tuple(Name(code=code, name=name) for code, name in zip(codes, names, strict=True))
    return AttributeName(code=attribute.name, name=entry.name, values=values)


def _refuse_too_few(what: str, wanted: int, there: int, domain: Domain) -> None:
    if wanted > there:
        raise RenderingError(f"{wanted} {what} cannot be told in domain {domain.id!r}; it has names for {there}")


def domain_reasons(domain: Domain) -> tuple[str, ...]:
    """Return what is wrong with a domain of the right types. Empty when nothing is."""
    return (*_size_reasons(domain), *_name_reasons(domain), *_frame_reasons(domain))


def _size_reasons(domain: Domain) -> Iterator[str]:
    sizes = [("events", len(domain.events), EVENTS), ("attributes", len(domain.attributes), ATTRIBUTES)]
    sizes += [(f"values of {entry.name!r}", len(entry.values), VALUES) for entry in domain.attributes]
    sizes += [(f"{kind} frames", len(frames), PARAPHRASES) for kind, frames in _block_frames(domain)]
    for what, there, least in sizes:
        if there < least:
            yield f"{there} {what}; at least {least}"


def _name_reasons(domain: Domain) -> Iterator[str]:
    short = list(_short_names(domain))
    for name in short:
        if not _SHORT.fullmatch(name):
            yield f"name {name!r}: one word of 2 to 10 small letters, without digits"
    if not _RECORD.fullmatch(domain.record):
        yield f"record {domain.record!r}: 'the' and one or two words of 2 to 10 small letters"
    names = [*short, domain.record]
    for name in names:
        if found := FORBIDDEN.search(plain(name)) or HINTING.search(plain(name)) or NUMBER_WORD.search(plain(name)):
            yield f"name {name!r} holds {found.group()!r}; names hint at no law, order, number or valence"
    if found := FORBIDDEN.search(plain(domain.title)):
        yield f"title {domain.title!r} holds {found.group()!r}; a title states no law"
    for one, other in combinations(sorted(map(plain, names), key=len), 2):
        if one == other:
            yield f"name {one!r} occurs twice; names are unique"
        elif one in other:
            yield f"name {other!r} contains {one!r}; no name contains another"


def _short_names(domain: Domain) -> Iterator[str]:
    yield from (domain.outcomes.present, domain.outcomes.absent, *domain.events)
    for entry in domain.attributes:
        yield from (entry.name, *entry.values)


def _block_frames(domain: Domain) -> tuple[tuple[str, tuple[str, ...]], ...]:
    frames = domain.frames
    return (("intro", frames.intro), ("case", frames.case), ("question", frames.question))


def _frame_reasons(domain: Domain) -> Iterator[str]:
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, _short_names(domain)))})\b")
    for kind, frames in (*_block_frames(domain), *_attribute_frames(domain)):
        for frame in frames:
            yield from (f"{kind} frame {frame!r}: {reason}" for reason in _one_frame_reasons(kind, frame, named))


def _attribute_frames(domain: Domain) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield "numeric", tuple(entry.numeric for entry in domain.attributes)
    yield "categorical", tuple(entry.categorical for entry in domain.attributes)


def _one_frame_reasons(kind: str, frame: str, named: re.Pattern[str]) -> Iterator[str]:
    try:
        parts = list(Formatter().parse(frame))
    except ValueError as error:
        yield f"braces: {error}"
        return
    if any(spec or conversion for _, _, spec, conversion in parts):
        yield "a slot is a bare name in braces"
    slots = [slot for _, slot, _, _ in parts if slot is not None]
    needed = _SLOTS[kind]
    extra = ["record"] if kind in ("intro", "case", "question") else []
    if sorted(slot for slot in slots if slot not in extra) != sorted(needed):
        yield f"slots {slots}; exactly {list(needed)} once each"
    else:
        yield from _order_reasons(kind, slots, frame)
    yield from _word_reasons(plain(" _ ".join(text for text, _, _, _ in parts)), named)
    if "\n" in frame or frame != " ".join(frame.split()):
        yield "one line with single spaces"


def _order_reasons(kind: str, slots: list[str], frame: str) -> Iterator[str]:
    """Yield where a frame tells its slots in an order that could not be read back."""
    for one, other in (("cases", "trials"), ("absent", "present")) if kind == "intro" else ():
        if slots.index(one) > slots.index(other):
            yield f"{{{other}}} stands ahead of {{{one}}}"
    if kind == "intro" and "{attributes}." not in frame:
        yield "a full stop must end {attributes}"
    if kind == "numeric" and not frame.endswith("{value}"):
        yield "{value} ends it, since a unit behind it would have a plural"
    if kind == "case":
        told = " ".join(slot for slot in slots if slot in _COUNTED)
        if told not in _COUNT_ORDERS:
            yield f"tells {told}; the trials, then each outcome beside its count"


def _word_reasons(text: str, named: re.Pattern[str]) -> Iterator[str]:
    checks: Iterable[tuple[re.Pattern[str], str]] = (
        (FORBIDDEN, "a law, an inner word or a hedge"),
        (INVERTING, "a cue that turns the order of mention"),
        (NUMBER_WORD, "a number"),
        (re.compile(r"\d"), "a digit"),
        (named, "a name of the domain outside its slot"),
    )
    for pattern, what in checks:
        if found := pattern.search(text):
            yield f"holds {what}: {found.group()!r}"
