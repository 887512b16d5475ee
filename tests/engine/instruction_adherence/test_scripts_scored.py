"""Witness conversations with one thing spoiled fall by exactly what the rubric takes off, and by nothing else.

Expected values are worked out here from the checkers' verdicts and the definitions of the rewards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest

from audits.mutation import mutants
from engine.errors import UsageError
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.flagging import FLAGS
from engine.instruction_adherence.generate import WritingTask
from engine.instruction_adherence.inflection import forms
from engine.instruction_adherence.rewards import WEIGHTS, Score, score_turns
from engine.instruction_adherence.script_plan import FIRST_LATE
from engine.instruction_adherence.text import Reading
from engine.instruction_adherence.turn import PATTERNS, Check, Turn
from engine.randomness import Stream
from tests.engine.instruction_adherence.scripted import SCRIPTS, script, scripts

FLAG_WORDS = frozenset().union(*map(forms, FLAGS))


def replaced(task: WritingTask, nth: int, text: str) -> Score:
    """Score the witness conversation with another text in turn `nth`, from 0."""
    return score_turns(task.turns, [*task.witnesses[:nth], text, *task.witnesses[nth + 1 :]])


def damaged(task: WritingTask, nth: int, at: int) -> str | None:
    """Return the witness of a turn spoiled for one check; None where no operator does it."""
    check = task.turns[nth].checks[at]
    try:
        made = mutants(check.constraint, task.witnesses[nth], Stream("test damage", nth, at))
        return next((mutant.text for mutant in made), None)
    except UsageError:
        return None


def places(task: WritingTask) -> Iterator[tuple[int, int]]:
    """Yield one scored check a turn, another one in every turn."""
    for nth, turn in enumerate(task.turns):
        scored = [at for at, check in enumerate(turn.checks) if check.scored and check.expect]
        yield nth, scored[nth % len(scored)]


def falls(turn: Turn, verdicts: Sequence[bool], text: str) -> dict[str, Fraction | None]:
    """Return the rewards of one turn by their definitions, for a text that no gate zeroes."""
    scored = [passed for check, passed in zip(turn.checks, verdicts, strict=True) if check.scored]
    words = set(Reading(text).words)
    used = [word for word in turn.usable_keywords if forms(word) & words]
    share = Fraction(sum(scored), len(scored)) if used else Fraction(0)
    told: dict[str, Fraction | None] = {
        "all_satisfied": Fraction(share == 1),
        "fraction_satisfied": share,
        "task_relevance": Fraction(len(used), len(turn.usable_keywords)),
        "no_leakage": Fraction(1),
        "self_audit_accuracy": None,
        "conflict_flagged": None,
    }
    if any(isinstance(check.constraint, SelfAudit) and check.active for check in turn.checks):
        told["self_audit_accuracy"] = accuracy(turn.checks, verdicts, text)
    return told


def accuracy(checks: Sequence[Check], verdicts: Sequence[bool], text: str) -> Fraction:
    """Return the F1 of "yes"; a block that the damage has made unreadable claims nothing and is worth nothing."""
    if any(isinstance(c.constraint, SelfAudit) and not ok for c, ok in zip(checks, verdicts, strict=True)):
        return Fraction(0)
    judged = {c.label: ok for c, ok in zip(checks, verdicts, strict=True) if c.label and c.scored and c.expect}
    claims = re.findall(r"^(R\d+): yes\s*$", text.rpartition("SELF-AUDIT")[2], re.MULTILINE)
    claimed = {label for label in claims if label in judged}
    met = {label for label, passed in judged.items() if passed}
    return Fraction(2 * len(claimed & met), len(claimed) + len(met)) if claimed or met else Fraction(1)


@pytest.mark.parametrize("index", range(0, SCRIPTS, 3))
def test_a_damaged_turn_costs_its_share_and_no_more(index: int) -> None:
    task = script(index)
    tried = 0
    for nth, at in places(task):
        text = damaged(task, nth, at)
        if text is None or isinstance(task.turns[nth].checks[at].constraint, SelfAudit | Restate):
            continue
        score = replaced(task, nth, text)
        turn, own = task.turns[nth], score.turns[nth]
        if own.zeroed or own.overlap > 0:
            continue
        tried += 1
        verdicts = [check.judge(Reading(text)).passed for check in turn.checks]
        assert not verdicts[at]
        for name, value in falls(turn, verdicts, text).items():
            if name != "conflict_flagged":
                assert getattr(own.rewards, name) == value, (name, turn.checks[at])
                assert getattr(score.rewards, name) == mean(task, name, nth, value)
        assert not score.episode_all_satisfied
        assert score.rewards.all_satisfied == 1 - Fraction(1, len(task.turns))
        assert all(other.rewards.full for spot, other in enumerate(score.turns) if spot != nth)
    assert tried > 0


def mean(task: WritingTask, name: str, nth: int, value: Fraction | None) -> Fraction | None:
    """Return the mean of a reward over its turns if one of them falls from 1 to a value."""
    bearing = {
        "self_audit_accuracy": [turn.asks(SelfAudit) for turn in task.turns],
        "conflict_flagged": [turn.conflict is not None for turn in task.turns],
    }.get(name, [True] * len(task.turns))
    if not any(bearing):
        return None
    return 1 - (1 - (value if value is not None else 1)) / sum(bearing)


@pytest.mark.parametrize("index", range(1, SCRIPTS, 3))
def test_an_empty_turn_costs_the_whole_turn(index: int) -> None:
    task = script(index)
    for nth, turn in enumerate(task.turns):
        score = replaced(task, nth, "")
        lost = Fraction(1, len(task.turns))
        always = (score.rewards.all_satisfied, score.rewards.fraction_satisfied, score.rewards.task_relevance)
        assert always == (1 - lost,) * 3 and score.rewards.no_leakage == 1 - lost
        assert score.content_floor == 1 - lost
        for name, bears in (("self_audit_accuracy", turn.asks(SelfAudit)), ("conflict_flagged", bool(turn.conflict))):
            whole = sum(one.asks(SelfAudit) if name.startswith("self") else bool(one.conflict) for one in task.turns)
            value = getattr(score.rewards, name)
            assert value == (None if not whole else 1 - Fraction(bears, whole))


def test_a_contradiction_that_is_not_flagged_costs_the_flag_alone() -> None:
    seen = 0
    for task in scripts():
        for nth, turn in enumerate(task.turns):
            if turn.conflict is None or turn.asks(Restate):
                continue
            text = re.sub(r"[A-Za-z]+", lambda m: "zinc" if m[0].lower() in FLAG_WORDS else m[0], task.witnesses[nth])
            own = replaced(task, nth, text).turns[nth].rewards
            assert own.conflict_flagged == 0
            if own.all_satisfied == 1:
                seen += 1
                assert own.total == 1 + sum(WEIGHTS[n] for n, v in own.values() if n != "all_satisfied" and v)
    assert seen > 5


def test_another_turn_s_response_does_not_count() -> None:
    """Every turn is scored on its own response and its own checks."""
    for task in scripts()[:12]:
        shifted = score_turns(task.turns, [*task.witnesses[1:], task.witnesses[0]])
        assert not shifted.episode_all_satisfied
        alone = [score_turns([turn], [text]) for turn, text in zip(task.turns, task.witnesses, strict=True)]
        assert all(one.rewards.full for one in alone)


class TestDiagnostics:
    def test_patterns_and_turns_are_counted_by_hand(self) -> None:
        for task in scripts():
            told = score_turns(task.turns, task.witnesses).diagnostics()
            for name in PATTERNS:
                count = sum(
                    name in check.patterns
                    for turn in task.turns
                    for check in turn.checks
                    if check.scored or (name == "distractor" and check.quoted)
                )
                assert told[f"n_pat_{name}"] == told[f"pass_pat_{name}"] == count
            for nth, turn in enumerate(task.turns, start=1):
                assert told[f"n_turn_{nth}"] == told[f"pass_turn_{nth}"] == len(turn.scored)
            assert all(told[f"n_turn_{nth}"] == 0 for nth in range(len(task.turns) + 1, 13))
            assert (told["n_pat_long_gap"] > 0) == (len(task.turns) >= FIRST_LATE)
            assert told["n_pat_contradiction"] == sum(turn.conflict is not None for turn in task.turns)
            assert told["n_pat_distractor"] == sum(check.quoted for turn in task.turns for check in turn.checks)

    def test_a_revoked_check_counts_under_its_pattern_and_not_its_type(self) -> None:
        for task in scripts():
            told = score_turns(task.turns, task.witnesses).diagnostics()
            wanted = Counter(c.constraint.id for turn in task.turns for c in turn.scored if c.expect)
            assert all(told[f"n_{name}"] == count for name, count in wanted.items())
            assert told["n_pat_revocation"] == sum(not c.expect for turn in task.turns for c in turn.scored)

    def test_a_fall_shows_in_its_turn_and_patterns_alone(self) -> None:
        seen = 0
        for task in scripts()[::2]:
            for nth, at in places(task):
                check, text = task.turns[nth].checks[at], damaged(task, nth, at)
                if text is None:
                    continue
                score = replaced(task, nth, text)
                broken = [one.check for one in score.turns[nth].outcomes if one.check.scored and not one.verdict.passed]
                if broken != [check]:
                    continue
                seen += 1
                told = score.diagnostics()
                short = {name[2:] for name in told if name.startswith("n_") and told[name] != told[f"pass_{name[2:]}"]}
                patterns = {f"pat_{pattern}" for pattern in check.patterns}
                kinds = {check.constraint.id, f"fam_{check.constraint.family}"}
                assert short == {f"turn_{nth + 1}", *patterns, *kinds}
        assert seen > 50

    def test_an_adopted_quote_shows_as_distractor_alone(self) -> None:
        seen = 0
        for task in scripts():
            for nth, turn in enumerate(task.turns):
                for check in turn.checks:
                    title = check.quoted and check.constraint.id == "struct.title"
                    text = f"<<Plain>>\n\n{task.witnesses[nth]}"
                    if not title or turn.asks(Restate) or text.count("<<") > 1:
                        continue
                    seen += 1
                    score = replaced(task, nth, text)
                    assert score.diagnostics()["pass_pat_distractor"] == score.diagnostics()["n_pat_distractor"] - 1
        assert seen > 0
