"""Scripts as a whole: a function of their key, the numbers asked for, split guarantees, witnesses of full score."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UsageError
from engine.instruction_adherence.absence import TRACERS, absent
from engine.instruction_adherence.compat import conflict, parameter_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.length import WordRange
from engine.instruction_adherence.constraints.lexical import ForbiddenWords, Lipogram, NoRepeat, SynonymBan
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.structure import Title
from engine.instruction_adherence.flagging import flags_conflict
from engine.instruction_adherence.generate import WritingTask, generate_task
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.keywords import FEWEST_USABLE, used
from engine.instruction_adherence.rewards import score_turns
from engine.instruction_adherence.script import full_witness
from engine.instruction_adherence.script_material import DeadEnd
from engine.instruction_adherence.splits import SPLITS, barred, demanded
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import PATTERNS, Check, Turn
from engine.instruction_adherence.wordlists import grammar
from engine.instruction_adherence.writing import writing_reasons
from tests.engine.instruction_adherence.scripted import SCRIPTS, recipe, script, scripts, split_of

ROOT = Path(__file__).parents[3]


def revoked(turn: Turn) -> list[Check]:
    return [check for check in turn.checks if check.scored and not check.expect]


def quoted(turn: Turn) -> list[Check]:
    return [check for check in turn.checks if check.quoted]


def pairs(turn: Turn) -> set[frozenset[str]]:
    """Return the pairs of types among the checks that the splits look at."""
    ids = {check.constraint.id for check in turn.checks if not check.quoted}
    return {frozenset(pair) for pair in combinations(ids, 2)}


class TestKeys:
    def test_the_same_key_gives_the_same_script_in_every_process(self) -> None:
        code = (
            "from tests.engine.instruction_adherence.scripted import script\n"
            "one = script(5)\n"
            "print(one.payload.turns, one.witnesses, [turn.checks for turn in one.turns])"
        )
        told = [
            subprocess.run(
                [sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True, text=True, check=True,
            ).stdout
            for seed in ("1", "2")
        ]  # fmt: skip
        assert told[0] == told[1]
        assert str(script(5).payload.turns) in told[0]

    @pytest.mark.parametrize(
        "changes",
        [
            {"seed": 7},
            {"mode": "single"},
            {"constraints": 9},
            {"burial_depth": 0},
            {"hard_family_weight": 1.5},
            {"split": "train"},
            {"private_key": "another"},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_every_part_of_the_key_matters(self, changes: dict[str, object]) -> None:
        assert generate_task(recipe(5, **changes), 5).payload != script(5).payload
        assert generate_task(recipe(5), 6).payload != script(5).payload

    def test_a_weight_out_of_range_is_refused(self) -> None:
        for weight in (0.0, -1.0, 101.0, float("nan")):
            with pytest.raises(UsageError, match=r"hard-family weight .* is not legal; above 0 and up to 100"):
                recipe(0, hard_family_weight=weight)


@pytest.mark.parametrize("index", range(SCRIPTS))
class TestEveryScript:
    def test_numbers(self, index: int) -> None:
        task = script(index)
        assert writing_reasons(task.payload) == ()
        assert len(task.payload.turns) == len(task.turns) == len(task.witnesses)
        sizes = [sum(check.active for check in turn.checks) for turn in task.turns]
        assert max(sizes) == task.constraints == 3 + index % 14
        assert min(sizes) >= 2

    def test_every_turn_sets_a_new_task(self, index: int) -> None:
        task = script(index)
        assert len({turn.keywords for turn in task.turns}) == len(task.turns)
        for turn in task.turns:
            assert 5 <= len(turn.keywords) <= 8
            assert len(turn.usable_keywords) >= FEWEST_USABLE

    def test_no_keyword_is_a_word_that_a_requirement_speaks_of(self, index: int) -> None:
        for turn in script(index).turns:
            asked = [
                check.constraint for check in turn.checks if not check.quoted and (check.scored or not turn.conflict)
            ]
            spoken = {word for constraint in asked if not bans(constraint) for word in words_of(constraint.params)}
            assert all(forms(keyword).isdisjoint(spoken) for keyword in turn.keywords)

    def test_witnesses_get_the_maximum_of_every_reward(self, index: int) -> None:
        task = script(index)
        score = score_turns(task.turns, task.witnesses)
        assert score.rewards.full and score.episode_all_satisfied and score.content_floor == 1
        audited = any(turn.asks(SelfAudit) for turn in task.turns)
        contradicted = any(turn.conflict for turn in task.turns)
        assert (score.rewards.self_audit_accuracy is not None) == audited
        assert (score.rewards.conflict_flagged is not None) == contradicted
        for name, count in score.diagnostics().items():
            if name.startswith("n_"):
                assert count == score.diagnostics()[f"pass_{name[2:]}"], name

    def test_witnesses_meet_each_check_on_their_own(self, index: int) -> None:
        for turn, witness in zip(script(index).turns, script(index).witnesses, strict=True):
            reading = Reading(witness)
            for check in turn.checks:
                if check.expect and check.scored:
                    assert check.constraint.check(reading).passed
                elif not check.expect:
                    assert absent(check.constraint, reading).passed, "revoked or quoted"
            assert used(turn.usable_keywords, reading) == turn.usable_keywords
            if turn.conflict is not None:
                assert flags_conflict(reading, [turn.checks[at].requirement for at in turn.conflict])

    def test_only_the_declared_pair_contradicts_itself(self, index: int) -> None:
        for turn in script(index).turns:
            asked = [check.constraint for check in turn.checks if check.active]
            pair = [check.constraint for check in turn.checks if check.active and not check.scored]
            assert (conflict(asked) is None) == (pair == [])
            if pair:
                assert parameter_conflict(pair) is not None
                assert all(conflict([one for one in asked if one is not other]) is None for other in pair)

    def test_it_keeps_to_its_split(self, index: int) -> None:
        split, task = split_of(index), script(index)
        assert all(pairs(turn).isdisjoint(barred(split)) for turn in task.turns)
        wanted = set(demanded(split))
        assert not wanted or any(not pairs(turn).isdisjoint(wanted) for turn in task.turns)
        assert split == "test" or not any(check.constraint.eval_only for turn in task.turns for check in turn.checks)
        assert not any(check.constraint.id == "struct.json_keys" for turn in task.turns for check in turn.checks)

    def test_what_is_quoted_is_nobody_else_s(self, index: int) -> None:
        for nth, turn in enumerate(script(index).turns, start=1):
            own = {type(check.constraint) for check in turn.checks if not check.quoted}
            for check in quoted(turn):
                assert type(check.constraint) in TRACERS and type(check.constraint) not in own
                assert check.since_turn == nth and check.label is None and check.patterns == ("distractor",)
                assert not isinstance(check.constraint, SelfAudit | Restate)


def bans(constraint: Constraint) -> bool:
    """Whether a constraint names words that are not wanted, or blocks whose texts are others' words."""
    return isinstance(constraint, ForbiddenWords | SynonymBan | NoRepeat | Restate | SelfAudit | Lipogram)


