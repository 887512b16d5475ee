"""Scores answers against sealed records: one scorer for people and models, both families.

A person's label is stored; a model's is read from its raw text by the newest parser, whatever read it before. What
cannot be read, or was never said, is a status and never a wrong answer.
PRIVATE: the desk calls this after a commit, `clew score` and the audits on their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, groupby
from typing import cast

from engine.calls import UNREAD, Unread
from engine.canonical import canonical_text
from engine.errors import ScoringError
from engine.errors import counted as numbered
from engine.hidden_systems.behavior import Label, read_payload
from engine.hidden_systems.presenting import FAMILY_NAME, legend_of
from engine.hidden_systems.surface.prompt import labels_of
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.rewards import TurnScore, score_turn
from engine.instruction_adherence.turn import Turn
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.models.parsing import CODES, PARSER_VERSION, Heard, Labels, Parsed, hear, parse
from engine.models.solver import OutputMode
from engine.reveals import committed_text
from engine.store.answer_rows import AttemptRow
from engine.store.answers import Answers
from engine.store.call_rows import ModelCallRow
from engine.store.pack import Pack, PackEntry
from engine.store.scores import CheckScoreRow, Flag, ParsedRow, ScoreRow, Scores, ScoreStatus, TurnScoreRow
from engine.store.sealed import Sealed, SealedPuzzle

SCORER_VERSION = "hidden-systems/2"
WRITING_SCORER_VERSION = "instruction-adherence/1"
SCORER_VERSIONS = (SCORER_VERSION, WRITING_SCORER_VERSION)


@dataclass(frozen=True, kw_only=True)
class Scored:
    """All rows that scoring one attempt makes."""

    row: ScoreRow
    turns: tuple[TurnScoreRow, ...] = ()
    checks: tuple[CheckScoreRow, ...] = ()
    parsed: ParsedRow | None = None


def counted(attempts: Iterable[AttemptRow]) -> Iterator[AttemptRow]:
    """Yield the one attempt that counts for each solver and puzzle: of the first telling answered, the last revision.

    Revisions exist only until the next puzzle opens, and never after a reveal.
    """

    def place(attempt: AttemptRow) -> tuple[str, str]:
        return attempt.solver, attempt.puzzle_id

    for _, group in groupby(sorted(attempts, key=place), key=place):
        rows = sorted(group, key=lambda attempt: (attempt.answered_at, attempt.id))
        yield max(
            (row for row in rows if row.rendering_id == rows[0].rendering_id), key=lambda attempt: attempt.attempt_no
        )


def score_pack(pack: Pack, sealed: Sealed, answers: Answers) -> Iterator[Scored]:
    """Yield the score of every attempt that counts on a pack's puzzles."""
    entries = {entry.id: entry for entry in pack.puzzles()}
    calls: dict[str, Mapping[tuple[str, int], ModelCallRow]] = {}
    for attempt in counted(answers.attempts(puzzle_ids=entries.keys())):
        if attempt.solver not in calls:
            calls = {attempt.solver: final_calls(answers, attempt.solver)}
        yield score_attempt(pack, sealed, answers, attempt, entries[attempt.puzzle_id], calls[attempt.solver])


def score_attempt(
    pack: Pack, sealed: Sealed, answers: Answers, attempt: AttemptRow, entry: PackEntry,
    finals: Mapping[tuple[str, int], ModelCallRow],
) -> Scored:  # fmt: skip
    """Return the score of one stored attempt.

    Args:
        entry: its puzzle; of an item shown under a second id, the item itself.
        finals: the final requests of its solver by puzzle and turn.

    Raises:
        StoreError: the sealed record is not the one that the pack committed to.
    """
    committed_text(pack, sealed, entry.id)
    said = tuple(
        turn.text
        for turn in answers.turns(attempt.session, attempt.puzzle_id, attempt.attempt_no)
        if turn.role == "assistant"
    )
    if entry.family == WRITING:
        turns = sealed_turns(sealed.task(entry.id))
        return score_task(attempt, entry, turns, said, [finals.get((entry.id, nth + 1)) for nth in range(len(turns))])
    read = read_label(pack, attempt, said[0], finals.get((entry.id, 1))) if said and attempt.answer is None else None
    return score_system(attempt, entry, sealed.record(entry.id), read)


