"""The simulator runs real trials: right in law, pinned in draw order, and sparing with draws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from program_systems import add, flag, random_case, sets, system, veto
from scipy.stats import binom

from engine.hidden_systems.program.exact import present_probability
from engine.hidden_systems.program.grammar import read_system
from engine.hidden_systems.program.semantics import Compiled, Move
from engine.hidden_systems.program.simulate import WORD_BITS, simulate
from engine.randomness import uniform_words

HALF = Fraction(1, 2)
TRIALS = 64
FALSE_ALARM = 1e-6
"""Chance that a right simulator would fail one of these tests, had the seed been drawn afresh."""


def moves(document: dict[str, Any], events: str, attributes: dict[str, Any] | None = None) -> list[Move]:
    return Compiled(read_system(document)).moves(attributes or {}, events.split())


def test_counts_agree_in_law_with_exact_probabilities() -> None:
    """Each count lies inside its exact binomial range; the false alarm is shared out over the cases."""
    cases = [random_case(index) for index in range(1500)]
    walked = [Compiled(read_system(case.document)).moves(case.attributes, case.events) for case in cases]
    counts = simulate(walked, TRIALS, "tests/law", 1)
    for case_moves, count in zip(walked, counts, strict=True):
        low, high = binom.interval(1 - FALSE_ALARM / len(cases), TRIALS, float(present_probability(case_moves)))
        assert low <= count <= high


def test_pooled_counts_agree_in_law() -> None:
    """Many trials of few cases, so that a small bias shows: 200,000 trials find one of half a percent."""
    for document, events in POOLED:
        walked = moves(document, events)
        count = sum(simulate([walked] * 100, 2000, "tests/pooled", events))
        low, high = binom.interval(1 - FALSE_ALARM, 200_000, float(present_probability(walked)))
        assert low <= count <= high, events


POOLED = (
    (system(add("E", p=Fraction("0.3"))), "E"),
    (system(add("A", p=Fraction("0.7")), veto("V", p=Fraction("0.4"))), "A V A"),
    (system(sets("S", "f", p=HALF), add("G", flag("f"), p=Fraction("0.9"))), "G S G"),
    (system(sets("S", "f", p=HALF), veto("S", flag("f"), p=HALF), add("A", flag("f", "EQ", False))), "S A S A"),
)


def test_certain_and_impossible_triggers_never_vary() -> None:
    certain, impossible = moves(system(add("E", p=1)), "E"), moves(system(add("E", p=0)), "E")
    assert simulate([certain, impossible], 5000, "tests/certain", 1) == [5000, 0]


def test_counts_lie_in_0_to_trials_and_follow_the_cases() -> None:
    certain, impossible = moves(system(add("E", p=1)), "E"), moves(system(veto("E", p=1)), "E")
    assert simulate([impossible, certain, [], certain], 48, "tests/order", 1) == [0, 48, 0, 48]
    assert simulate([], 48, "tests/order", 1) == []


def test_draw_order_position_then_case_then_trial() -> None:
    """The words of the stream, used one by one in the documented order, give the same counts."""
    first = moves(system(add("A", p=Fraction("0.6")), veto("V", p=Fraction("0.3"))), "A V A")
    second = moves(system(sets("S", "f", p=HALF), add("G", flag("f"), p=Fraction("0.8"))), "S G")
    assert simulate([first, second], 16, "tests/order", 7) == _one_by_one([first, second], 16, "tests/order", 7)


def test_no_trigger_is_drawn_where_conditions_fail() -> None:
    """A rule that never applies, put between two others, leaves the words of the later ones untouched."""
    plain = system(add("A", p=HALF), veto("V", p=HALF))
    blocked = system(add("A", p=HALF), add("N", flag("never"), p=HALF), veto("V", p=HALF))
    for seed in range(20):
        expected = simulate([moves(plain, "A V")], TRIALS, "tests/words", seed)
        assert simulate([moves(blocked, "A N V")], TRIALS, "tests/words", seed) == expected


def test_random_cases_use_words_as_documented() -> None:
    walked = [Compiled(read_system(c.document)).moves(c.attributes, c.events) for c in map(random_case, range(60))]
    assert simulate(walked, 8, "tests/words", 3) == _one_by_one(walked, 8, "tests/words", 3)


def test_golden_counts() -> None:
    """Pins the stream, the draw order and the threshold; a change here changes every stored puzzle."""
    document = system(
        add("A", p=Fraction("0.6")), veto("V", p=Fraction("0.3")), sets("S", "f", p=HALF), add("G", flag("f"))
    )
    walked = [moves(document, events) for events in ("A", "A V", "S G", "G S", "A V S G")]
    assert simulate(walked, 48, "tests/golden", 2024, "a") == GOLDEN_48
    assert simulate(walked, 64, "tests/golden", 2024, "b") == GOLDEN_64


GOLDEN_48 = [29, 18, 23, 0, 28]
GOLDEN_64 = [42, 24, 33, 0, 31]


@pytest.mark.parametrize("other", [("tests/key", 1, 2), ("tests/key", 2, 1), ("tests/other", 1, 1)])
def test_streams_of_different_keys_differ(other: tuple[Any, ...]) -> None:
    walked = [moves(system(add("E", p=HALF)), "E")] * 20
    assert simulate(walked, TRIALS, "tests/key", 1, 1) == simulate(walked, TRIALS, "tests/key", 1, 1)
    assert simulate(walked, TRIALS, "tests/key", 1, 1) != simulate(walked, TRIALS, *other)


def _one_by_one(cases: list[list[Move]], trials: int, purpose: str, *key: int | str) -> list[int]:
    """Run trials with plain whole numbers: one word a trigger whose conditions hold, and no other."""
    words = iter(uniform_words(trials * sum(map(len, cases)), purpose, *key).tolist())
    states = [[0] * trials for _ in cases]
    for position in range(max(map(len, cases))):
        for nth, case in enumerate(cases):
            if position >= len(case):
                continue
            move = case[position]
            for trial, state in enumerate(states[nth]):
                record_allows = move.records >> (state & 3) & 1
                if (
                    record_allows
                    and state & move.mask == move.want
                    and next(words) >> 1 < move.probability * 2**WORD_BITS
                ):
                    states[nth][trial] = state | move.sets
    return [sum(state & 3 == 1 for state in row) for row in states]
