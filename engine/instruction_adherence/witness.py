"""A full response that keeps to every constraint of a set: the proof that the set can be satisfied (layer 3).

A witness may read as word salad. What is returned has passed the real checkers. Each try draws a layout, places the
required texts, fills the rest and decorates; a try that fails is followed by one with another derived key, up to
`MOST_TRIES`. Specification, "The witness".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal as OneOf
from typing import NamedTuple

from engine.instruction_adherence.absence import absent
from engine.instruction_adherence.compat import first_letter, parameter_conflict, tag_conflict
from engine.instruction_adherence.constraint import Constraint, nfc
from engine.instruction_adherence.constraints.language import Lowercase, ParagraphLanguage
from engine.instruction_adherence.constraints.lexical import Acrostic, ExactPhrase
from engine.instruction_adherence.constraints.meta import NumberParagraphs, Restate, SelfAudit
from engine.instruction_adherence.constraints.positional import (
    FinalParagraphStart,
    HoweverOnce,
    MentionRatio,
    WordInParagraph,
)
from engine.instruction_adherence.constraints.structure import BoldCount, EndsQuestion, FirstLastWord, Wrapped
from engine.instruction_adherence.demands import Demands, demands_of, of_kind
from engine.instruction_adherence.document import Document, Sentence, document_of
from engine.instruction_adherence.filling import Filler, fill, named_words
from engine.instruction_adherence.foreign import ForeignDraw
from engine.instruction_adherence.grid import Literals
from engine.instruction_adherence.keywords import usable, used
from engine.instruction_adherence.layout import Layout, draw_layout
from engine.instruction_adherence.objects import object_text
from engine.instruction_adherence.placing import NoRoom, Placer, dated, outside_sentences
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import cap_of_others, fewest_uses
from engine.randomness import Stream

MOST_TRIES = 12
LAYOUTS_A_TRY = 4
"""Layouts drawn in one try, since most dead ends show before a word is written."""
MOST_WORDS = 3000
"""A set that needs longer texts is left unresolved."""
Reason = OneOf["tag", "parameter", "layout", "unresolved"]


class Witness(NamedTuple):
    """A response that passes all checkers."""

    text: str
    tries: int


class Rejection(NamedTuple):
    """Why there is no witness. Only `tag` and `parameter` say that there can be none."""

    reason: Reason
    text: str


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a witness is made for."""

    constraints: tuple[Constraint, ...]
    keywords: tuple[str, ...] = ()
    """Words, or words in a row, to be used where the constraints leave room."""
    revoked: tuple[Constraint, ...] = ()
    """Constraints of which no trace may be left."""


def witness(
    constraints: Sequence[Constraint],
    keywords: Sequence[str] = (),
    *,
    key: Sequence[int | str],
    revoked: Sequence[Constraint] = (),
) -> Witness | Rejection:
    """Return a response that passes all checkers, or why there is none; the same arguments give the same answer.

    Args:
        keywords: words, or words in a row, to be used where the constraints leave room.
        revoked: constraints, of which the response must be free (`absence.absent`).
    """
    task = Task(constraints=tuple(constraints), keywords=tuple(keywords), revoked=tuple(revoked))
    if reason := tag_conflict(constraints):
        return Rejection("tag", reason)
    if reason := parameter_conflict(constraints):
        return Rejection("parameter", reason)
    return attempt(task, key)


def attempt(task: Task, key: Sequence[int | str]) -> Witness | Rejection:
    """Return a witness for a set that no rule refuses; see `witness`."""
    demands = demands_of(task.constraints)
    if _size(task, demands) > MOST_WORDS:
        return Rejection("layout", f"more than {MOST_WORDS} words or blocks are needed")
    fault = Rejection("layout", "no layout found")
    for nth in range(MOST_TRIES):
        found = _try(task, demands, Stream("witness", *key, nth))
        if isinstance(found, str):
            return Witness(found, nth + 1)
        fault = found
    return fault


