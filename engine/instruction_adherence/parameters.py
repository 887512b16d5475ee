"""How each type draws its parameters among others, and in which order the types are drawn.

A type that has no function here is drawn alone, by its own `sample`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from engine.instruction_adherence.compat import PROHIBITIONS, first_letter, required_texts
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import (
    FOREIGN,
    NoPassive,
    ParagraphLanguage,
    PresentTense,
    SecondPerson,
)
from engine.instruction_adherence.constraints.length import (
    BulletCount,
    IncreasingParagraphs,
    NthLongest,
    NthShortest,
    ParagraphCount,
    SentenceMaxWords,
)
from engine.instruction_adherence.constraints.lexical import (
    Acrostic,
    DistinctSentenceStarts,
    ExactPhrase,
    ForbiddenWords,
    Lipogram,
    NoRepeat,
    SynonymBan,
    WordExactK,
    WordOrder,
)
from engine.instruction_adherence.constraints.positional import (
    DateAfterEvent,
    FinalParagraphStart,
    HoweverOnce,
    MentionRatio,
    NthSentenceContains,
    TopicOrder,
    WordInParagraph,
)
from engine.instruction_adherence.constraints.structure import (
    AlternatingLines,
    Headers,
    JsonKeys,
    NumberedSublist,
    Sections,
)
from engine.instruction_adherence.demands import demands_of, of_kind
from engine.instruction_adherence.drafts import ConstraintType, Draft, Maker, NoChoice
from engine.instruction_adherence.foreign import usable
from engine.instruction_adherence.keywords import FEWEST_USABLE
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.usage import fewest_uses
from engine.instruction_adherence.wordlists import bans, grammar, required, shapes
from engine.randomness import Stream

FEWEST_PIECES = 14
"""Sentences that a language must have left under the prohibitions to be drawn."""


def draft(
    types: Sequence[ConstraintType],
    stream: Stream,
    keywords: Sequence[str] = (),
    given: Sequence[Constraint] = (),
    revoked: Sequence[Constraint] = (),
) -> tuple[list[Constraint], int]:
    """Return constraints of these types that go with each other and with those given, and the planned paragraphs.

    Raises:
        NoChoice: none go together.
    """
    fault = NoChoice("no letter leaves the required words")
    for letter in _letters(types, keywords, stream):
        work = Draft(tuple(types), stream, tuple(keywords), letter, list(given), tuple(revoked))
        try:
            return work.run(TURNS, MAKERS), work.paragraphs
        except NoChoice as error:
            fault = error
    raise fault


def _letters(types: Sequence[ConstraintType], keywords: Sequence[str], stream: Stream) -> Iterator[str]:
    if Lipogram not in types:
        yield ""
        return
    fixed = "however" * (HoweverOnce in types) + "you" * (SecondPerson in types)
    for letter in stream.shuffled(ascii_uppercase):
        usable_keywords = sum(letter.lower() not in keyword.lower() for keyword in keywords)
        if letter.lower() not in fixed and (not keywords or usable_keywords >= FEWEST_USABLE):
            yield letter


def _lipogram(draft: Draft) -> Constraint:
    return Lipogram(letter=draft.letter)


def _acrostic(draft: Draft) -> Constraint:
    low, high = demands_of(draft.closed).paragraphs
    low = max(low, 3 if draft.has(ParagraphLanguage) and draft.has(TopicOrder, WordInParagraph) else 2)
    options = [word for word in draft.shuffled(required().acrostics) if low <= len(word) <= high]
    if draft.has(DistinctSentenceStarts):
        options = [word for word in options if len(set(word)) == len(word)]
        if draft.has(HoweverOnce):
            options.sort(key=lambda word: "H" in word)
    if draft.has(FinalParagraphStart):
        ends = {first_letter(start) for start in required().final_starts if draft.letter.lower() not in start.lower()}
        ends = ends if draft.letter else {first_letter(start) for start in required().final_starts}
        options = [word for word in options if word[-1] in ends]
    for word in options:
        if draft.letter not in word or not draft.letter:
            return Acrostic(word=word)
    raise NoChoice(f"{Acrostic.id}: no word goes with the other constraints")


def _final_start(draft: Draft) -> Constraint:
    ends = [c.word[-1].upper() for c in of_kind(draft.closed, Acrostic)]
    starts = draft.shuffled([start for start in required().final_starts if not ends or first_letter(start) in ends])
    if draft.get(DistinctSentenceStarts) is not None:
        heads = "".join(c.word[:-1].upper() for c in of_kind(draft.closed, Acrostic))
        starts = [start for start in starts if (first_letter(start) or "") not in heads]
    return draft.pick(FinalParagraphStart, (FinalParagraphStart(phrase=draft.case(start)) for start in starts))


def _paragraph_count(draft: Draft) -> Constraint:
    return ParagraphCount(n=draft.paragraphs)


def _increasing(draft: Draft) -> Constraint:
    return IncreasingParagraphs(min_paragraphs=draft.stream.between(2, max(2, min(4, draft.paragraphs))))


def _nth_longest(draft: Draft) -> Constraint:
    if draft.has(IncreasingParagraphs):
        return NthLongest(nth=draft.paragraphs)
    shortest = {c.nth for c in of_kind(draft.closed, NthShortest)}
    return NthLongest(nth=draft.stream.choice([n for n in range(1, draft.paragraphs + 1) if n not in shortest]))


def _nth_shortest(draft: Draft) -> Constraint:
    if draft.has(IncreasingParagraphs):
        return NthShortest(nth=1)
    longest = {c.nth for c in of_kind(draft.closed, NthLongest)}
    return NthShortest(nth=draft.stream.choice([n for n in range(1, draft.paragraphs + 1) if n not in longest]))


def _language(draft: Draft) -> Constraint:
    """Choose a paragraph that need not hold English words, and a language with enough sentences left."""
    last = draft.paragraphs - 1 if draft.has(FinalParagraphStart) else draft.paragraphs
    taken = {c.paragraph for c in of_kind(draft.closed, WordInParagraph)}
    options = [n for n in range(1, min(last, 3) + 1) if n not in taken]
    heads = next((c.word.upper() for c in of_kind(draft.closed, Acrostic)), "")
    for language in draft.shuffled(FOREIGN):
        pieces = usable(language, draft.closed)
        for paragraph in draft.shuffled(options):
            begun = [p for p in pieces if not heads or first_letter(p) == heads[paragraph - 1]]
            if len(pieces) >= FEWEST_PIECES and begun:
                return ParagraphLanguage(paragraph=paragraph, language=language)
    raise NoChoice(f"{ParagraphLanguage.id}: too few sentences are left in every language")


def _bullets(draft: Draft) -> Constraint:
    return BulletCount(n=draft.stream.between(3, 5 if draft.has(DistinctSentenceStarts) else 8))


def _numbered(draft: Draft) -> Constraint:
    items = draft.stream.between(3, 4 if draft.has(DistinctSentenceStarts) else 6)
    nth = draft.stream.between(1, items)
    return NumberedSublist(items=items, item_with_sublist=nth, min_entries=draft.stream.between(2, 3))


def _sections(draft: Draft) -> Constraint:
    return Sections(n=draft.stream.between(2, max(2, min(4, draft.paragraphs))), separator="---")


def _headers(draft: Draft) -> Constraint:
    hashes = draft.stream.choice(("##", "###"))
    names = [Headers(headers=(f"{hashes} {draft.case(name)}",)) for name in draft.shuffled(shapes().headers)]
    good = [c.headers[0] for c in names if draft.fits(c)]
    if not good:
        raise NoChoice(f"{Headers.id}: no header goes with the other constraints")
    return Headers(headers=tuple(good[: draft.stream.between(2, 4)]))


def _keys(draft: Draft) -> Constraint:
    good = [key for key in draft.shuffled(shapes().keys) if draft.fits(JsonKeys(keys=(key,)))]
    if not good:
        raise NoChoice(f"{JsonKeys.id}: no key goes with the other constraints")
    return JsonKeys(keys=tuple(good[: draft.stream.between(2, 4)]))


def _phrase(draft: Draft) -> Constraint:
    return draft.pick(ExactPhrase, (ExactPhrase(phrase=phrase) for phrase in draft.shuffled(required().phrases)))


def _topics(draft: Draft) -> Constraint:
    return draft.pick(TopicOrder, (TopicOrder(first=a, second=b) for a, b in draft.shuffled(required().topics)))


def _ratio(draft: Draft) -> Constraint:
    pairs = draft.shuffled(required().topics)
    ratio = draft.stream.between(2, 3)
    return draft.pick(MentionRatio, (MentionRatio(more=a, fewer=b, ratio=ratio) for a, b in pairs))


def _event(draft: Draft) -> Constraint:
    events = draft.shuffled(required().events)
    return draft.pick(DateAfterEvent, (DateAfterEvent(word=forms[0], forms=forms) for forms in events))


def _word_order(draft: Draft) -> Constraint:
    return draft.pick(WordOrder, (WordOrder(first=a, second=b) for a, b in draft.shuffled(required().ordered)))


def _word_in_paragraph(draft: Draft) -> Constraint:
    paragraph = draft.stream.choice([nth for nth in draft.native() if nth <= 4])
    words = draft.shuffled(required().placed)
    return draft.pick(WordInParagraph, (WordInParagraph(word=word, paragraph=paragraph) for word in words))


def _nth_sentence(draft: Draft) -> Constraint:
    words = draft.shuffled(required().placed)
    return draft.pick(NthSentenceContains, (NthSentenceContains(nth=2, word=word) for word in words))


def _exact_k(draft: Draft) -> Constraint:
    uses = draft.stream.between(2, 3 if draft.has(NoRepeat) else 5)
    words = draft.shuffled(required().counted)
    return draft.pick(WordExactK, (WordExactK(word=word, k=uses) for word in words))


def _no_repeat(draft: Draft) -> Constraint:
    uses = fewest_uses(draft.closed)
    free = frozenset(grammar().common)
    low = max([2, *(count for word, count in uses.items() if word not in free)])
    return NoRepeat(max_times=draft.stream.between(low, max(low, 4)), allowed=grammar().common)


def _texts(draft: Draft) -> Reading:
    """Return all that must stay allowed."""
    kept = [literal.text for literal in required_texts(draft.closed)]
    return Reading("\n".join([*kept, *draft.keywords]))


def _forbidden(draft: Draft) -> Constraint:
    kept = _texts(draft)
    words = draft.shuffled(bans().forbidden)
    good = [word for word in words if ForbiddenWords(words=(word,)).check(kept).passed]
    return ForbiddenWords(words=tuple(good[: draft.stream.between(2, 4)]))


def _synonyms(draft: Draft) -> Constraint:
    kept = _texts(draft)
    for group in draft.shuffled(bans().synonyms):
        good = [word for word in draft.shuffled(group) if SynonymBan(words=(word,)).check(kept).passed]
        if len(good) >= 3:
            return SynonymBan(words=tuple(good[: draft.stream.between(3, len(good))]))
    raise NoChoice(f"{SynonymBan.id}: every group has a word that is required")


def _second_person(draft: Draft) -> Constraint:
    return SecondPerson(min_you=draft.stream.between(2, 5))


MAKERS: dict[ConstraintType, Maker] = {
    Lipogram: _lipogram, SecondPerson: _second_person, Acrostic: _acrostic, FinalParagraphStart: _final_start,
    ParagraphCount: _paragraph_count, IncreasingParagraphs: _increasing, NthLongest: _nth_longest,
    NthShortest: _nth_shortest, ParagraphLanguage: _language, BulletCount: _bullets, NumberedSublist: _numbered,
    Sections: _sections, Headers: _headers, JsonKeys: _keys, ExactPhrase: _phrase, TopicOrder: _topics,
    MentionRatio: _ratio, DateAfterEvent: _event, WordOrder: _word_order, WordInParagraph: _word_in_paragraph,
    NthSentenceContains: _nth_sentence, WordExactK: _exact_k, NoRepeat: _no_repeat, ForbiddenWords: _forbidden,
    SynonymBan: _synonyms,
}  # fmt: skip
"""How a type is drawn among others; a type that is not here is drawn alone."""
TURNS: tuple[ConstraintType, ...] = (
    *PROHIBITIONS[3:], Lipogram, PresentTense, NoPassive, SecondPerson, DistinctSentenceStarts, SentenceMaxWords,
    HoweverOnce, Acrostic, FinalParagraphStart, ParagraphCount, IncreasingParagraphs, NthLongest, NthShortest,
    ParagraphLanguage, BulletCount, NumberedSublist, Sections, Headers, JsonKeys, AlternatingLines, ExactPhrase,
    TopicOrder, MentionRatio, DateAfterEvent, WordOrder, WordInParagraph, NthSentenceContains, WordExactK, NoRepeat,
    ForbiddenWords, SynonymBan,
)  # fmt: skip
"""The order in which types are drawn; those that are not here come first."""
