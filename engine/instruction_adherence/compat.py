"""Which sets of constraints contradict themselves, and why: layers 1 (tags) and 2 (parameters).

`conflict` answers with a reason only where no response can pass all checkers, or where the specification lets a
conflict be declared between two types. What it lets through may still be impossible; only a witness settles that.
Specification, "Sampling and contradiction avoidance" and "The witness".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from engine.errors import quoted
from engine.instruction_adherence.arithmetic import shapeless
from engine.instruction_adherence.constraint import Constraint, Tag
from engine.instruction_adherence.constraints.language import (
    CapsLimit,
    Lowercase,
    NoContractions,
    ParagraphLanguage,
    SecondPerson,
)
from engine.instruction_adherence.constraints.length import BulletCount
from engine.instruction_adherence.constraints.lexical import (
    Acrostic,
    DistinctSentenceStarts,
    ForbiddenWords,
    Lipogram,
    NoCommas,
    SynonymBan,
    WordOrder,
)
from engine.instruction_adherence.constraints.meta import SelfAudit
from engine.instruction_adherence.constraints.positional import (
    FinalParagraphStart,
    MentionRatio,
    TopicOrder,
    WordInParagraph,
)
from engine.instruction_adherence.constraints.structure import (
    BoldCount,
    Headers,
    JsonKeys,
    NumberedSublist,
    Sections,
    Wrapped,
)
from engine.instruction_adherence.demands import Literal, demands_of, literals, of_kind
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import usage_faults

CONFLICTS: tuple[tuple[Tag, Tag], ...] = (("uniform_lines", "extra_lines"), ("foreign", "english"))
"""Tags of types that are declared incompatible; besides, `json` goes with `json_safe` alone."""
PROHIBITIONS = (Lipogram, ForbiddenWords, SynonymBan, NoCommas, NoContractions, Lowercase, CapsLimit)
"""Types that, once a part of a text breaks them, every text with that part breaks."""
PINNED = (BulletCount, Headers, Sections, BoldCount, Wrapped, JsonKeys, SelfAudit, ParagraphLanguage)
"""Types whose parameters leave no room for other parameters of the same type."""


def tag_conflict(constraints: Sequence[Constraint | type[Constraint]]) -> str | None:
    """Return which two types are declared incompatible; None if none are (layer 1)."""
    for one, other in combinations(constraints, 2):
        if not together(one.tags, other.tags):
            return f"{one.id} and {other.id} do not go together"
    return None


def together(one: frozenset[Tag], other: frozenset[Tag]) -> bool:
    """Whether types with these tags may stand in one set."""
    for tags, others in ((one, other), (other, one)):
        if "json" in tags and not others & {"json", "json_safe"}:
            return False
        if any(first in tags and second in others for first, second in CONFLICTS):
            return False
    return True


def parameter_conflict(constraints: Sequence[Constraint]) -> str | None:
    """Return why the parameters contradict each other; None if no rule finds that they do (layer 2)."""
    for rule in RULES:
        for reason in rule(constraints):
            return reason
    fault = shapeless(demands_of(constraints))
    sized = sorted({c.id for c in constraints if "size" in c.tags or "paragraphs" in c.tags})
    return None if fault is None else f"{', '.join(sized)}: {fault}"


def conflict(constraints: Sequence[Constraint]) -> str | None:
    """Return why the set contradicts itself; None if no rule finds that it does."""
    return tag_conflict(constraints) or parameter_conflict(constraints)


def required_texts(constraints: Sequence[Constraint]) -> Iterator[Literal]:
    """Yield every required text, and all headers or keys as one more text, since all of them must be there."""
    for constraint in constraints:
        found = literals(constraint)
        yield from found
        if isinstance(constraint, Headers | JsonKeys) and len(found) > 1:
            yield Literal("\n".join(literal.text for literal in found), constraint.id, True)


def forbidding(literal: Literal, constraints: Sequence[Constraint]) -> Constraint | None:
    """Return the first constraint that a required text breaks wherever it stands; None if there is none."""
    reading = Reading(literal.text)
    for constraint in constraints:
        if isinstance(constraint, PROHIBITIONS) and not constraint.check(reading).passed:
            return constraint
        if isinstance(constraint, SecondPerson):
            spoken = Reading(f"{literal.text}\nyou")
            if not SecondPerson(min_you=1).check(spoken).passed:
                return constraint
    return None


def _forbidden(constraints: Sequence[Constraint]) -> Iterator[str]:
    for literal in required_texts(constraints):
        against = forbidding(literal, constraints)
        if against is not None:
            yield f"{literal.owner} requires {quoted(literal.text)}, against {against.id} {quoted(against.params)}"


def _acrostic(constraints: Sequence[Constraint]) -> Iterator[str]:
    words = {c.word.upper() for c in of_kind(constraints, Acrostic)}
    if len(words) > 1:
        yield f"{Acrostic.id}: {' and '.join(sorted(words))} cannot both be spelled"
    for word in words:
        for lipogram in of_kind(constraints, Lipogram):
            if lipogram.letter in word:
                yield f"{Acrostic.id} {quoted(word)} holds the letter {lipogram.letter} of {Lipogram.id}"
        if any(of_kind(constraints, DistinctSentenceStarts)) and len(set(word)) < len(word):
            rule = DistinctSentenceStarts.id
            yield f"{Acrostic.id} {quoted(word)} begins two sentences with one letter, against {rule}"
        for start in of_kind(constraints, FinalParagraphStart):
            letter = first_letter(start.phrase)
            if letter != word[-1]:
                yield f"{start.id} {quoted(start.phrase)} begins with {letter}, {Acrostic.id} ends in {word[-1]}"


def first_letter(phrase: str) -> str | None:
    """Return the first letter of a phrase as one of A-Z; None if it has none."""
    reading = Reading(phrase)
    return reading.first_letter(0) if reading.words else None


def _same_type(constraints: Sequence[Constraint]) -> Iterator[str]:
    for one, other in combinations(constraints, 2):
        if type(one) is not type(other) or one == other:
            continue
        if isinstance(one, PINNED):
            yield f"{one.id}: {quoted(one.params)} and {quoted(other.params)} cannot both hold"
        if isinstance(one, NumberedSublist) and isinstance(other, NumberedSublist):
            here, there = ((c.items, c.item_with_sublist) for c in (one, other))
            if here != there:
                yield f"{one.id}: {quoted(one.params)} and {quoted(other.params)} cannot both hold"
        if isinstance(one, FinalParagraphStart) and isinstance(other, FinalParagraphStart):
            short, long = sorted((one.phrase, other.phrase), key=len)
            if not long.startswith(short):
                yield f"{one.id}: a paragraph begins with {quoted(one.phrase)} or {quoted(other.phrase)}, not both"


def _orders(constraints: Sequence[Constraint]) -> Iterator[str]:
    for kind in (WordOrder, TopicOrder):
        pairs = {(folded(c.first), folded(c.second)) for c in constraints if isinstance(c, kind)}
        for first, second in sorted(pairs):
            if first == second or (second, first) in pairs:
                yield f"{kind.id}: {quoted(first)} before {quoted(second)} and not before"
    for c in of_kind(constraints, MentionRatio):
        if folded(c.more) == folded(c.fewer) and c.ratio > 1:
            yield f"{c.id}: {quoted(c.more)} cannot be mentioned {c.ratio} times as often as itself"
    yield from _placed_orders(constraints)


def _placed_orders(constraints: Sequence[Constraint]) -> Iterator[str]:
    homes: dict[str, int] = {}
    for placed in of_kind(constraints, WordInParagraph):
        home = homes.setdefault(folded(placed.word), placed.paragraph)
        if home != placed.paragraph:
            yield f"{placed.id}: {quoted(placed.word)} in paragraph {home} alone and {placed.paragraph} alone"
    for c in of_kind(constraints, TopicOrder):
        first, second = homes.get(folded(c.first)), homes.get(folded(c.second))
        if second == 1 or (first is not None and second is not None and first >= second):
            order = f"{quoted(c.first)} cannot come in a paragraph before {quoted(c.second)}"
            yield f"{c.id}: {order}, which {WordInParagraph.id} places"


RULES: tuple[Callable[[Sequence[Constraint]], Iterator[str]], ...] = (
    _forbidden, _acrostic, _same_type, _orders, usage_faults,
)  # fmt: skip