def _size(task: Task, demands: Demands) -> int:
    """Return a rough measure of the shortest text."""
    prose = max(demands.paragraphs.low * demands.paragraph_words.low, demands.sentences.low, demands.words.low)
    lines = demands.lines.fewest * demands.lines.long if demands.lines is not None else 0
    bold = max((c.n for c in of_kind(task.constraints, BoldCount)), default=0)
    uses = sum(fewest_uses(task.constraints).values())
    return max(prose, lines, bold, uses, demands.items, demands.sections)


def broken(task: Task, text: str) -> str | None:
    """Return which constraint a text does not keep to, and what its checker saw; None if it keeps to all.

    A text without any topic keyword scores nothing, so it is no witness where one is usable.
    """
    reading = Reading(text)
    for constraint in task.constraints:
        verdict = constraint.check(reading)
        if not verdict.passed:
            return f"{constraint.id}: {verdict.seen}"
    for constraint in task.revoked:
        verdict = absent(constraint, reading)
        if not verdict.passed:
            return f"{constraint.id}: {verdict.seen}"
    topics = [keyword for keyword in usable_keywords(task) if " " not in keyword]
    return "no topic keyword is used" if topics and not used(topics, reading) else None


def _try(task: Task, demands: Demands, stream: Stream) -> str | Rejection:
    filler = Filler(task.constraints, task.revoked, stream)
    try:
        if demands.keys:
            text = wrapped(task, object_text(task.constraints, demands, usable_keywords(task), filler, stream))
        else:
            layout = layout_of(task, demands, stream)
            if layout is None:
                return Rejection("layout", "no layout found")
            text = realised(task, demands, layout, filler, stream)
    except NoRoom as error:
        return Rejection("unresolved", f"no room for {error}")
    failed = broken(task, text)
    return text if failed is None else Rejection("unresolved", failed)


def layout_of(task: Task, demands: Demands, stream: Stream) -> Layout | None:
    """Return a layout with room for the required texts."""
    room = room_for(task)
    draw_foreign = _foreign_draw(task, demands, stream)
    for _ in range(LAYOUTS_A_TRY):
        layout = draw_layout(demands, room, stream, draw_foreign)
        if layout is not None:
            return layout
    return None


def room_for(task: Task) -> Literals:
    """Return how much room the required texts need."""
    phrases = [nfc(c.phrase) for c in of_kind(task.constraints, ExactPhrase)]
    sizes = [len(Reading(phrase).words) for phrase in phrases]
    outside = [size for phrase, size in zip(phrases, sizes, strict=True) if outside_sentences(phrase, task.constraints)]
    opening = max((len(Reading(c.phrase).words) for c in of_kind(task.constraints, FinalParagraphStart)), default=0)
    words = sum(fewest_uses(task.constraints).values()) + len(usable_keywords(task))
    spread = max((c.ratio for c in of_kind(task.constraints, MentionRatio)), default=0)
    if any(of_kind(task.constraints, HoweverOnce)):
        spread = max([spread, *(len(c.word) + 1 for c in of_kind(task.constraints, Acrostic))])
    return Literals(
        words=words, longest=max([1, *sizes]), opening=opening, sentences=spread, outside=max([0, *outside])
    )


def usable_keywords(task: Task) -> tuple[str, ...]:
    """Return the keywords that no constraint forbids and no revoked one speaks of."""
    avoided = named_words(task.revoked)
    return tuple(
        keyword for keyword in usable(task.keywords, task.constraints) if avoided.isdisjoint(Reading(keyword).words)
    )