def keep(scores: Scores, scored: Sequence[Scored], beside: Iterable[ScoreRow] = ()) -> None:
    """Store all rows of some scores, and what stands beside them, in one transaction."""
    scores.put_scores(
        chain((one.row for one in scored), beside),
        (turn for one in scored for turn in one.turns),
        (check for one in scored for check in one.checks),
        (one.parsed for one in scored if one.parsed is not None),
    )


def final_calls(answers: Answers, solver: str) -> Mapping[tuple[str, int], ModelCallRow]:
    """Return a model's final requests by puzzle and turn; none for people and built-in solvers."""
    return {(call.puzzle_id, call.turn): call for call in answers.calls(solver) if call.final}


# Hidden systems -------------------------------------------------------------------------------------------------------


def score(attempt: AttemptRow, raw: str | None, sealed: SealedPuzzle, complexity: int) -> ScoreRow:
    """Return the score of one attempt at a hidden system that needs no pack to be read.

    Args:
        raw: a built-in solver's text, which is a label's code; None for a person.
    """
    read = None if raw is None else parse(raw)
    return _system_row(attempt, sealed, complexity, "", read)


def score_system(attempt: AttemptRow, entry: PackEntry, sealed: SealedPuzzle, read: Parsed | Unread | None) -> Scored:
    """Return the score of one attempt at a hidden system.

    Args:
        read: what its text gives; None for a person, whose label is stored.
    """
    row = _system_row(attempt, sealed, entry.complexity, entry.kind, read)
    if read is None:
        return Scored(row=row)
    status, label, flags = (read.status, read.label, read.flags) if isinstance(read, Parsed) else (read, None, ())
    parsed = ParsedRow(
        attempt=attempt.id, parser_version=PARSER_VERSION, status=status, label=label, flags=",".join(flags)
    )
    return Scored(row=row, parsed=parsed)


def read_label(pack: Pack, attempt: AttemptRow, text: str, call: ModelCallRow | None) -> Parsed | Unread:
    """Read a model's label from its text, in the words of the rendering that it was shown."""
    heard = heard_in(text, call)
    if heard.status != "answered":
        return heard.status
    if call is None:  # built-in solvers answer with a label's code
        return parse(heard.text, CODES)
    return parse(heard.text, rendering_labels(pack, attempt), output_mode(call))


def rendering_labels(pack: Pack, attempt: AttemptRow) -> Labels:
    """Return the two answers in the words of the rendering that an attempt was shown."""
    payload = read_payload(pack.payload(attempt.puzzle_id), where=f"puzzle {attempt.puzzle_id!r}")
    told = [one for one in pack.renderings(attempt.puzzle_id) if one.id == attempt.rendering_id]
    if not told:
        raise ScoringError(f"attempt {attempt.id!r}: the pack has no rendering {attempt.rendering_id!r}; take its pack")
    return labels_of(legend_of(payload, told[0], pack.meta))


def output_mode(call: ModelCallRow) -> OutputMode:
    """Return how the answer of a request was asked for."""
    found = json.loads(call.params).get("mode", "text")
    if found not in ("text", "schema", "grammar"):
        raise ScoringError(f"request {call.id!r}: mode {found!r} is not known; text, schema and grammar are")
    return cast("OutputMode", found)


def heard_in(text: str, call: ModelCallRow | None) -> Heard:
    """Return what a model said in a text, by this version's parser and what the endpoint told of the request."""
    if call is None:
        return hear(text)
    heard = hear(text, finish_reason=call.finish_reason, refusal=call.refusal)
    unread = next((status for status in UNREAD if status == call.status), None)
    # A text that was cut, refused or filtered stays so; only what a parser says may change with the parser.
    return heard if unread is None else Heard(status=unread, text=heard.text, thoughts=heard.thoughts)


