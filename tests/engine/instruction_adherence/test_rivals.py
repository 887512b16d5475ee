"""A rival contradicts its target by proof, goes with everything else, and flags of the conflict can be placed."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.instruction_adherence.compat import conflict, parameter_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.registry import ALL, constraint_of
from engine.instruction_adherence.flagging import FLAGS, flag_phrases, flags_conflict
from engine.instruction_adherence.rivals import NEVER, clashes, disputable, rival
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.witness import Witness, witness
from engine.randomness import Stream

OTHERS = (constraint_of("struct.title", {}), constraint_of("lang.no_contractions", {}))
KINDS = disputable(OTHERS, evaluation=False)


def found(target: Constraint, seed: int) -> Constraint | None:
    return rival(target, OTHERS, KINDS, Stream("test rival", target.id, seed))


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind not in NEVER], ids=lambda kind: kind.id)
def test_a_rival_clashes_with_its_target_alone(kind: type[Constraint]) -> None:
    for seed in range(6):
        target = kind.sample(Stream("test target", kind.id, seed))
        other = found(target, seed)
        if other is not None:
            assert parameter_conflict((target, other)) is not None and clashes(target, other)
            assert conflict((*OTHERS, other)) is None
            assert type(other) is kind or type(other) in KINDS
            assert not isinstance(witness((target, other), key=("test", seed)), Witness)


def test_a_rival_spares_what_else_is_asked() -> None:
    target = constraint_of("length.nth_longest", {"nth": 2})
    others = (constraint_of("length.nth_shortest", {"nth": 1}), constraint_of("length.paragraph_count", {"n": 3}))
    kinds = disputable((target, *others), evaluation=False)
    rivals = [rival(target, others, kinds, Stream("test spare", seed)) for seed in range(40)]
    alone = [rival(target, (), kinds, Stream("test spare", seed)) for seed in range(40)]
    assert all(conflict((*others, one)) is None for one in rivals if one is not None)
    assert any(rivals) and any(conflict((*others, one)) for one in alone if one is not None)


def test_many_types_have_rivals_of_many_types() -> None:
    pairs = Counter[tuple[str, str]]()
    for kind in ALL:
        for seed in range(8):
            target = kind.sample(Stream("test many", kind.id, seed))
            other = None if kind in NEVER else found(target, seed)
            if other is not None:
                pairs[kind.id, other.id] += 1
    assert len({one for one, _ in pairs}) >= 28
    assert len({other for _, other in pairs}) >= 22
    assert sum(one != other for one, other in pairs) >= 30


@pytest.mark.parametrize("name", ["lex.no_commas", "struct.title", "lang.caps_limit"])
def test_what_nothing_contradicts_has_no_rival(name: str) -> None:
    target = constraint_of(name, {"max": 3} if name == "lang.caps_limit" else {})
    assert all(rival(target, (), KINDS, Stream("test none", name, seed)) is None for seed in range(20))


def test_types_for_evaluation_are_set_against_others_only_if_asked() -> None:
    own = constraint_of("lex.lipogram", {"letter": "E"})
    assert not any(kind.eval_only for kind in disputable((own,), evaluation=False))
    assert sum(kind.eval_only for kind in disputable((own,), evaluation=True)) == 2
    for kinds in (disputable((own,), evaluation=flag) for flag in (True, False)):
        assert type(own) not in kinds and not set(NEVER) & set(kinds)


class TestFlags:
    PAIR = ("Use exactly 3 bullet points.", "Write without a single list.")

    def test_each_phrase_flags_the_conflict(self) -> None:
        phrases = list(flag_phrases(self.PAIR))
        assert {phrase.split()[1] for phrase in phrases} == set(FLAGS)
        assert all(flags_conflict(Reading(f"Blue {phrase} plum."), self.PAIR) for phrase in phrases)

    def test_phrases_name_one_of_the_two(self) -> None:
        words = {phrase.split()[0] for phrase in flag_phrases(self.PAIR)}
        assert {"bullet", "list"} <= words and not {"use", "without", "write", "conflict"} & words

    def test_the_order_is_fixed(self) -> None:
        assert list(flag_phrases(self.PAIR)) == list(flag_phrases(self.PAIR))
        assert list(flag_phrases(())) == []
