"""How often each word must and may be used: uses that are demanded against caps and against the length of the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from engine.errors import quoted
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import SecondPerson
from engine.instruction_adherence.constraints.length import WordRange
from engine.instruction_adherence.constraints.lexical import ExactPhrase, NoRepeat, WordExactK
from engine.instruction_adherence.constraints.positional import FinalParagraphStart, MentionRatio, NthSentenceContains
from engine.instruction_adherence.constraints.structure import FirstLastWord, Headers, JsonKeys
from engine.instruction_adherence.demands import MANY, literals, of_kind, required_words
from engine.instruction_adherence.text import Reading, folded


def caps(constraints: Sequence[Constraint]) -> Mapping[str, int]:
    """Return how often each word with an exact number of uses may stand in the text."""
    found: dict[str, int] = {}
    for exact in of_kind(constraints, WordExactK):
        word = folded(exact.word)
        found[word] = min(found.get(word, MANY), exact.k)
    return found


def cap_of_others(constraints: Sequence[Constraint]) -> int:
    """Return how often a word that no list leaves free may stand in the text."""
    return min((c.max_times for c in of_kind(constraints, NoRepeat)), default=MANY)


def free_words(constraints: Sequence[Constraint]) -> frozenset[str]:
    """Return the words that no repetition limit bounds."""
    lists = [frozenset(map(folded, c.allowed)) for c in of_kind(constraints, NoRepeat)]
    return frozenset.intersection(*lists) if lists else frozenset()


def cap(word: str, constraints: Sequence[Constraint]) -> int:
    """Return how often a folded word may stand in the text."""
    limits = [c.max_times for c in of_kind(constraints, NoRepeat) if word not in map(folded, c.allowed)]
    return min([caps(constraints).get(word, MANY), *limits])


def fewest_uses(constraints: Sequence[Constraint]) -> Counter[str]:
    """Return a lower bound on the uses of every required word: uses that may coincide are counted once."""
    outside, inside, overall = Counter[str](), Counter[str](), Counter[str]()
    sentences: dict[str, set[int]] = {}
    for c in constraints:
        match c:
            case Headers() | JsonKeys():
                for literal in literals(c):
                    outside.update(Reading(literal.text).words)
            case WordExactK():
                overall[folded(c.word)] = max(overall[folded(c.word)], c.k)
            case SecondPerson():
                overall["you"] = max(overall["you"], c.min_you)
            case MentionRatio():
                inside[folded(c.more)] = max(inside[folded(c.more)], c.ratio)
                inside[folded(c.fewer)] = max(inside[folded(c.fewer)], 1)
            case NthSentenceContains():
                sentences.setdefault(folded(c.word), set()).add(c.nth)
            case FinalParagraphStart():
                inside |= Counter(Reading(c.phrase).words)
            case ExactPhrase():
                overall |= Counter(Reading(c.phrase).words)
            case _:
                used = Counter(map(folded, required_words(c)))
                if c.family == "positional":
                    inside |= used
                else:
                    overall |= used
    inside |= Counter({word: len(nths) for word, nths in sentences.items()})
    return (inside + outside) | overall


def usage_faults(constraints: Sequence[Constraint]) -> Iterator[str]:
    """Yield every word that must be used more often than it may be."""
    exact: dict[str, int] = {}
    for c in of_kind(constraints, WordExactK):
        if exact.setdefault(folded(c.word), c.k) != c.k:
            yield f"{c.id}: {quoted(c.word)} exactly {exact[folded(c.word)]} and exactly {c.k} times"
    needed = fewest_uses(constraints)
    for length in of_kind(constraints, WordRange):
        if needed.total() > length.max:
            yield f"{length.id} allows {length.max} words, {needed.total()} are required by name"
    for word, uses in needed.items():
        most = cap(word, constraints)
        if uses > most:
            limits = (c.id for c in constraints if isinstance(c, WordExactK | NoRepeat))
            yield f"{quoted(word)} must be used at least {uses} times; {', '.join(limits)} allow {most}"
    if any(of_kind(constraints, FirstLastWord)) and cap_of_others(constraints) == 1 and not free_words(constraints):
        yield f"{FirstLastWord.id} uses a word twice, {NoRepeat.id} allows each one once"