def _system_row(
    attempt: AttemptRow, sealed: SealedPuzzle, complexity: int, kind: str, read: Parsed | Unread | None
) -> ScoreRow:
    label: Label | None = None
    status: ScoreStatus
    if attempt.answer == "SKIP":
        status = "skipped"
    elif attempt.answer is not None:
        status, label = "scored", attempt.answer
    elif read is None:
        status = "unparsable"
    elif isinstance(read, Parsed):
        status, label = ("scored", read.label) if read.status == "read" else (read.status, None)
    else:
        status = read
    return ScoreRow(
        attempt=attempt.id,
        scorer_version=SCORER_VERSION,
        puzzle_id=attempt.puzzle_id,
        solver=attempt.solver,
        family=FAMILY_NAME,
        kind=kind,
        complexity=complexity,
        status=status,
        label=label,
        correct=None if label is None else _flag(label == sealed.gold),
        present_probability=sealed.present_probability,
    )


# Writing tasks --------------------------------------------------------------------------------------------------------


def score_task(
    attempt: AttemptRow,
    entry: PackEntry,
    turns: Sequence[Turn],
    said: Sequence[str],
    calls: Sequence[ModelCallRow | None],
) -> Scored:
    """Return the score of one attempt at a writing task, with that of each turn and the verdict of each check.

    A task with a turn that was not said to its end has that turn's status and no verdict as a whole; its other turns
    are scored.

    Args:
        said: the answers in order, one a turn; fewer only if the task was skipped.
        calls: the final request of each turn; None for a person.

    Raises:
        ScoringError: there are more or fewer answers than turns.
    """
    skipped = attempt.answer == "SKIP"
    if len(said) != len(turns) and not skipped:
        raise ScoringError(
            f"attempt {attempt.id!r}: {numbered(len(said), 'answer')} to {numbered(len(turns), 'turn')}; one a turn"
        )
    heard = [
        Heard(status="answered", text=text, thoughts="") if call is None else heard_in(text, call)
        for text, call in zip(said, calls, strict=False)
    ]
    scores = [
        score_turn(turn, one.text) if one.status == "answered" else one.status
        for turn, one in zip(turns, heard, strict=False)
    ]
    unread = next((one for one in scores if not isinstance(one, TurnScore)), None)
    status: ScoreStatus = "skipped" if skipped else unread or "scored"
    whole = all(isinstance(one, TurnScore) and one.rewards.all_satisfied == 1 for one in scores)
    row = ScoreRow(
        attempt=attempt.id, scorer_version=WRITING_SCORER_VERSION, puzzle_id=attempt.puzzle_id, solver=attempt.solver,
        family=WRITING, kind=entry.kind, complexity=entry.complexity, status=status, label=None,
        correct=_flag(whole) if status == "scored" else None, present_probability=None,
    )  # fmt: skip
    numbers = list(enumerate(scores, start=1))
    return Scored(
        row=row,
        turns=tuple(_turn_row(attempt.id, nth, one) for nth, one in numbers),
        checks=tuple(
            found for nth, one in numbers if isinstance(one, TurnScore) for found in _check_rows(attempt.id, nth, one)
        ),
    )


def _turn_row(attempt: str, nth: int, score: TurnScore | Unread) -> TurnScoreRow:
    if not isinstance(score, TurnScore):
        return TurnScoreRow(attempt=attempt, scorer_version=WRITING_SCORER_VERSION, turn=nth, status=score)
    rewards = score.rewards
    return TurnScoreRow(
        attempt=attempt,
        scorer_version=WRITING_SCORER_VERSION,
        turn=nth,
        status="scored",
        total=str(rewards.total),
        **{name: _fraction(value) for name, value in rewards.values()},
        words=score.words,
        floored=_flag(score.floored),
        overlap=str(score.overlap),
    )


def _check_rows(attempt: str, nth: int, score: TurnScore) -> Iterator[CheckScoreRow]:
    for position, (check, verdict) in enumerate(score.outcomes):
        yield CheckScoreRow(
            attempt=attempt,
            scorer_version=WRITING_SCORER_VERSION,
            turn=nth,
            position=position,
            constraint_id=check.constraint.id,
            family=check.constraint.family,
            expect=_flag(check.expect),
            scored=_flag(check.scored),
            passed=_flag(verdict.passed),
            seen=verdict.seen,
            patterns=canonical_text(list(check.patterns)),
        )


def _fraction(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _flag(value: bool) -> Flag:
    return 1 if value else 0
