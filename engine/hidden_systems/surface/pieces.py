"""The model renderer for small models: one short thing asked at a time, by example.

    names      a list of things for the events; the question holds a title and no code, no count
    block      what one block has to tell as one line of facts; the answer is that block

Whatever passes the checks of `llm` is the model's own words and stays; each name and each block that did not pass in
any try is the template's, and the wording says which. A text without a single block of the model's is given up: the
caller falls back to the template. Examples of blocks are made up from the vocabulary alone, so that they say nothing of
what was observed. Requests hold the public payload alone; this module must never import the program layer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from msgspec import structs

from engine.hidden_systems.behavior import AttributeSetting, BehaviorCase, PublicPayload
from engine.hidden_systems.surface.domain import Domain, draw_legend, load_domain, payload_key, pick
from engine.hidden_systems.surface.lexicon import plain
from engine.hidden_systems.surface.llm import MOST_TRIES, Ask, Attempted, block_reasons, whole
from engine.hidden_systems.surface.template import Teller, frame_words
from engine.hidden_systems.surface.wording import PLAIN_WORDS, Wording, wording_reasons
from engine.models.solver import Message, Question
from engine.public import Legend, Name
from engine.randomness import Stream

PIECES_VERSION = "pieces/1"
MADE_UP_SHARES = (0.4, 0.1, 0.9)
"""How often the record is present in each example of a case; the same for every puzzle."""
SPARE_NAMES = 6
"""Things asked for beyond those that are needed, since some will not do."""
_ITEM = re.compile(r"[a-z]+(?: [a-z]+)*")


async def tell_by_pieces(
    payload: PublicPayload, ask: Ask, most_blocks: int | None = None, most_tries: int = MOST_TRIES
) -> Attempted:
    """Let a model tell a payload name by name and block by block; every piece is checked before it is taken.

    Args:
        most_blocks: how many blocks are asked for, drawn by the payload; None for all.
    """
    key = payload_key(payload)
    domain = load_domain(pick(key))
    reasons: list[str] = []
    wording, most = await _named(payload, domain, draw_legend(payload, domain, key), ask, most_tries)
    teller = Teller(payload, domain, wording.legend, key)
    count = len(payload.support_cases) + 2
    own: dict[int, str] = {}
    drawn = Stream("surface/pieces", key).sample(tuple(range(count)), min(count, most_blocks or count))
    for place in sorted(drawn):
        for nth in range(most_tries):
            said = (await ask(_block_question(teller, place, nth))).strip()
            most = max(most, nth + 1)
            why = block_reasons(said, place, payload, wording)
            if not why:
                own[place] = said
                break
            reasons.append(f"block {place + 1}: {why[0]}")
    if not own:
        return Attempted(tries=most, text=None, wording=wording, reasons=tuple(reasons))
    left = tuple(place for place in range(count) if place not in own)
    marked = structs.replace(wording, told_by_template=left)
    return whole(payload, marked, [own.get(place) or teller.block(place) for place in range(count)], most, reasons)


# Names ----------------------------------------------------------------------------------------------------------------


async def _named(
    payload: PublicPayload, domain: Domain, legend: Legend, ask: Ask, most_tries: int
) -> tuple[Wording, int]:
    """Return the words of the domain with things of the model's own for events, and how many tries that took."""
    wording, left = _wording(legend, domain), list(payload.event_vocabulary)
    nth = 0
    while left and nth < most_tries:
        for thing in things_in(await ask(_names_question(domain, len(payload.event_vocabulary) + SPARE_NAMES, nth))):
            tried = _wording(_renamed(wording.legend, left[0], thing), domain)
            if not wording_reasons(tried, payload):
                wording = tried
                left.pop(0)
            if not left:
                break
        nth += 1
    others = [attribute.code for attribute in legend.attributes]
    marked = (*left, *others, "record")
    return structs.replace(wording, named_by_template=marked), nth


def things_in(reply: str) -> tuple[str, ...]:
    """Return the things that a reply lists, with commas or on lines of their own, each once."""
    parts = (re.sub(r"^\W*(?:\d+[.)])?\W*|\W+$", "", plain(part)) for part in re.split(r"[,\n]", reply))
    return tuple(dict.fromkeys(part for part in parts if _ITEM.fullmatch(part)))


def _wording(legend: Legend, domain: Domain) -> Wording:
    words = frame_words(domain) - PLAIN_WORDS - set(plain(legend.record).split())
    return Wording(legend=legend, words=tuple(sorted(words)))


