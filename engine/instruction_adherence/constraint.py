"""What every constraint type shares: checked parameters, wording, storage form, verdict.

A constraint is a frozen value. Its parameters are its dataclass fields; the annotation of a field says what may stand
there, and every way to make a constraint (stored, sampled, by hand) passes the same check. Checkers are total and
deterministic; one that cannot decide fails. Specification, "Constraint taxonomy".
"""

from __future__ import annotations

import unicodedata
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import islice
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args, get_type_hints

from engine.canonical import Json
from engine.errors import UsageError, counted, quoted
from engine.instruction_adherence.families import Family, family_of
from engine.instruction_adherence.text import Place, Reading, is_word
from engine.randomness import Stream

HardFamily = Literal["lipogram", "acrostic", "distinct_sentence_starts", "positional"]
Tag = Literal[
    "json",  # the response is one JSON object
    "json_safe",  # can hold of a JSON object
    "uniform_lines",  # every line counts, so no line of another kind fits in
    "extra_lines",  # adds headings, a title, rules or list items
    "foreign",  # part of the text is not English
    "english",  # judges English words in all of the text
    "paragraphs",  # speaks of paragraphs
    "sentences",  # speaks of sentences
    "size",  # bounds a number of words or units
    "start",  # says how the response or its first unit begins
    "end",  # says how the response or its last unit ends
    "raw",  # judges the response before the removals
]
"""What later layers need to know of a type to find conflicts between types."""
MOST_SPANS = 100
MOST_NAMED = 5
"""Words that a verdict spells out."""
MOST_QUOTED = 16
"""Parts of a list that a verdict spells out; what is asked for has no more."""
LONGEST_NAMED = 40
"""Places that one verdict shows."""


class Verdict(NamedTuple):
    """What a checker found."""

    passed: bool
    seen: str
    """What was found and what was asked, for a person."""
    spans: tuple[Place, ...]
    """Where it failed, in code points of the raw response; empty if it passed or the failure has no place."""


class Kind(NamedTuple):
    """What may stand in a parameter."""

    right: str
    """For messages: `must be ...`."""
    fits: Callable[[Any], bool]


def whole(low: int) -> Kind:
    return Kind(f"a whole number of at least {low}", lambda value: type(value) is int and value >= low)


def text(right: str, fits: Callable[[str], bool]) -> Kind:
    return Kind(right, lambda value: isinstance(value, str) and fits(value))


def texts(right: str, fits: Callable[[str], bool], *, empty: bool = False, unique: bool = False) -> Kind:
    def all_fit(value: object) -> bool:
        return (
            isinstance(value, tuple)
            and (empty or bool(value))
            and all(isinstance(item, str) and fits(item) for item in value)
            and (not unique or len(set(value)) == len(value))
        )

    return Kind(right, all_fit)


def _filled(value: str) -> bool:
    return value.strip() != ""


Count = Annotated[int, whole(1)]
CountOrNone = Annotated[int, whole(0)]
Word = Annotated[str, text("one word", is_word)]
Words = Annotated[tuple[str, ...], texts("a list of at least one word, one word each", is_word)]
AnyWords = Annotated[tuple[str, ...], texts("a list of words, one word each", is_word, empty=True)]
Phrase = Annotated[str, text("a text that is not empty", _filled)]
Phrases = Annotated[tuple[str, ...], texts("a list of at least one text that is not empty", _filled)]