def _foreign_draw(task: Task, demands: Demands, stream: Stream) -> ForeignDraw:
    """Return the draw of the foreign paragraph, with the English words that only it may have."""
    nth = demands.foreign.paragraph if demands.foreign is not None else 0
    starts = [nfc(start.phrase) for start in of_kind(task.constraints, FinalParagraphStart)]
    taken = set(demands.acrostic) | {first_letter(start) or "" for start in starts}
    if demands.acrostic and nth:
        taken.discard(demands.acrostic[nth - 1])
    if any(of_kind(task.constraints, HoweverOnce)):
        taken.add("H")
    opening = starts[0] if starts and demands.paragraphs.high == nth else ""
    forced = {folded(c.word) for c in of_kind(task.constraints, WordInParagraph) if c.paragraph == nth}
    return ForeignDraw(
        demands=demands, constraints=task.constraints, taken=frozenset(taken), avoided=named_words(task.constraints),
        opening=opening, forced=tuple(sorted(forced)), stream=stream,
    )  # fmt: skip


def realised(task: Task, demands: Demands, layout: Layout, filler: Filler, stream: Stream) -> str:
    """Return the text of a layout, not yet checked.

    Raises:
        NoRoom: a required text finds no room.
    """
    document = document_of(layout, demands, numbered=any(of_kind(task.constraints, NumberParagraphs)))
    placer = Placer(document, demands, task.constraints, stream)
    same = any(of_kind(task.constraints, FirstLastWord))
    last = document.sentences()[-1]
    if same:
        _reserve(document, placer, last, filler)
    placer.place_all(usable_keywords(task))
    if same and not last.foreign:
        if demands.distinct and len(last.words) == 1:
            raise NoRoom("last word")
        last.words[-1] = "-"
    english = demands.foreign is not None or any(of_kind(task.revoked, ParagraphLanguage))
    fill(document, demands, filler, stream, english=english)
    if same and not last.foreign:
        last.words[-1] = _first_word(document)
    if any(of_kind(task.constraints, EndsQuestion)):
        last.mark = "?"
    dated(document, task.constraints, f"2031-{stream.between(1, 12):02}-{stream.between(1, 28):02}")
    _embolden(document, sum(c.n for c in list(of_kind(task.constraints, BoldCount))[:1]), stream)
    return wrapped(task, document.text(capital=not any(of_kind(task.constraints, Lowercase))))


def _reserve(document: Document, placer: Placer, last: Sentence, filler: Filler) -> None:
    """Keep the last slot free for the first word; where the last word is given, the first one must follow it."""
    first = next(iter(document.rows()))
    if not last.foreign:
        placer.reserved.add((id(last), len(last.words) - 1))
        if cap_of_others(placer.constraints) > 1 or not isinstance(first, Sentence) or first.words[0] is not None:
            return
        word = filler.unlimited(first.letter)
    else:
        word = last.words[-1] or ""
        if (
            not isinstance(first, Sentence)
            or first.words[0] is not None
            or first.letter not in (None, first_letter(word))
        ):
            raise NoRoom("first word")
    first.words[0] = word
    first.letter = first_letter(word)


def _first_word(document: Document) -> str:
    for row in document.rows():
        found = row.words if isinstance(row, Sentence) else row
        if found:
            return folded(found[0] or "")
    raise NoRoom("first word")


def _embolden(document: Document, count: int, stream: Stream) -> None:
    slots = [
        (sentence, slot)
        for sentence in document.sentences()
        for slot in range(len(sentence.words))
        if slot not in sentence.fixed
    ]
    for sentence, slot in stream.sample(slots, count):
        sentence.bold.add(slot)


def wrapped(task: Task, body: str) -> str:
    """Return the body with the blocks and marks that stand around it."""
    text = body
    for audit in of_kind(task.constraints, SelfAudit):
        text = "\n".join([f"{text}\n\nSELF-AUDIT", *(f"{label}: yes" for label in audit.labels)])
    restated = [" ".join(nfc(line).split()) for c in of_kind(task.constraints, Restate) for line in c.requirements]
    if restated:
        text = "\n".join(["REQUIREMENTS:", *(f"- {line}" for line in restated), "END REQUIREMENTS", "", text])
    for wrapper in of_kind(task.constraints, Wrapped):
        text = f"{wrapper.open}\n{text}\n{wrapper.close}"
    return text
