"""The model renderer: a language model chooses words for a payload's codes, then tells it block by block.

Two kinds of call ("receives only behavior" of the specification's three layers, read strictly):

    legend    sees codes only, no count: names for codes, two outcome words, the other words that the text may hold
    blocks    sees the frozen words and what each block has to tell; returns the blocks in the order asked for

Every block is read back and compared with the payload; what remains of it must lie in the frozen words. A block that
does not pass is asked for again, at most `MOST_TRIES` times, and then the whole text is given up: the caller falls back
to the template. Requests hold the public payload and nothing else; this module must never import the program layer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from engine.canonical import Json, digest
from engine.errors import ClewError, FidelityError
from engine.hidden_systems.behavior import BehaviorCase, PublicPayload
from engine.hidden_systems.surface.lexicon import FORBIDDEN, INVERTING, plain
from engine.hidden_systems.surface.llm_prompts import Refused, block_question, legend_question
from engine.hidden_systems.surface.parse_back import BlockReader, parse_back
from engine.hidden_systems.surface.template import BORDER, JOINERS
from engine.hidden_systems.surface.wording import Wording, allowed_words, wording_reasons
from engine.models.solver import OutputMode, Question
from engine.public import AttributeName, Legend, Name

RENDERER = "llm/1"
MOST_TRIES = 3
BLOCKS_A_CALL = 12
MOST_SENTENCES = {"introduction": 10, "case": 2, "question": 3}
PUNCTUATION = frozenset(" '’-–,.;:?()")
_FENCE = re.compile(r"\s*```[a-z]*\s*\n(?P<inside>.*?)\n?\s*```\s*", re.S | re.I)
_SENTENCE = re.compile(r"[.!?]+(?=\s|$)")
_BETWEEN = re.compile(r"(?<=[.!?])\s+")
_CAPITALS = re.compile(r"\b[A-Z]{3,}\b")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")

Ask = Callable[[Question], Awaitable[str]]
"""Puts a question to the model and returns its text; faults of the endpoint are its business."""


@dataclass(frozen=True, kw_only=True)
class Attempted:
    """What became of a rendering by a model."""

    tries: int
    text: str | None
    """None if it was given up."""
    wording: Wording | None
    reasons: tuple[str, ...]
    """Why it was given up, or what had to be asked for again."""

    @property
    def told_by_model(self) -> int:
        """Blocks of the text that the model told."""
        if self.text is None or self.wording is None:
            return 0
        return len(self.text.split(BORDER)) - len(self.wording.told_by_template)

    @property
    def in_part(self) -> bool:
        """Whether the template told or named some of it."""
        own = self.wording
        return self.text is not None and own is not None and bool(own.told_by_template or own.named_by_template)

    @property
    def status(self) -> str:
        """What is stored with the rendering."""
        how = "fell back" if self.text is None else "in part" if self.in_part else "passed"
        return f"{how}; tries {self.tries}"


async def tell(payload: PublicPayload, ask: Ask, mode: OutputMode = "text", most_tries: int = MOST_TRIES) -> Attempted:
    """Let a model tell a payload; every part of the text is checked before it is taken."""
    count = len(payload.support_cases) + 2
    reasons: list[str] = []
    wording: Wording | None = None
    refused: Refused | None = None
    blocks: dict[int, str] = {}
    notes: dict[int, str] = {}
    for nth in range(1, most_tries + 1):
        if wording is None:
            reply = await ask(legend_question(payload, mode, refused))
            wording, refused = _taken(reply, payload, reasons)
        if wording is not None:
            missing = [place for place in range(count) if place not in blocks]
            for start in range(0, len(missing), BLOCKS_A_CALL):
                places = missing[start : start + BLOCKS_A_CALL]
                reply = await ask(block_question(payload, wording, places, mode, notes))
                blocks |= _accepted(reply, places, payload, wording, reasons, notes)
            if len(blocks) == count:
                return whole(payload, wording, [blocks[place] for place in range(count)], nth, reasons)
    return Attempted(tries=most_tries, text=None, wording=wording, reasons=tuple(reasons))


def whole(
    payload: PublicPayload, wording: Wording, blocks: Sequence[str], tries: int, reasons: Sequence[str]
) -> Attempted:
    """Read the whole text back once more, as whoever audits it will."""
    text = BORDER.join(blocks)
    try:
        told = parse_back(text, wording.legend)
        same = (told.support_cases, told.query_case) == (payload.support_cases, payload.query_case)
    except ClewError as error:
        return Attempted(tries=tries, text=None, wording=wording, reasons=(*reasons, error.line()))
    found = text if same else None
    return Attempted(tries=tries, text=found, wording=wording, reasons=tuple(reasons))


def _taken(reply: str, payload: PublicPayload, reasons: list[str]) -> tuple[Wording | None, Refused | None]:
    try:
        return read_wording_reply(reply, payload), None
    except FidelityError as error:
        reasons.append(error.line())
        return None, Refused(reply, error.line())


def _accepted(
    reply: str,
    places: Sequence[int],
    payload: PublicPayload,
    wording: Wording,
    reasons: list[str],
    notes: dict[int, str],
) -> dict[int, str]:
    """Return the blocks of a reply that say what they should, by place; note what is wrong with the others."""
    try:
        told = read_blocks_reply(reply, len(places))
    except FidelityError as error:
        reasons.append(error.line())
        return {}
    found = {}
    for place, block in zip(places, told, strict=True):
        if why := block_reasons(block, place, payload, wording):
            notes[place] = why[0]
            reasons.append(f"block {place + 1}: {why[0]}")
        else:
            found[place] = block
    return found


# Replies --------------------------------------------------------------------------------------------------------------


def read_wording_reply(reply: str, payload: PublicPayload) -> Wording:
    """Return the words that a model chose.

    Raises:
        FidelityError: the reply is no JSON object of the form asked for, or its words cannot tell the payload.
    """
    found = _json(reply)
    if not isinstance(found, dict):
        raise FidelityError("the legend is no JSON object")
    legend = Legend(
        domain=_slug(_text(found.get("title"))),
        title=_text(found.get("title")) or "A story",
        record=_text(found.get("record")),
        events=_names(payload.event_vocabulary, found.get("events")),
        attributes=tuple(
            _attribute(item.name, item.values, _inside(found.get("attributes"), item.name))
            for item in payload.attribute_vocabulary
        ),
        outcomes=(
            Name(code="PRESENT", name=_text(found.get("present"))),
            Name(code="ABSENT", name=_text(found.get("absent"))),
        ),
    )
    words = found.get("words")
    wording = Wording(
        legend=legend, words=tuple(sorted({_text(word) for word in words} - {""})) if isinstance(words, list) else ()
    )
    if reasons := wording_reasons(wording, payload):
        raise FidelityError(f"legend: {reasons[0]}")
    return wording


def read_blocks_reply(reply: str, count: int) -> tuple[str, ...]:
    """Return the blocks of a reply.

    Raises:
        FidelityError: the reply is no JSON list of so many texts.
    """
    found = _json(reply)
    if isinstance(found, dict) and list(found) == ["blocks"]:
        found = found["blocks"]
    if not isinstance(found, list) or len(found) != count or not all(isinstance(block, str) for block in found):
        raise FidelityError(f"the blocks are no JSON list of {count} texts")
    return tuple(str(block).strip() for block in found)


def block_reasons(block: str, place: int, payload: PublicPayload, wording: Wording) -> tuple[str, ...]:
    """Return what is wrong with the block in a place, 0 being the introduction. Empty when nothing is."""
    cases = payload.support_cases
    kind = "introduction" if place == 0 else "question" if place == len(cases) + 1 else "case"
    reader = BlockReader(wording.legend, payload.observation_protocol.trials_per_case)
    reasons = [*_form_reasons(block, kind), *_residue_reasons(reader.residue(block), wording)]
    for sentence in _BETWEEN.split(block) if kind != "introduction" else ():
        if reader.residue(sentence).split() == plain(sentence).split():
            reasons.append("a sentence names nothing and counts nothing; it would say more than was observed")
    for outcome in wording.legend.outcomes:
        times = len(re.findall(rf"(?<!\w){re.escape(outcome.name)}(?!\w)", plain(block)))
        if times != 1:
            reasons.append(f"outcome {outcome.name!r} stands {times} times; once is right")
    try:
        reasons += _reading_reasons(reader, block, kind, place, payload)
    except FidelityError as error:
        reasons.append(error.message)
    return tuple(reasons)


def _form_reasons(block: str, kind: str) -> list[str]:
    reasons = []
    if block != " ".join(block.split()) or not block:
        reasons.append("one line with single spaces")
    if odd := sorted({letter for letter in block if not (letter.isalnum() or letter in PUNCTUATION)}):
        reasons.append(f"holds {odd[0]!r}; letters, digits and plain punctuation are right")
    if len(_SENTENCE.findall(block)) > MOST_SENTENCES[kind]:
        reasons.append(f"more than {MOST_SENTENCES[kind]} sentences")
    if found := _CAPITALS.search(block):
        reasons.append(f"holds {found.group()!r} in capitals")
    return reasons


def _residue_reasons(residue: str, wording: Wording) -> list[str]:
    reasons = []
    if found := FORBIDDEN.search(residue) or INVERTING.search(residue):
        reasons.append(f"holds {found.group()!r}: a law, a hedge or a cue that turns the order")
    if left := sorted(set(_WORD.findall(residue)) - allowed_words(wording) - set(JOINERS)):
        reasons.append(f"holds {left[0]!r}, which is none of the words agreed on")
    return reasons


def _reading_reasons(reader: BlockReader, block: str, kind: str, place: int, payload: PublicPayload) -> list[str]:
    if kind == "introduction":
        events, ranges, cases = reader.introduction(block)
        right = sorted(events) == sorted(payload.event_vocabulary) and cases == len(payload.support_cases)
        told = {item.name: sorted(map(str, item.values)) for item in ranges}
        meant = {item.name: sorted(map(str, item.values)) for item in payload.attribute_vocabulary}
        return [] if right and told == meant else ["does not introduce exactly what there is"]
    told_case: BehaviorCase = reader.question(block) if kind == "question" else reader.case(block, place)
    meant_case = payload.query_case if kind == "question" else payload.support_cases[place - 1]
    return [] if told_case == meant_case else ["does not tell what was observed"]


def _json(reply: str) -> object:
    """Return the JSON of a reply, alone or in one code fence; None if it is none."""
    fenced = _FENCE.fullmatch(reply)
    try:
        return json.loads(fenced["inside"] if fenced else reply)
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _slug(title: str) -> str:
    return re.sub(r"[^a-z]+", "_", plain(title)).strip("_")[:30] or "story"


def _inside(found: object, key: str) -> object:
    return found.get(key) if isinstance(found, dict) else None


def _names(codes: Sequence[str], found: object) -> tuple[Name, ...]:
    return tuple(Name(code=code, name=plain(_text(_inside(found, code)))) for code in codes)


def _attribute(code: str, values: Sequence[int | str], found: object) -> AttributeName:
    named = [value for value in values if isinstance(value, str)]
    name = found if isinstance(found, str) else _inside(found, "name")
    return AttributeName(code=code, name=plain(_text(name)), values=_names(named, _inside(found, "values")))


def rendering_params(identity: Json, parameters: Json, mode: OutputMode) -> str:
    """Return the digest of all that decides a model's renderings, the payload apart."""
    return digest({"renderer": RENDERER, "model": identity, "parameters": parameters, "mode": mode})