@dataclass(frozen=True, kw_only=True)
class Constraint:
    """A requirement on a response that code can check."""

    id: ClassVar[str]
    family: ClassVar[Family]
    difficulty: ClassVar[int]
    """1 (easy) to 5."""
    eval_only: ClassVar[bool] = False
    hard_family: ClassVar[HardFamily | None] = None
    tags: ClassVar[frozenset[Tag]] = frozenset()
    phrasings: ClassVar[tuple[str, ...]]
    """Templates that name every parameter."""

    def __init_subclass__(cls) -> None:
        if "id" in vars(cls):
            cls.family = family_of(cls.id)

    def __post_init__(self) -> None:
        for name, kind in kinds(type(self)).items():
            value = getattr(self, name)
            if not kind.fits(value):
                raise self.refusal(name, value, kind.right)

    @classmethod
    def refusal(cls, name: str, value: object, right: str) -> UsageError:
        """Return the error for a parameter that is not usable."""
        shown = list(value) if isinstance(value, tuple) else value
        return UsageError(f"{cls.id}: parameter {name!r} {quoted(shown)} must be {right}")

    @classmethod
    def of(cls, params: Mapping[str, Json]) -> Self:
        """Read stored parameters.

        Raises:
            UsageError: one is missing, unknown, of the wrong type or out of range.
        """
        legal = list(kinds(cls))
        for name in params:
            if name not in legal:
                raise UsageError(f"{cls.id}: unknown parameter {quoted(name)}; legal: {legal}")
        for name in legal:
            if name not in params:
                raise UsageError(f"{cls.id}: parameter {name!r} is missing; needed: {legal}")
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in params.items()})

    @property
    def params(self) -> dict[str, Json]:
        """The parameters as they are stored."""
        values = {name: getattr(self, name) for name in kinds(type(self))}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    def stored(self) -> dict[str, Json]:
        """Return the storage form, which `of` reads again."""
        return {"constraint": self.id, "params": self.params}

    def render(self, index: int) -> str:
        """Return phrasing `index` (from 0) with the parameters filled in."""
        return self.phrasings[index].format(**self.spoken())

    def spoken(self) -> dict[str, object]:
        """Return the parameters as the templates speak them."""
        return {name: _spoken(getattr(self, name)) for name in kinds(type(self))}

    @classmethod
    @abstractmethod
    def sample(cls, stream: Stream) -> Self:
        """Draw parameters, without regard to other constraints."""

    @abstractmethod
    def check(self, reading: Reading) -> Verdict:
        """Judge a response."""


def kinds(cls: type[Constraint]) -> dict[str, Kind]:
    """Return the parameters of a type, in order, and what may stand in each."""
    described: Any = cls  # mypy takes a class of values for unhashable
    return _kinds(described)


@cache
def _kinds(cls: Any) -> dict[str, Kind]:
    hints = get_type_hints(cls, include_extras=True)
    return {field.name: next(k for k in get_args(hints[field.name]) if isinstance(k, Kind)) for field in fields(cls)}


_verdict = tuple.__new__
"""Makes a named tuple from a tuple; its own `__new__` is a Python function, and verdicts are made by the million."""


def verdict(reading: Reading, passed: bool, seen: str, places: Iterable[Place] = ()) -> Verdict:
    """Return a verdict; `places` are offsets into `reading.text` and are looked at only on a failure."""
    spans = () if passed or not places else reading.spans(islice(places, MOST_SPANS))
    return _verdict(Verdict, (passed, seen, spans))


def nfc(value: str) -> str:
    """Return a parameter in the normal form of the texts that it is compared with."""
    return unicodedata.normalize("NFC", value)


def few(found: Sequence[str], number: int) -> str:
    """Return the first few of `number` things found, each cut to a readable length."""
    return _with_rest(list(map(_cut, found[:MOST_NAMED])), number)


def named(found: Sequence[str]) -> str:
    """Return texts one by one, each in quotes and cut to a readable length; `none` where there is none."""
    return _with_rest([repr(_cut(item)) for item in found[:MOST_QUOTED]], len(found)) or "none"


def in_numbers(found: Sequence[int]) -> str:
    """Return numbers one by one; `none` where there is none."""
    return _with_rest(list(map(str, found[:MOST_QUOTED])), len(found)) or "none"


def _cut(item: str) -> str:
    return item if len(item) <= LONGEST_NAMED else f"{item[: LONGEST_NAMED - 3]}..."


def _with_rest(shown: Sequence[str], number: int) -> str:
    rest = number - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip


def ordinal(number: int) -> str:
    """Return the word for a place in a row: third, 13th, 22nd."""
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    teens = 10 <= number % 100 <= 20
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


class SpokenNumber(int):
    """A number in a template: `{n}`, `{n:nth}`, or `{n:sentence}` for `1 sentence`, `2 sentences`."""

    def __format__(self, spec: str) -> str:
        if spec == "":
            return str(int(self))
        return ordinal(self) if spec == "nth" else counted(self, *spec.split("|"))


class SpokenTexts(tuple[str, ...]):
    """A list in a template: `{words:and}` and `{words:or}` quote each, `{words:plain}` does not."""

    def __format__(self, spec: str) -> str:
        if spec == "plain" or not self:
            return ", ".join(self) or "none"
        quotes = [f'"{item}"' for item in self]
        return quotes[0] if len(quotes) == 1 else f"{', '.join(quotes[:-1])} {spec} {quotes[-1]}"


def _spoken(value: Any) -> object:
    if isinstance(value, int):
        return SpokenNumber(value)
    return SpokenTexts(value) if isinstance(value, tuple) else value
