"""Damage to language: a sentence in another one, capitals, apostrophes, the first person, tense, voice.

Sentences of another language or tense are plain ones whose kind nobody would dispute.
"""

from __future__ import annotations

from collections.abc import Iterator

from audits.damage.editing import Edit, Intact, Mutant, Operators
from engine.instruction_adherence.constraints import language
from engine.instruction_adherence.text import Paragraph, unified
from engine.randomness import Stream

PLAIN = {
    "English": "Every morning the baker opens the shop and the smell of warm bread fills the whole street.",
    "French": "Chaque matin le boulanger ouvre son magasin et l'odeur du pain chaud remplit toute la rue.",
    "German": "Jeden Morgen öffnet der Bäcker seinen Laden und der Duft von frischem Brot füllt die ganze Straße.",
    "Italian": "Ogni mattina il fornaio apre il suo negozio e il profumo del pane caldo riempie tutta la strada.",
    "Portuguese": "Todas as manhãs o padeiro abre a sua loja e o cheiro do pão quente enche a rua inteira.",
    "Spanish": "Cada mañana el panadero abre su tienda y el olor del pan caliente llena toda la calle.",
}
PAST_AND_FUTURE = {
    "past": "They went home early.",
    "past of be": "The room was cold.",
    "perfect": "She has finished the work.",
    "future": "They will leave soon.",
    "going to": "They are going to sell the house.",
}
PASSIVE = {
    "by an agent": "The door was opened by a guard.",
    "present": "The letters are written here.",
    "progressive": "The bridge is being painted.",
    "with an adverb": "The law is often ignored.",
    "with get": "They get invited every year.",
}
FIRST_PERSON = ("me", "my", "myself", "mine", "we", "us", "our", "ours", "ourselves", "let's", "I'm", "we're", "I")


def paragraph_language(constraint: language.ParagraphLanguage, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraphs = text.reading.paragraphs
    target = paragraphs[constraint.paragraph - 1]
    strangers = [name for name in PLAIN if name != constraint.language]
    yield Mutant("English sentence in it", _with_line(text, target, PLAIN["English"]))
    yield Mutant("sentence of a third language in it", _with_line(text, target, PLAIN[stream.choice(strangers[1:])]))
    others = [paragraph for paragraph in paragraphs if paragraph is not target]
    if others:
        foreign = PLAIN[constraint.language]
        yield Mutant("its language in another paragraph", _with_line(text, stream.choice(others), foreign))
    yield Mutant("its language in a new paragraph", text.appended(f"\n\n{PLAIN[constraint.language]}"))
    yield Mutant("one place further down", text.prefixed(f"{PLAIN['English']}\n\n"))
    yield text.emptied()


def _with_line(text: Intact, paragraph: Paragraph, sentence: str) -> str:
    end = paragraph.place[1]
    return text.edited(Edit(end, end, f"\n{sentence}"))


def lowercase(constraint: language.Lowercase, text: Intact, stream: Stream) -> Iterator[Mutant]:
    names = {form for name in map(unified, constraint.allowed) for form in (name, f"{name}'s")}
    words = text.reading.written
    fit = [i for i, word in enumerate(words) if word[0].upper() != word[0] and word[0].upper() + word[1:] not in names]
    if fit:
        start = text.reading.word_places[stream.choice(fit)][0]
        yield Mutant("small letter made a capital", text.edited(Edit(start, start + 1, text.core[start].upper())))
    for name, word in {"capital word": "Zebra", "accented capital": "Éclair", "last letter": "zebrA"}.items():
        if word not in names:
            yield Mutant(f"{name} used", text.inserted(stream, word))
    for name in constraint.allowed:
        yield Mutant("compound of a name", text.inserted(stream, f"{name}-led"))
        if name.upper() not in names:
            yield Mutant("name in capitals", text.inserted(stream, name.upper()))


def no_contractions(_: language.NoContractions, text: Intact, stream: Stream) -> Iterator[Mutant]:
    for name, word in {"contraction": "don't", "curly contraction": "don’t", "possessive": "zebra's"}.items():
        yield Mutant(f"{name} used", text.inserted(stream, word))
    if text.reading.word_places:
        end = stream.choice(text.reading.word_places)[1]
        yield Mutant("word made a possessive", text.edited(Edit(end, end, "'s")))


def second_person(constraint: language.SecondPerson, text: Intact, stream: Stream) -> Iterator[Mutant]:
    for word in stream.sample(FIRST_PERSON, 4):
        yield Mutant("first person used", text.inserted(stream, word))
    uses = text.reading.uses("you")
    surplus = len(uses) - constraint.min_you + 1
    yield Mutant("too few of you", text.replaced(stream.sample(uses, surplus), "they"), surplus)
    yield text.emptied()


def present_tense(_: language.PresentTense, text: Intact, __: Stream) -> Iterator[Mutant]:
    yield from (Mutant(f"{name} used", text.appended(f"\n\n{said}")) for name, said in PAST_AND_FUTURE.items())
    yield text.emptied()


def no_passive(_: language.NoPassive, text: Intact, __: Stream) -> Iterator[Mutant]:
    yield from (Mutant(f"passive {name} used", text.appended(f"\n\n{said}")) for name, said in PASSIVE.items())
    yield text.emptied()


def caps_limit(constraint: language.CapsLimit, text: Intact, stream: Stream) -> Iterator[Mutant]:
    capitals = [word for word in text.reading.written if word.isupper() and sum(map(str.isalpha, word)) > 1]
    more = constraint.max + 1 - len(capitals)
    yield Mutant("words in capitals added", text.inserted(stream, "QZ", more), more)
    small = [i for i, word in enumerate(text.reading.written) if word.isascii() and word.isalpha() and word.islower()]
    small = [index for index in small if len(text.reading.written[index]) > 1]
    if len(small) >= more:
        chosen = [text.reading.word_places[index] for index in stream.sample(small, more)]
        edits = (Edit(start, end, text.core[start:end].upper()) for start, end in chosen)
        yield Mutant("words put in capitals", text.edited(*edits), more)


DAMAGE: Operators = {
    language.ParagraphLanguage: paragraph_language,
    language.Lowercase: lowercase,
    language.NoContractions: no_contractions,
    language.SecondPerson: second_person,
    language.PresentTense: present_tense,
    language.NoPassive: no_passive,
    language.CapsLimit: caps_limit,
}
