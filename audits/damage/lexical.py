"""Damage to words and letters: what is banned put in, what is demanded taken out, one use too many or too few."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from audits.damage.editing import Edit, Intact, Mutant, Operators, any_index, other_than, words_of
from engine.instruction_adherence.constraints import lexical
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.text import folded
from engine.instruction_adherence.wordlists import lookalikes
from engine.randomness import Stream

COMMAS = {"comma": ",", "full-width comma": "，", "ideographic comma": "、", "Arabic comma": "،"}


def lipogram(constraint: lexical.Lipogram, text: Intact, stream: Stream) -> Iterator[Mutant]:
    letter = constraint.letter
    shapes = {"capital": letter, "small letter": letter.lower(), "full-width letter": chr(ord(letter) - 65 + 0xFF21)}
    shapes["accented letter"] = unicodedata.normalize("NFC", letter.lower() + "\u0301")
    alike = [char for char, shown in lookalikes().items() if shown.lower() == letter.lower()]
    for name, shape in shapes.items():
        yield Mutant(f"{name} used", text.inserted(stream, shape))
        yield Mutant(f"{name} used inside a word", text.inserted(stream, f"zz{shape}zz"))
    if alike:
        yield Mutant("look-alike used", text.inserted(stream, stream.choice(alike)))


def ban(constraint: lexical.ForbiddenWords | lexical.SynonymBan, text: Intact, stream: Stream) -> Iterator[Mutant]:
    word = stream.choice(constraint.words)
    others = sorted(forms(folded(word)) - {folded(word)})
    yield Mutant("word used", text.inserted(stream, word))
    yield Mutant("word used in capitals", text.inserted(stream, word.upper()))
    yield Mutant("possessive used", text.inserted(stream, f"{word}'s"))
    if "-" not in word:
        yield Mutant("compound used", text.inserted(stream, f"mega-{word}"))
    if others:
        yield Mutant("inflected form used", text.inserted(stream, stream.choice(others)))


def word_exact_k(constraint: lexical.WordExactK, text: Intact, stream: Stream) -> Iterator[Mutant]:
    uses = text.reading.uses(folded(constraint.word))
    yield Mutant("word added", text.inserted(stream, constraint.word))
    yield Mutant("word added in capitals", text.inserted(stream, constraint.word.upper()))
    if uses:
        yield Mutant("word deleted", text.without([stream.choice(uses)]))
        yield Mutant("compound for the word", text.replaced([stream.choice(uses)], f"mega-{constraint.word}"))
        yield text.emptied()


def word_order(constraint: lexical.WordOrder, text: Intact, stream: Stream) -> Iterator[Mutant]:
    early, late = (text.reading.uses(folded(word)) for word in (constraint.first, constraint.second))
    yield Mutant("second word put first", text.prefixed(f"{constraint.second} "))
    yield Mutant("second word put before the first", text.before_word(early[0], constraint.second))
    yield Mutant("first word deleted", text.without(early), len(early))
    yield Mutant("second word deleted", text.without(late), len(late))
    yield text.emptied()


def no_repeat(constraint: lexical.NoRepeat, text: Intact, stream: Stream) -> Iterator[Mutant]:
    free = set(map(folded, constraint.allowed))
    counts = {word: uses for word, uses in text.reading.counts.items() if word not in free}
    counts.setdefault(other_than(*free), 0)
    most = max(counts, key=lambda word: counts[word])
    for name, word in (("most frequent word", most), ("some word", stream.choice(sorted(counts)))):
        more = constraint.max_times + 1 - counts[word]
        yield Mutant(f"{name} repeated", text.inserted(stream, word, more), more)
        yield Mutant(f"{name} repeated in capitals", text.inserted(stream, word.upper(), more), more)


def distinct_sentence_starts(_: lexical.DistinctSentenceStarts, text: Intact, stream: Stream) -> Iterator[Mutant]:
    sentences = text.reading.sentences
    index = any_index(sentences, stream)
    word = text.reading.written[sentences[index].first]
    yield Mutant("first letter used by a new sentence", text.appended(f"\n\n{word} again."))
    yield Mutant("sentence begins with a foreign letter", text.before_word(sentences[index].first, "Жар"))
    if len(sentences) > 1:
        other = stream.choice([sentence for sentence in sentences if sentence != sentences[index]])
        yield Mutant("first letter used by another sentence", text.before_word(other.first, word))
    yield text.emptied()


def acrostic(_: lexical.Acrostic, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraphs = text.reading.paragraphs
    paragraph = stream.choice(paragraphs)
    first = words_of(paragraph)[0]
    other = "Zebra" if text.reading.paragraph_letter(paragraph) != "Z" else "Apple"
    yield Mutant("another first letter", text.before_word(first, other))
    yield Mutant("paragraph added", text.appended("\n\nOne more."))
    yield Mutant("paragraph put first", text.prefixed("One more.\n\n"))
    yield Mutant("paragraph deleted", text.without(words_of(paragraph)))
    yield text.emptied()


def exact_phrase(constraint: lexical.ExactPhrase, text: Intact, _: Stream) -> Iterator[Mutant]:
    phrase = unicodedata.normalize("NFC", constraint.phrase)
    variants = {"other case": phrase.swapcase(), "longer word": f"x{phrase}x", "phrase deleted": ""}
    if " " in phrase:
        variants["two spaces"] = phrase.replace(" ", "  ")
        variants["no-break space"] = phrase.replace(" ", "\u00a0")
        variants["line break"] = phrase.replace(" ", "\n")
        variants["words turned round"] = " ".join(reversed(phrase.split(" ")))
    for name, variant in variants.items():
        changed = text.core.replace(phrase, variant)
        if name == "longer word" or phrase not in changed:
            yield Mutant(name, text.with_core(changed), text.core.count(phrase))
    yield text.emptied()


def no_commas(_: lexical.NoCommas, text: Intact, stream: Stream) -> Iterator[Mutant]:
    for name, comma in COMMAS.items():
        at = stream.choice(text.reading.word_places)[1] if text.reading.word_places else 0
        yield Mutant(f"{name} used", text.edited(Edit(at, at, comma)))


DAMAGE: Operators = {
    lexical.Lipogram: lipogram,
    lexical.ForbiddenWords: ban,
    lexical.WordExactK: word_exact_k,
    lexical.WordOrder: word_order,
    lexical.NoRepeat: no_repeat,
    lexical.DistinctSentenceStarts: distinct_sentence_starts,
    lexical.Acrostic: acrostic,
    lexical.ExactPhrase: exact_phrase,
    lexical.SynonymBan: ban,
    lexical.NoCommas: no_commas,
}
