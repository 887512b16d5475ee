"""Damage to what a response says about itself: the audit block, the requirements restated, paragraph numbers."""

from __future__ import annotations

from collections.abc import Iterator

from audits.damage.editing import Edit, Intact, Mutant, Operators, any_index, words_of
from engine.instruction_adherence.cleaning import AUDIT_HEADS, RESTATED_END, RESTATED_HEAD
from engine.instruction_adherence.constraints import meta
from engine.instruction_adherence.text import Reading
from engine.randomness import Stream


def self_audit(constraint: meta.SelfAudit, text: Intact, stream: Stream) -> Iterator[Mutant]:
    whole = text.whole
    claims = Reading(whole).audit or ()
    claim, last = stream.choice(claims), claims[-1]
    unknown = next(label for label in ("R77", "R78") if label not in constraint.labels)
    changed = {
        "label missing": Edit(claim.start, claim.end),
        "label twice": Edit(claim.end, claim.end, f"\n{claim.label}: yes"),
        "unknown label": Edit(last.end, last.end, f"\n{unknown}: yes"),
        "maybe for yes or no": Edit(claim.start, claim.end, f"{claim.label}: maybe"),
        "text after the block": Edit(last.end, last.end, "\nThat is all."),
    }
    head = whole.rindex(AUDIT_HEADS[0], 0, claims[0].start)
    changed["head in other case"] = Edit(head, head + len(AUDIT_HEADS[0]), "Self-audit")
    changed["head deleted"] = Edit(head, head + len(AUDIT_HEADS[0]))
    for name, edit in changed.items():
        yield Mutant(name, _edited(whole, edit))


def restate(constraint: meta.Restate, text: Intact, stream: Stream) -> Iterator[Mutant]:
    whole = text.whole
    start, end = Reading(whole).restated or (0, 0)
    block, opening = whole[start:end], start - len(RESTATED_HEAD)
    words = [word for word in Reading(stream.choice(constraint.requirements)).written if word in block]
    if words:
        longest = max(words, key=len)
        yield Mutant("word changed", _edited(whole, Edit(start, end, block.replace(longest, "x" * len(longest)))))
        yield Mutant("in other case", _edited(whole, Edit(start, end, block.swapcase())))
    yield Mutant("block emptied", _edited(whole, Edit(start, end, "\n")))
    yield Mutant("head in other case", _edited(whole, Edit(opening, start, "Requirements:")))
    yield Mutant("text before the block", _edited(whole, Edit(opening, opening, "Sure. ")))
    yield Mutant("block not closed", whole[:end] + whole[end:].replace(RESTATED_END, "END OF IT"))


def _edited(whole: str, edit: Edit) -> str:
    return f"{whole[: edit.start]}{edit.by}{whole[edit.end :]}"


def number_paragraphs(_: meta.NumberParagraphs, text: Intact, stream: Stream) -> Iterator[Mutant]:
    paragraphs = text.reading.paragraphs
    nth = any_index(paragraphs, stream) + 1
    mark = f"[{nth}]"
    start = text.core.index(mark, paragraphs[nth - 1].place[0])
    place = start, start + len(mark)
    yield Mutant("wrong number", text.edited(Edit(*place, f"[{nth + 7}]")))
    yield Mutant("number deleted", text.edited(Edit(*place)))
    yield Mutant("round brackets", text.edited(Edit(*place, f"({nth})")))
    yield Mutant("word before the number", text.edited(Edit(start, start, "Note ")))
    yield Mutant("paragraph without a number added", text.appended("\n\nOne more."))
    if nth < len(paragraphs):
        yield Mutant("paragraph deleted", text.without(words_of(paragraphs[nth - 1])))
    yield text.emptied()


DAMAGE: Operators = {
    meta.SelfAudit: self_audit,
    meta.Restate: restate,
    meta.NumberParagraphs: number_paragraphs,
}
