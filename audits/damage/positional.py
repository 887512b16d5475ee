"""Damage to places: words in the wrong paragraph or sentence, dates spoilt, order and ratio upset, openings changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from audits.damage.editing import Edit, Intact, Mutant, Operators, other_than, words_of
from engine.instruction_adherence.constraints import positional
from engine.instruction_adherence.text import folded
from engine.randomness import Stream

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def word_in_paragraph(constraint: positional.WordInParagraph, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraphs, uses = text.reading.paragraphs, text.reading.uses(folded(constraint.word))
    others = [paragraph for nth, paragraph in enumerate(paragraphs, start=1) if nth != constraint.paragraph]
    yield Mutant("word deleted", text.without(uses), len(uses))
    yield Mutant("word in a new paragraph", text.appended(f"\n\n{constraint.word} again."))
    yield Mutant("one place further down", text.prefixed("One more.\n\n"))
    if others:
        index = stream.choice(words_of(stream.choice(others)))
        yield Mutant("word in another paragraph", text.before_word(index, constraint.word))
    yield text.emptied()


def date_after_event(constraint: positional.DateAfterEvent, text: Intact, stream: Stream) -> Iterator[Mutant]:
    forms = (constraint.word, *constraint.forms)
    uses = [index for form in set(map(folded, forms)) for index in text.reading.uses(form)]
    dates = len(_DATE.findall(text.core))
    yield Mutant("use without a date added", text.appended(f"\n\nThe {stream.choice(forms)} again."))
    yield Mutant("date put before the word", text.appended(f"\n\nOn 2031-05-17 the {constraint.word} again."))
    for name, by in {"month 13": r"\1-13-\3", "day 32": r"\1-\2-32", "digit glued on": r"\1-\2-\g<3>0"}.items():
        yield Mutant(name, text.with_core(_DATE.sub(by, text.core)), dates)
    yield Mutant("dates deleted", text.with_core(_DATE.sub("", text.core)), dates)
    yield Mutant("word deleted", text.without(uses), len(uses))
    yield text.emptied()


def topic_order(constraint: positional.TopicOrder, text: Intact, _: Stream) -> Iterator[Mutant]:
    early, late = (text.reading.uses(folded(word)) for word in (constraint.first, constraint.second))
    mentioned = next(index for index in early if text.reading.paragraph_of(index) is not None)
    yield Mutant("second word put first", text.prefixed(f"The {constraint.second} again.\n\n"))
    yield Mutant("both in one paragraph", text.before_word(mentioned, constraint.second))
    yield Mutant("first word deleted", text.without(early), len(early))
    yield Mutant("second word deleted", text.without(late), len(late))
    yield text.emptied()


def mention_ratio(constraint: positional.MentionRatio, text: Intact, stream: Stream) -> Iterator[Mutant]:
    more, fewer = (text.reading.uses(folded(word)) for word in (constraint.more, constraint.fewer))
    many, few = ({text.reading.sentence_of(index) for index in uses} - {None} for uses in (more, fewer))
    added = len(many) // constraint.ratio + 1 - len(few)
    yield Mutant("fewer mentioned more", text.appended(f"\n\nThe {constraint.fewer} again." * added), added)
    lost = len(many) - constraint.ratio * len(few) + 1
    homes = set(stream.sample(sorted(home for home in many if home is not None), lost))
    gone = [index for index in more if text.reading.sentence_of(index) in homes]
    yield Mutant("more mentioned less", text.replaced(gone, other_than(constraint.fewer)), lost)
    yield Mutant("more not mentioned", text.without(more), len(more))
    yield Mutant("fewer not mentioned", text.without(fewer), len(fewer))
    yield text.emptied()


def however_once(_: positional.HoweverOnce, text: Intact, __: Stream) -> Iterator[Mutant]:
    sentences = text.reading.sentences
    index = next(s.first for s in sentences if text.reading.words[s.first] == "however")
    yield Mutant("sentence with however added", text.appended("\n\nHowever, one more."))
    yield Mutant("sentence with however in capitals added", text.appended("\n\nHOWEVER, one more."))
    yield Mutant("however no longer first", text.before_word(index, "Yet"))
    yield Mutant("however replaced", text.replaced([index], "Nevertheless"))
    yield text.emptied()


def final_paragraph_start(constraint: positional.FinalParagraphStart, text: Intact, _: Stream) -> Iterator[Mutant]:
    other = other_than(constraint.phrase.split()[0]).title()
    final = text.reading.paragraphs[-1]
    start = text.core.index(constraint.phrase, final.place[0])
    end = start + len(constraint.phrase)
    yield Mutant("another final paragraph", text.appended(f"\n\n{other} again."))
    yield Mutant("word before it", text.edited(Edit(start, start, f"{other} ")))
    yield Mutant("in other case", text.edited(Edit(start, end, constraint.phrase.swapcase())))
    if constraint.phrase[-1].isalpha():
        yield Mutant("longer last word", text.edited(Edit(end, end, "x")))
    yield Mutant("replaced", text.edited(Edit(start, end, other)))
    yield text.emptied()


def nth_sentence_contains(constraint: positional.NthSentenceContains, text: Intact, _: Stream) -> Iterator[Mutant]:
    word, other = folded(constraint.word), other_than(constraint.word)
    sentence = text.reading.sentences[constraint.nth - 1]
    uses = [index for index in text.reading.uses(word) if sentence.first <= index < sentence.last]
    yield Mutant("word replaced", text.replaced(uses, other), len(uses))
    yield Mutant("compound for the word", text.replaced(uses, f"mega-{constraint.word}"), len(uses))
    before = text.reading.sentences[constraint.nth - 2] if constraint.nth > 1 else None
    if before is None or word not in text.reading.words[before.first : before.last]:
        yield Mutant("one place further down", text.prefixed(f"{other.title()}.\n\n"))
    yield text.emptied()


DAMAGE: Operators = {
    positional.WordInParagraph: word_in_paragraph,
    positional.DateAfterEvent: date_after_event,
    positional.TopicOrder: topic_order,
    positional.MentionRatio: mention_ratio,
    positional.HoweverOnce: however_once,
    positional.FinalParagraphStart: final_paragraph_start,
    positional.NthSentenceContains: nth_sentence_contains,
}
