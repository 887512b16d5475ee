"""What a revoked constraint asks for: that nothing of what it wanted is left in the response.

Absence is stricter than not passing: three bullets do not satisfy "exactly four", and they are still bullets. Each
revocable type has a tracer, which yields where something of it is found; a response is free of it if there is no such
place. Section "Readings decided", 32 and 38.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from engine.errors import UsageError, quoted
from engine.instruction_adherence.bold import bold_phrases
from engine.instruction_adherence.cleaning import AUDIT_HEADS, RESTATED_HEAD
from engine.instruction_adherence.constraint import Constraint, Verdict, verdict
from engine.instruction_adherence.constraints import language, length, lexical, meta, positional, structure
from engine.instruction_adherence.constraints.language import JUDGED_WORDS
from engine.instruction_adherence.detection import CODES, detect
from engine.instruction_adherence.text import Place, Reading, folded

_CLOSING = " \t\r\n\"'”’»›)]}*_`"
"""What may stand after a question mark and leaves it the end of a question."""
_QUESTION_MARKS = ("?", "？", "؟", "⁇", "⁈", "‽")
_NUMBER = re.compile(r"\s*\[[0-9]+\]")


def absent(constraint: Constraint, reading: Reading) -> Verdict:
    """Judge whether a response is free of what a revoked constraint wanted.

    Raises:
        UsageError: the type is not revocable.
    """
    if type(constraint) not in TRACERS:
        raise UsageError(f"{constraint.id} cannot be revoked; revocable: {', '.join(kind.id for kind in TRACERS)}")
    places = list(TRACERS[type(constraint)](constraint, reading))
    if not places:
        return Verdict(True, "nothing of it left", ())
    if "raw" not in constraint.tags:
        start, end = places[0]
        return verdict(reading, False, f"still there: {quoted(reading.text[start:end])}; none asked", places)
    start, end = places[0]
    spans = reading.clean_spans(places)
    return Verdict(False, f"still there: {quoted(reading.clean[start:end])}; none asked", spans)


def _bullets(_: length.BulletCount, reading: Reading) -> Iterator[Place]:
    return ((line.start, line.end) for line in reading.items if line.marker in "-*•")


def _word(constraint: _OneWord, reading: Reading) -> Iterator[Place]:
    yield from reading.places(reading.uses(folded(constraint.word)))


def _acrostic(constraint: lexical.Acrostic, reading: Reading) -> Iterator[Place]:
    """Yield the paragraphs, neighbours of each other, that spell the word; others may stand before and after."""
    letters = "".join(reading.paragraph_letter(paragraph) or "?" for paragraph in reading.paragraphs)
    at = letters.find(constraint.word.upper())
    if at >= 0:
        yield from (paragraph.place for paragraph in reading.paragraphs[at : at + len(constraint.word)])


def _phrase(constraint: lexical.ExactPhrase, reading: Reading) -> Iterator[Place]:
    """Yield where the words of the phrase follow one another, in any case and with anything between them."""
    words = Reading(constraint.phrase).words
    if not words:
        yield from (match.span() for match in re.finditer(re.escape(constraint.phrase), reading.text))
    for index in reading.uses(words[0]) if words else ():
        if reading.words[index : index + len(words)] == words:
            yield reading.word_places[index][0], reading.word_places[index + len(words) - 1][1]


def _headings(_: structure.Headers, reading: Reading) -> Iterator[Place]:
    return ((line.start, line.end) for line in reading.headings)


def _numbered(_: structure.NumberedSublist, reading: Reading) -> Iterator[Place]:
    return ((line.start, line.end) for line in reading.items if line.marker[0].isdigit())


def _marks(constraint: structure.Wrapped, reading: Reading) -> Iterator[Place]:
    for mark in (constraint.open, constraint.close):
        yield from (match.span() for match in re.finditer(re.escape(mark), reading.clean))


def _same_ends(_: structure.FirstLastWord, reading: Reading) -> Iterator[Place]:
    if len(reading.words) > 1 and reading.words[0] == reading.words[-1]:
        yield from (reading.word_places[0], reading.word_places[-1])


def _final_question(_: structure.EndsQuestion, reading: Reading) -> Iterator[Place]:
    body = reading.text.rstrip(_CLOSING)
    if body.endswith(_QUESTION_MARKS):
        yield len(body) - 1, len(body)


def _separators(constraint: structure.Sections, reading: Reading) -> Iterator[Place]:
    for line in reading.lines:
        if line.kind == "rule" and reading.text[line.start : line.end].rstrip() == constraint.separator:
            yield line.start, line.end


def _titles(_: structure.Title, reading: Reading) -> Iterator[Place]:
    return ((line.start, line.end) for line in reading.lines if line.kind == "title")


def _bold(_: structure.BoldCount, reading: Reading) -> Iterator[Place]:
    phrases, strays = bold_phrases(reading)
    yield from sorted([*phrases, *strays])


def _in_language(constraint: language.ParagraphLanguage, reading: Reading) -> Iterator[Place]:
    """Yield sentences and paragraphs in the language; a few words alone prove none unless the constraint is met."""
    code = CODES[constraint.language]
    for sentence in reading.sentences:
        if sentence.size >= JUDGED_WORDS and detect(reading.text[sentence.start : sentence.end]) == code:
            yield sentence.start, sentence.end
    for paragraph in reading.paragraphs:
        if paragraph.size >= JUDGED_WORDS and detect(reading.paragraph_text(paragraph)) == code:
            yield paragraph.place
    if constraint.check(reading).passed:
        yield reading.paragraphs[constraint.paragraph - 1].place


def _however(_: positional.HoweverOnce, reading: Reading) -> Iterator[Place]:
    starts = (sentence.first for sentence in reading.sentences if reading.words[sentence.first] == "however")
    yield from reading.places(starts)


def _openings(constraint: positional.FinalParagraphStart, reading: Reading) -> Iterator[Place]:
    """Yield the paragraphs that open with the words of the phrase, in any case."""
    words = Reading(constraint.phrase).words
    for paragraph in reading.paragraphs:
        first = next(start for start, after in paragraph.runs if after > start)
        opening = reading.words[first : first + len(words)]
        if opening == words if words else reading.opens_with(paragraph, constraint.phrase):
            yield paragraph.place


def _audit(_: meta.SelfAudit, reading: Reading) -> Iterator[Place]:
    return (place for place, line in _clean_lines(reading) if line in AUDIT_HEADS)


def _restated(_: meta.Restate, reading: Reading) -> Iterator[Place]:
    return (place for place, line in _clean_lines(reading) if line.startswith(RESTATED_HEAD))


def _clean_lines(reading: Reading) -> Iterator[tuple[Place, str]]:
    for match in re.finditer(r"[^\n]+", reading.clean):
        yield match.span(), match.group().strip()


def _paragraph_numbers(_: meta.NumberParagraphs, reading: Reading) -> Iterator[Place]:
    places = (paragraph.place for paragraph in reading.paragraphs)
    return ((start, end) for start, end in places if _NUMBER.match(reading.text, start))


_OneWord = lexical.WordExactK | positional.WordInParagraph | positional.NthSentenceContains
TRACERS: Mapping[type[Constraint], Callable[..., Iterator[Place]]] = {
    length.BulletCount: _bullets,
    lexical.WordExactK: _word,
    lexical.Acrostic: _acrostic,
    lexical.ExactPhrase: _phrase,
    structure.Headers: _headings,
    structure.NumberedSublist: _numbered,
    structure.Wrapped: _marks,
    structure.FirstLastWord: _same_ends,
    structure.EndsQuestion: _final_question,
    structure.Sections: _separators,
    structure.Title: _titles,
    structure.BoldCount: _bold,
    language.ParagraphLanguage: _in_language,
    positional.WordInParagraph: _word,
    positional.HoweverOnce: _however,
    positional.FinalParagraphStart: _openings,
    positional.NthSentenceContains: _word,
    meta.SelfAudit: _audit,
    meta.Restate: _restated,
    meta.NumberParagraphs: _paragraph_numbers,
}
"""The revocable types, which ask for something visible, and their tracers (offsets into `clean` for raw types)."""
