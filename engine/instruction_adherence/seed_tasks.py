"""Seed tasks: what a writing task asks for before any constraint is laid on it.

A seed task is a text with named slots, the fillers of each slot, and topic keywords: base forms of words that a good
answer uses naturally. A filler may bring keywords of its own. The 176 public ones are YAML files in `seed_tasks/`, one
a task type; the private ones are composed by `private_seed_tasks`. What a seed task may be is decided by
`seed_task_reasons`, which answers with reasons. Sections "Inventory" and "Private seed tasks" of the specification.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, combinations

import msgspec

from engine.errors import UsageError
from engine.randomness import Stream

TASK_TYPES = ("email", "explanation", "how_to", "news_brief", "opinion", "product_text", "review", "story")
PUBLIC_PER_TYPE = 22
MOST_SLOTS, FEWEST_FILLERS = 3, 4
FEWEST_KEYWORDS, MOST_KEYWORDS = 5, 8
"""Bounds on the keywords of a filled task, whatever its fillers."""
FEWEST_USABLE = 2
"""Keywords that stay usable under a lipogram on any one letter."""

_KEYWORD = re.compile(r"[a-z]{2,12}")
_SLOT_NAME = re.compile(r"[a-z]+")
_SLOT = re.compile(r"\{([^{}]*)\}")
_ARTICLE = re.compile(r"\b(an?) \{([a-z]+)\}", re.IGNORECASE)
_TEXT_CHARACTERS = re.compile(r"[A-Za-z ,.:;?'{}-]+")
_SENTENCES = re.compile(r"(?:[A-Z][^.?]*[.?](?: |\Z))+")
_FILLER_CHARACTERS = re.compile(r"[A-Za-z '-]+")
_SHAPE = re.compile(
    r"\b(?:words?|sentences?|paragraphs?|bullets?|lists?|headings?|headers?|titled?|short|briefly|lengthy|concise"
    r"|numbered|sections?|formats?|lowercase|capitals? letters?)\b",
    re.IGNORECASE,
)
"""Words that ask for a length or a shape, which only constraints may do."""


class Filler(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What may stand in a slot, and the keywords that it brings along."""

    text: str
    keywords: tuple[str, ...] = ()


class Slot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A named gap in the text of a seed task."""

    name: str
    fillers: tuple[Filler, ...]


class SeedTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A writing task with gaps. Its repr is its id alone, because a private one must not end up in a log."""

    id: str
    task_type: str
    text: str
    slots: tuple[Slot, ...]
    keywords: tuple[str, ...]
    """Keywords that hold for every filling."""

    def __repr__(self) -> str:
        return f"SeedTask({self.id!r})"

    __str__ = __repr__


class FilledTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A writing task as it is set."""

    seed_task_id: str
    task_type: str
    text: str
    keywords: tuple[str, ...]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seed task as its YAML file has it: a slot's fillers are texts, or texts with their keywords."""

    id: str
    text: str
    slots: dict[str, tuple[str, ...] | dict[str, tuple[str, ...]]]
    keywords: tuple[str, ...]


@cache
def public_seed_tasks() -> tuple[SeedTask, ...]:
    """Return the public seed tasks, ordered by task type and id.

    Raises:
        UsageError: a file of the installation is not usable.
    """
    return tuple(chain.from_iterable(read_seed_tasks(data_text(name), name) for name in TASK_TYPES))


@cache
def barred_keywords() -> frozenset[str]:
    """Return the words that no seed task may have as a keyword."""
    return msgspec.yaml.decode(data_text("barred_keywords"), type=frozenset[str])


def data_text(name: str) -> str:
    """Return the text of a YAML file in `seed_tasks/`."""
    return (files("engine.instruction_adherence") / "seed_tasks" / f"{name}.yaml").read_text(encoding="utf-8")


def read_seed_tasks(text: str, task_type: str) -> tuple[SeedTask, ...]:
    """Read the public seed tasks of one type from YAML.

    Raises:
        UsageError: with the first reason why the text is not usable.
    """
    try:
        entries = msgspec.yaml.decode(text, type=tuple[_Entry, ...])  # by the C loader where PyYAML has one
    except msgspec.MsgspecError as error:
        raise UsageError(f"seed tasks {task_type!r}: {error}") from error
    seed_tasks = tuple(_seed_task(entry, task_type) for entry in entries)
    if reasons := (*_file_reasons(seed_tasks, task_type), *chain.from_iterable(map(seed_task_reasons, seed_tasks))):
        raise UsageError(f"seed tasks {task_type!r}: {reasons[0]}")
    return seed_tasks


def _seed_task(entry: _Entry, task_type: str) -> SeedTask:
    slots = tuple(Slot(name=name, fillers=_fillers(values)) for name, values in entry.slots.items())
    return SeedTask(id=entry.id, task_type=task_type, text=entry.text, slots=slots, keywords=entry.keywords)


def _fillers(values: tuple[str, ...] | Mapping[str, tuple[str, ...]]) -> tuple[Filler, ...]:
    if isinstance(values, tuple):
        return tuple(Filler(text=text) for text in values)
    return tuple(Filler(text=text, keywords=keywords) for text, keywords in values.items())


def fill(seed_task: SeedTask, stream: Stream) -> FilledTask:
    """Return the task with a filler drawn for every slot; the same stream gives the same task."""
    chosen = {slot.name: stream.choice(slot.fillers) for slot in seed_task.slots}
    keywords = chain(seed_task.keywords, *(filler.keywords for filler in chosen.values()))
    return FilledTask(
        seed_task_id=seed_task.id,
        task_type=seed_task.task_type,
        text=_SLOT.sub(lambda gap: chosen[gap[1]].text, seed_task.text),
        keywords=tuple(keywords),
    )


