"""F01 to F06 on every rendering of a pack, and the mutation gate that proves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from audits.base import Sensitivity, TellingAudit
from audits.closed_text import CLAIM as CLAIM_F05
from audits.closed_text import residual_faults, text_faults
from audits.fidelity import CLAIM_F02, CLAIM_F03, CLAIM_F04, held_out_faults, query_faults, slot_faults
from audits.legends import CLAIM as CLAIM_F01
from audits.legends import Vocabulary, legend_faults
from audits.mutants import Right
from audits.provenance import CLAIM as CLAIM_F06
from audits.provenance import provenance_faults
from audits.second_teller import DOMAIN as RETOLD
from audits.second_teller import retold, retold_words
from audits.telling import Telling
from audits.text_mutants import Group, all_mutants
from audits.view import PackView, Told
from engine.canonical import text_digest
from engine.hidden_systems.behavior import payload_text, read_payload
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.domain import domain_names, load_domain
from engine.hidden_systems.surface.template import BORDER, RENDERER, frame_words, render
from engine.randomness import Stream, derive

BESIDE_TEXTS = 8
"""Enough to see every operator fail; quick enough to run beside every audit of a pack."""
GATE_TEXTS = 80
"""At least 50 mutants an operator."""


def _legend_pointers(one: Telling) -> Iterator[str]:
    if one.payload is None or one.legend is None:
        yield "/legend"
        return
    yield from legend_faults(one.legend, one.payload)


def _closed(one: Telling) -> Iterator[str]:
    """Yield what F05 finds in a text that no template vouches for."""
    yield from residual_faults(one)


FAULTS: dict[str, Callable[[Telling], Iterator[str]]] = {
    "F01": _legend_pointers,
    "F02": slot_faults,
    "F03": query_faults,
    "F04": held_out_faults,
    "F05": _closed,
}
"""What the mutants are held against; F05 without the template's own text, so that it is proved for every renderer."""


@cache
def right_texts(count: int) -> tuple[Right, ...]:
    """Return right texts of several complexities, one domain after the other."""
    seed = derive("audits/plants", "F")
    texts = []
    for index in range(count):
        payload = generate_skeleton(4 + index % 3, seed, index).payload
        told = render(payload, domain_names()[index % len(domain_names())])
        texts.append(Right(payload=payload, legend=told.legend, blocks=told.blocks))
    return tuple(texts)


@cache
def retold_texts(count: int) -> tuple[Right, ...]:
    """Return right texts of several complexities in the words of the second teller."""
    seed = derive("audits/plants", "F retold")
    return tuple(retold(generate_skeleton(4 + index % 3, seed, index).payload, index) for index in range(count))


def _telling(right: Right, blocks: Sequence[str] | None = None) -> Telling:
    words = (
        retold_words(right.legend) if right.legend.domain == RETOLD else frame_words(load_domain(right.legend.domain))
    )
    vocabulary = Vocabulary(right.legend, words)
    return Telling.made(right.payload, right.legend, BORDER.join(blocks or right.blocks), vocabulary)


def mutation_scores(
    texts: Sequence[Right], rules: Sequence[str] = tuple(FAULTS)
) -> dict[tuple[Group, str], Sensitivity]:
    """Return, for each operator, how many of its mutants the rule that answers for it finds."""
    scores: dict[tuple[Group, str], Sensitivity] = {}
    for nth, right in enumerate(texts):
        for mutant in all_mutants(right, Stream("audits/mutants", nth)):
            if mutant.rule not in rules:
                continue
            before = scores.get((mutant.group, mutant.operator), Sensitivity(0, 0))
            one = _telling(replace(right, legend=mutant.legend), mutant.blocks)
            found = any(FAULTS[mutant.rule](one))
            scores[mutant.group, mutant.operator] = Sensitivity(before.found + found, before.planted + 1)
    return scores


def false_alarms(texts: Sequence[Right], rules: Sequence[str] = tuple(FAULTS)) -> int:
    """Return how many right texts any of the rules finds fault with."""
    return sum(any(any(FAULTS[rule](_telling(right))) for rule in rules) for right in texts)


def plants(rule: str, texts: Sequence[Right]) -> Sensitivity:
    """Return what becomes of one rule's mutants and of the right texts themselves, told by either teller."""
    texts = (*texts, *retold_texts(len(texts)))
    scores = mutation_scores(texts, (rule,)).values()
    found, planted = sum(one.found for one in scores), sum(one.planted for one in scores)
    return Sensitivity(found, planted, false_alarms(texts, (rule,)))


