"""Damage to lengths: units added or taken away, as often as a range needs, and ties where one paragraph must win."""

from __future__ import annotations

from collections.abc import Iterator

from audits.damage.editing import Edit, Intact, Mutant, Operators, any_index, words_of
from engine.instruction_adherence.constraints import length
from engine.instruction_adherence.text import Place, Sentence
from engine.randomness import Stream


def word_range(constraint: length.WordRange, text: Intact, stream: Stream) -> Iterator[Mutant]:
    size = len(text.reading.word_places)
    more, fewer = constraint.max + 1 - size, size - constraint.min + 1
    yield Mutant("words added", text.inserted(stream, "more", more), more)
    yield Mutant("words deleted", text.without(stream.sample(range(size), fewer)), fewer)
    yield text.emptied()


def sentence_count(_: length.SentenceCount, text: Intact, stream: Stream) -> Iterator[Mutant]:
    sentences = text.reading.sentences
    yield Mutant("sentence added", text.appended("\n\nOne more."))
    yield Mutant("sentence deleted", text.without(_indices(stream.choice(sentences))))
    if gaps := _gaps(text, sentences):
        yield Mutant("sentence split", text.edited(Edit(*stream.choice(gaps), ". ")))
    if ends := _inner_ends(text):
        end = stream.choice(ends)
        yield Mutant("sentences joined", text.edited(Edit(end - 1, end)))
    yield text.emptied()


def paragraph_count(_: length.ParagraphCount, text: Intact, stream: Stream) -> Iterator[Mutant]:
    yield Mutant("paragraph added", text.appended("\n\nOne more."))
    yield Mutant("paragraph deleted", text.without(words_of(stream.choice(text.reading.paragraphs))))
    prose = [s for s in text.reading.sentences if text.reading.paragraph_of(s.first) is not None]
    if gaps := _gaps(text, prose):
        yield Mutant("paragraph split", text.edited(Edit(*stream.choice(gaps), "\n\n")))
    yield text.emptied()


def bullet_count(_: length.BulletCount, text: Intact, stream: Stream) -> Iterator[Mutant]:
    bullet = stream.choice([line for line in text.reading.items if line.marker == "-"])
    mark = bullet.start + len(bullet.indent)
    yield Mutant("bullet added", text.appended("\n- one more"))
    yield Mutant("bullet deleted", text.without_lines([bullet]))
    yield Mutant("star for a hyphen", text.edited(Edit(mark, mark + 1, "*")))
    yield Mutant("bullet of another sort added", text.appended("\n• one more"))


def paragraph_word_range(constraint: length.ParagraphWordRange, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraph = stream.choice(text.reading.paragraphs)
    more, fewer = constraint.max + 1 - paragraph.size, paragraph.size - constraint.min + 1
    yield Mutant("paragraph too long", text.grown(paragraph.place, more), more)
    if constraint.min > 1:
        yield Mutant("paragraph too short", text.shrunk(paragraph, fewer), fewer)
    yield text.emptied()


def sentence_max_words(constraint: length.SentenceMaxWords, text: Intact, stream: Stream) -> Iterator[Mutant]:
    for nth in {any_index(text.reading.sentences, stream), len(text.reading.sentences) - 1}:
        sentence = text.reading.sentences[nth]
        more, at = constraint.fewer_than - sentence.size, text.reading.word_places[sentence.first][1]
        yield Mutant("sentence too long", text.edited(Edit(at, at, " more" * more)), more)
    yield text.emptied()


def nth_longest(constraint: length.NthLongest, text: Intact, stream: Stream) -> Iterator[Mutant]:
    own, others = text.reading.paragraphs[constraint.nth - 1], list(text.reading.paragraphs)
    del others[constraint.nth - 1]
    rival = stream.choice(others)
    lead = own.size - rival.size
    least = own.size - max(other.size for other in others)
    yield Mutant("rival as long", text.grown(rival.place, lead), lead)
    yield Mutant("rival longer", text.grown(rival.place, lead + 1), lead + 1)
    yield Mutant("no longer than a rival", text.shrunk(own, least), least)
    yield text.emptied()


def nth_shortest(constraint: length.NthShortest, text: Intact, stream: Stream) -> Iterator[Mutant]:
    own, others = text.reading.paragraphs[constraint.nth - 1], list(text.reading.paragraphs)
    del others[constraint.nth - 1]
    rival = stream.choice(others)
    lead = rival.size - own.size
    least = min(other.size for other in others) - own.size
    yield Mutant("rival as short", text.shrunk(rival, lead), lead)
    yield Mutant("as long as a rival", text.grown(own.place, least), least)
    yield Mutant("longer than a rival", text.grown(own.place, least + 1), least + 1)
    yield text.emptied()


def increasing_paragraphs(constraint: length.IncreasingParagraphs, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraphs = text.reading.paragraphs
    if len(paragraphs) > 1:
        index = any_index(paragraphs[1:], stream)
        before, after = paragraphs[index : index + 2]
        step = after.size - before.size
        yield Mutant("as long as the next", text.grown(before.place, step), step)
        yield Mutant("longer than the next", text.grown(before.place, step + 1), step + 1)
        yield Mutant("as short as the one before", text.shrunk(after, step), step)
    surplus = len(paragraphs) - constraint.min_paragraphs + 1
    gone = [index for paragraph in paragraphs[-surplus:] for index in words_of(paragraph)]
    yield Mutant("too few paragraphs", text.without(gone), surplus)


def _indices(sentence: Sentence) -> range:
    return range(sentence.first, sentence.last)


def _gaps(text: Intact, sentences: tuple[Sentence, ...] | list[Sentence]) -> list[Place]:
    """Return the single spaces between two words of one sentence, of which the second is no list marker by itself."""
    places = text.reading.word_places
    pairs = ((places[i - 1][1], places[i]) for s in sentences for i in range(s.first + 1, s.last))
    return [(end, start) for end, (start, last) in pairs if text.core[end:start] == " " and last - start > 1]


def _inner_ends(text: Intact) -> list[int]:
    """Return where a sentence ends in front of another one on the same line, with a single mark after a word."""
    ends = []
    for sentence, after in zip(text.reading.sentences, text.reading.sentences[1:], strict=False):
        mark = text.core[sentence.end - 2 : sentence.end]
        if mark[:1].isalpha() and mark[1:] in (".", "!", "?") and "\n" not in text.core[sentence.end : after.start]:
            ends.append(sentence.end)
    return ends


DAMAGE: Operators = {
    length.WordRange: word_range,
    length.SentenceCount: sentence_count,
    length.ParagraphCount: paragraph_count,
    length.BulletCount: bullet_count,
    length.ParagraphWordRange: paragraph_word_range,
    length.SentenceMaxWords: sentence_max_words,
    length.NthLongest: nth_longest,
    length.NthShortest: nth_shortest,
    length.IncreasingParagraphs: increasing_paragraphs,
}
