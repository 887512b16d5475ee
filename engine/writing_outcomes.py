"""The answers to a pack's writing tasks as rollouts for the report: scored anew, tries of one model together.

Models that differ in nothing but the number of their sample are one model with several tries at each task. PRIVATE:
opens the sealed file.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping

from engine.canonical import canonical_text
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.report import Outcome
from engine.instruction_adherence.rewards import score_turns
from engine.instruction_adherence.writing import FAMILY, WritingMode
from engine.scoring import counted, final_calls, heard_in
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow
from engine.store.pack import Pack
from engine.store.sealed import Sealed

TRUNCATED = "truncated"


def pack_outcomes(
    pack: Pack, sealed: Sealed, answers: Answers, aliases: Collection[str] | None = None
) -> Iterator[tuple[str, Outcome]]:
    """Yield solver and rollout for every answered writing task of a pack; skipped ones are left out.

    Args:
        aliases: the solvers that are wanted; None for all.
    """
    wanted = {solver for solver, (alias, _) in answers.solvers().items() if aliases is None or alias in aliases}
    entries = {entry.id: entry for entry in pack.puzzles() if entry.family == FAMILY}
    names = _names(answers)
    calls: dict[str, Mapping[tuple[str, int], ModelCallRow]] = {}
    for attempt in counted(answers.attempts(puzzle_ids=entries.keys())):
        if attempt.answer == "SKIP" or attempt.solver not in wanted:
            continue
        if attempt.solver not in calls:
            calls = {attempt.solver: final_calls(answers, attempt.solver)}
        said = [
            (turn.turn, turn.text)
            for turn in answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
            if turn.role == "assistant"
        ]
        finals = calls[attempt.solver]
        heard = [heard_in(text, finals.get((attempt.puzzle_id, nth))) for nth, text in said]
        mode: WritingMode = "multi" if entries[attempt.puzzle_id].n_turns > 1 else "single"
        whole = all(one.status == "answered" for one in heard)
        values: dict[str, float] = {}
        reward = None
        if whole:
            turns = sealed_turns(sealed.task(attempt.puzzle_id))
            score = score_turns(turns, [one.text for one in heard])
            reward = float(score.rewards.total)
            values = {name: value for name, value in score.document().items() if isinstance(value, int | float)}
        truncated = any(one.status == TRUNCATED for one in heard)
        yield (
            names[attempt.solver],
            Outcome(task=attempt.puzzle_id, mode=mode, values=values, reward=reward, truncated=truncated),
        )


def _names(answers: Answers) -> dict[str, str]:
    """Return what each solver is called in a report; equal for solvers that differ in the sample alone."""
    names: dict[str, str] = {}
    first: dict[str, str] = {}
    for solver, (alias, _) in sorted(answers.solvers().items(), key=lambda item: item[1]):
        config = answers.config(solver)
        if config is None:
            names[solver] = alias
            continue
        setting = json.loads(config.config)
        setting.pop("sample", None)
        names[solver] = first.setdefault(canonical_text(setting), alias)
    return names