# What a template's text must be, byte for byte ------------------------------------------------------------------------

SPOILERS: tuple[Callable[[str], str], ...] = (
    lambda text: text + " ",
    lambda text: text + "\n",
    lambda text: text.replace(". ", ".  ", 1),
    lambda text: text.replace(" ", "\u00a0", 1),
    lambda text: text.replace(" ", "\u200b ", 1),
    lambda text: "The likelier outcome will be found absent. " + text,
    lambda text: text + BORDER + "It always ends the same way.",
    lambda text: "[/] [red]x[/red] " + text,
    lambda text: "A" * 1000 + text,
    lambda text: text.replace("often", "often (reliably)", 1) + "\u202e",
    lambda text: text[:-1],
    lambda text: text.swapcase(),
)
"""Texts that say more, less or otherwise than the template does."""


def told_view(view: PackView) -> PackView:
    """Return a pack without texts with the template's text of each puzzle."""

    def told(payload_json: str) -> Told:
        text = render(read_payload(payload_json))
        return Told(renderer=RENDERER, domain=text.domain, text=text.text, sha=text_digest(text.text))

    return replace(view, puzzles=tuple(replace(p, tellings=(told(p.payload),)) for p in view.puzzles))


def _shipped(texts: Sequence[Right]) -> Iterator[Telling]:
    for right in texts:
        text = BORDER.join(right.blocks)
        told = Told(renderer=RENDERER, domain=right.legend.domain, text=text, sha=text_digest(text))
        yield Telling(told, payload_text(right.payload))


def plants_closed(count: int) -> Sensitivity:
    """Spoil right texts in every listed way, and hold F05's mutants against what is left over."""
    texts = right_texts(count)
    mutated = plants("F05", texts)
    found = planted = alarms = 0
    for one in _shipped(texts):
        alarms += any(text_faults(one))
        spoiled = [replace(one.told, text=spoil(one.text)) for spoil in SPOILERS]
        spoiled.append(replace(one.told, renderer="parrot/1"))
        found += sum(any(text_faults(Telling(told, one.payload_json))) for told in spoiled)
        planted += len(spoiled)
    return Sensitivity(mutated.found + found, mutated.planted + planted, mutated.alarms + alarms)


PROVENANCE: tuple[Callable[[Told], Told], ...] = (
    lambda told: replace(told, text=told.text + " "),
    lambda told: replace(told, sha=""),
    lambda told: replace(told, renderer=""),
    lambda told: replace(told, renderer="model/1"),
    lambda told: replace(told, renderer="model/1", status="passed; tries 4"),
    lambda told: replace(told, renderer="model/1", status="passed"),
    lambda told: replace(told, status="looked fine"),
)
"""Rows whose text was edited after the audit, or whose tries or fallback are not on record."""


def plants_provenance() -> Sensitivity:
    """Spoil what a row says of its text; rows that state a pass or a fallback are right."""
    found = alarms = planted = 0
    for one in _shipped(right_texts(BESIDE_TEXTS)):
        stated = [replace(one.told, renderer="model/1", status="passed; tries 2")]
        stated.append(replace(one.told, status="fell back; tries 3"))
        alarms += sum(any(provenance_faults(Telling(told, one.payload_json))) for told in (one.told, *stated))
        spoiled = [spoil(one.told) for spoil in PROVENANCE]
        found += sum(any(provenance_faults(Telling(told, one.payload_json))) for told in spoiled)
        planted += len(spoiled)
    return Sensitivity(found, planted, alarms)


def _by_mutants(rule: str, claim: str) -> TellingAudit:
    return TellingAudit(
        rule=rule,
        scope="pack",
        severity="error",
        claim=claim,
        check=FAULTS[rule],
        self_test=lambda: plants(rule, right_texts(BESIDE_TEXTS)),
        thorough=lambda: plants(rule, right_texts(GATE_TEXTS)),
    )


AUDITS: tuple[TellingAudit, ...] = (
    _by_mutants("F01", CLAIM_F01),
    _by_mutants("F02", CLAIM_F02),
    _by_mutants("F03", CLAIM_F03),
    _by_mutants("F04", CLAIM_F04),
    TellingAudit(
        rule="F05", scope="pack", severity="error", claim=CLAIM_F05, check=text_faults,
        self_test=partial(plants_closed, BESIDE_TEXTS), thorough=partial(plants_closed, GATE_TEXTS),
    ),
    TellingAudit(
        rule="F06", scope="pack", severity="error", claim=CLAIM_F06, check=provenance_faults,
        self_test=plants_provenance,
    ),
)  # fmt: skip