def _renamed(legend: Legend, code: str, name: str) -> Legend:
    events = tuple(Name(code=one.code, name=name if one.code == code else one.name) for one in legend.events)
    return structs.replace(legend, events=events)


# Questions ------------------------------------------------------------------------------------------------------------


@cache
def name_examples() -> tuple[tuple[str, str], ...]:
    """Return the fixed examples of the question for names."""
    path = files("engine.hidden_systems.surface") / "prompts" / "names.txt"
    told = [line.split(": ", 1)[1] for line in path.read_text(encoding="utf-8").strip().splitlines()]
    return tuple(zip(told[::2], told[1::2], strict=True))


def _asked(shown: Sequence[tuple[str, str]], text: str, nth: int) -> Question:
    """Return a question behind its examples; another try has them in another order."""
    turned = (*shown[nth % len(shown) :], *shown[: nth % len(shown)])
    messages = [
        message
        for facts, told in turned
        for message in (Message(role="user", text=facts), Message(role="assistant", text=told))
    ]
    return Question(messages=(*messages, Message(role="user", text=text)))


def _names_question(domain: Domain, count: int, nth: int) -> Question:
    return _asked(name_examples(), f"{count} things for: {domain.title}", nth)


def _block_question(teller: Teller, place: int, nth: int) -> Question:
    """Return the question for one block, behind made-up ones of its kind in the same words."""
    payload = teller.payload
    cases = payload.support_cases
    if place == 0:
        other = _shortened(teller)
        return _asked([(_introduced(other), other.intro())], _introduced(teller), nth)
    if place > len(cases):
        query = payload.query_case
        shown = [(_asked_of(teller, made), teller.question(made)) for made in _made_up(payload, len(query.events))]
        return _asked(shown, _asked_of(teller, query), nth)
    case = cases[place - 1]
    shown = [(_counted(teller, made), teller.case(made)) for made in _made_up(payload, len(case.events))]
    return _asked(shown, _counted(teller, case), nth)


def _made_up(payload: PublicPayload, steps: int) -> list[BehaviorCase]:
    """Return cases that were not observed, in the payload's vocabulary, of so many steps and told by one frame."""
    trials, events = payload.observation_protocol.trials_per_case, payload.event_vocabulary
    made = []
    for nth, share in enumerate(MADE_UP_SHARES):
        present = int(trials * share)
        made.append(
            BehaviorCase(
                id=payload.support_cases[0].id,
                attributes=tuple(
                    AttributeSetting(name=item.name, value=item.values[(2 * nth + at) % len(item.values)])
                    for at, item in sorted(enumerate(payload.attribute_vocabulary), key=lambda pair: pair[1].name)
                ),
                events=tuple(events[(nth + step) % len(events)] for step in range(steps)),
                trials=trials,
                observed_present=present,
                observed_absent=trials - present,
            )
        )
    return made


def _shortened(teller: Teller) -> Teller:
    """Return who tells of fewer cases with the events turned round."""
    payload = teller.payload
    legend = structs.replace(teller.legend, events=(*teller.legend.events[1:], teller.legend.events[0]))
    fewer = structs.replace(payload, support_cases=payload.support_cases[: len(payload.support_cases) // 2])
    return Teller(fewer, teller.domain, legend, payload_key(payload))


def _introduced(teller: Teller) -> str:
    payload, (present, absent) = teller.payload, (outcome.name for outcome in teller.legend.outcomes)
    size = f"{len(payload.support_cases)} entries | {payload.observation_protocol.trials_per_case} times each"
    return " | ".join((size, f"{teller.legend.record}: {absent}, {present}", teller.events(), teller.ranges()))


def _asked_of(teller: Teller, case: BehaviorCase) -> str:
    present, absent = (outcome.name for outcome in teller.legend.outcomes)
    told = (teller.setting(case.attributes), teller.steps(case.events), f"{teller.legend.record}: {present}, {absent}")
    return " | ".join(told)


def _counted(teller: Teller, case: BehaviorCase) -> str:
    present, absent = (outcome.name for outcome in teller.legend.outcomes)
    counts = f"{teller.legend.record}: {present} {case.observed_present}, {absent} {case.observed_absent}"
    told = (teller.setting(case.attributes), f"{case.trials} times", teller.steps(case.events), counts)
    return " | ".join(told)