def words_of(value: Any) -> set[str]:
    if isinstance(value, dict | list):
        items = value.values() if isinstance(value, dict) else value
        return {word for item in items for word in words_of(item)}
    return set(Reading(value).words) - set(grammar().common) if isinstance(value, str) else set()


class TestFullWitness:
    def test_a_witness_without_room_for_all_keywords_is_none(self) -> None:
        keywords = ("garden", "mouse", "ladder", "candle", "basket", "copper", "saddle", "winter")
        short = Check(constraint=WordRange(min=1, max=4), requirement="Write 1 to 4 words.")
        for nth in range(5):
            with pytest.raises(DeadEnd) as caught:
                full_witness(Turn(keywords=keywords, checks=(short,)), ("test", nth))
            assert caught.value.reason == "reward"

    def test_a_witness_that_would_adopt_a_quote_is_none(self) -> None:
        wanted = Check(constraint=Title(), requirement="Give it a title.")
        quote = Check(constraint=Title(), requirement="Open with a title.", expect=False, scored=False)
        with pytest.raises(DeadEnd) as caught:
            full_witness(Turn(keywords=("garden", "mouse"), checks=(wanted, quote)), ("test",))
        assert caught.value.reason == "witness"

    def test_what_contradicts_itself_has_no_witness(self) -> None:
        pair = [Check(constraint=WordRange(min=n, max=n), requirement=f"Write {n} words.") for n in (40, 60)]
        with pytest.raises(DeadEnd) as caught:
            full_witness(Turn(keywords=("garden", "mouse"), checks=tuple(pair)), ("test",))
        assert caught.value.reason == "witness"


def test_every_pattern_occurs_and_every_script_mixes_several() -> None:
    counts = Counter(pattern for task in scripts() for pattern in patterns_of(task))
    assert set(counts) == set(PATTERNS)
    assert counts["persistence"] == counts["addition"] == SCRIPTS
    assert min(counts.values()) >= 0.4 * SCRIPTS, counts
    assert all(len(patterns_of(task)) >= 3 for task in scripts())


def patterns_of(task: WritingTask) -> set[str]:
    return {pattern for turn in task.turns for check in turn.checks for pattern in check.patterns}


def test_every_kind_of_script_occurs() -> None:
    """What the properties above are about is there at all."""
    turns = [turn for task in scripts() for turn in task.turns]
    assert {split_of(index) for index in range(SCRIPTS)} == set(SPLITS)
    late = [check for turn in turns for check in turn.checks if isinstance(check.constraint, SelfAudit)]
    assert any(check.since_turn > 1 for check in late) and any(check.since_turn == 1 for check in late)
    assert any(turn.asks(Restate) for turn in turns)
    assert any(isinstance(check.constraint, SelfAudit | Restate) for turn in turns for check in revoked(turn))
    assert any(turn.conflict and turn.asks(SelfAudit) for turn in turns)
    assert any(check.constraint.eval_only for turn in turns for check in turn.checks)
    assert len({check.constraint.id for turn in turns for check in turn.checks}) == 45