def _file_reasons(seed_tasks: tuple[SeedTask, ...], task_type: str) -> Iterator[str]:
    ids = [seed_task.id for seed_task in seed_tasks]
    expected = [f"{task_type}.{nth:02}" for nth in range(1, PUBLIC_PER_TYPE + 1)]
    if ids != expected:
        yield f"{len(ids)} ids {ids}; {expected[0]} to {expected[-1]}, each once and in order"


def seed_task_reasons(seed_task: SeedTask) -> tuple[str, ...]:
    """Return what is wrong with a seed task. Empty when nothing is."""
    rules = (_id_reasons, _text_reasons, _slot_reasons, _keyword_reasons)
    reasons = chain.from_iterable(rule(seed_task) for rule in rules)
    return tuple(f"{seed_task.id}: {reason}" for reason in reasons)


def _id_reasons(seed_task: SeedTask) -> Iterator[str]:
    if seed_task.task_type not in TASK_TYPES:
        yield f"task type {seed_task.task_type!r}; legal are {', '.join(TASK_TYPES)}"
    if not seed_task.id.startswith(f"{seed_task.task_type}."):
        yield f"id {seed_task.id!r}; it begins with the task type {seed_task.task_type!r} and a dot"


def _text_reasons(seed_task: SeedTask) -> Iterator[str]:
    text = seed_task.text
    if not _TEXT_CHARACTERS.fullmatch(text) or text != " ".join(text.split()):
        yield f"text {text!r}: letters, plain punctuation and slots on one line with single spaces"
    if not _SENTENCES.fullmatch(text):
        yield f"text {text!r}: sentences, each from a capital letter, not a slot, to a full stop or question mark"
    named, declared = sorted(set(_SLOT.findall(text))), sorted(slot.name for slot in seed_task.slots)
    if named != declared or set("{}") & set(_SLOT.sub("", text)):
        yield f"slots {named} in the text {text!r}; declared are {declared}"
    yield from _article_reasons(seed_task)
    for told in (text, *_filler_texts(seed_task)):
        if found := _SHAPE.search(told):
            yield f"{told!r} holds {found.group()!r}; only constraints ask for a length or a shape"


def _article_reasons(seed_task: SeedTask) -> Iterator[str]:
    articles = {name: article for article, name in _ARTICLE.findall(seed_task.text)}
    for slot in seed_task.slots:
        for filler in slot.fillers if slot.name in articles else ():
            if (filler.text[:1].lower() in "aeiou") != (articles[slot.name].lower() == "an"):
                yield f"article {articles[slot.name]!r} ahead of {filler.text!r}"


def _slot_reasons(seed_task: SeedTask) -> Iterator[str]:
    if not 1 <= len(seed_task.slots) <= MOST_SLOTS:
        yield f"{len(seed_task.slots)} slots; 1 to {MOST_SLOTS}"
    for slot in seed_task.slots:
        if not _SLOT_NAME.fullmatch(slot.name):
            yield f"slot {slot.name!r}: small letters"
        if len(slot.fillers) < FEWEST_FILLERS:
            yield f"{len(slot.fillers)} fillers of {slot.name!r}; at least {FEWEST_FILLERS}"
    texts = list(_filler_texts(seed_task))
    for text in texts:
        if not _FILLER_CHARACTERS.fullmatch(text) or text != " ".join(text.split()):
            yield f"filler {text!r}: letters with single spaces"
    yield from (f"filler {text!r} occurs twice" for text in _twice(texts))


def _filler_texts(seed_task: SeedTask) -> Iterator[str]:
    return (filler.text for slot in seed_task.slots for filler in slot.fillers)


def _keyword_reasons(seed_task: SeedTask) -> Iterator[str]:
    """Yield what is wrong with the keywords of any filling; fillers of different slots are drawn independently."""
    brought = [[filler.keywords for filler in slot.fillers] for slot in seed_task.slots]
    for keyword in chain(seed_task.keywords, *chain.from_iterable(brought)):
        if not _KEYWORD.fullmatch(keyword) or keyword in barred_keywords():
            yield f"keyword {keyword!r}: a content word of 2 to 12 small letters"
    yield from _repeated_keywords(seed_task)
    fewest = len(seed_task.keywords) + sum(min(map(len, choices), default=0) for choices in brought)
    most = len(seed_task.keywords) + sum(max(map(len, choices), default=0) for choices in brought)
    if fewest < FEWEST_KEYWORDS or most > MOST_KEYWORDS:
        yield f"{fewest} to {most} keywords; {FEWEST_KEYWORDS} to {MOST_KEYWORDS}"
    for letter in string.ascii_lowercase:
        usable = _free_of(letter, seed_task.keywords)
        usable += sum(min((_free_of(letter, choice) for choice in choices), default=0) for choices in brought)
        if usable < FEWEST_USABLE:
            yield f"{usable} keywords without the letter {letter!r}; at least {FEWEST_USABLE}"


def _repeated_keywords(seed_task: SeedTask) -> Iterator[str]:
    """Yield the keywords that one filling could have twice."""
    by_slot = [{word for filler in slot.fillers for word in filler.keywords} for slot in seed_task.slots]
    for one, other in combinations([set(seed_task.keywords), *by_slot], 2):
        yield from (f"keyword {word!r} may occur twice" for word in sorted(one & other))
    groups = [seed_task.keywords, *(filler.keywords for slot in seed_task.slots for filler in slot.fillers)]
    for group in groups:
        yield from (f"keyword {word!r} occurs twice" for word in _twice(group))


def _twice(items: Sequence[str]) -> list[str]:
    return sorted({item for item in items if items.count(item) > 1})


def _free_of(letter: str, keywords: tuple[str, ...]) -> int:
    return sum(letter not in keyword for keyword in keywords)
