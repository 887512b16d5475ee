"""Whether attention items were passed: by what all histories say, or by the checkers on what was written.

The items are public by construction, so nothing sealed is opened, and a rule that leaves people out can be run before
anything is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from engine.canonical import read_json
from engine.conversation import WRITER
from engine.errors import StoreError
from engine.hidden_systems.behavior import read_payload
from engine.instruction_adherence.turn import turn_of
from engine.instruction_adherence.verdicts import judged_in
from engine.instruction_adherence.writing import FAMILY as WRITING
from engine.store.answer_rows import TurnRow
from engine.study.aside import commitment, expected_label
from engine.study.folder import ASIDE_NAME, ATTENTION_NAME, Study
from engine.study.packset import PackSet
from engine.study.rehearsal import Prepared, read_prepared
from engine.study.trials import StudyData, Trial

UNMET = ("missing", "abandoned", "error")
Test = Callable[[Trial, str], bool]
"""Takes an answered trial and what was written; says whether it passes."""


def attended(study: Study, data: StudyData, turns: Sequence[TurnRow]) -> StudyData:
    """Return the same with a verdict on every attention item that was met; skips and timeouts fail.

    Raises:
        StoreError: what an attention task is checked for is missing, or is not what was frozen.
    """
    tests = _tests(study)
    if not tests:
        return data
    written = {(turn.session, turn.puzzle_id): turn.text for turn in _in_order(turns) if turn.role == WRITER}

    def judged(trial: Trial) -> Trial:
        if trial.role != "attention" or trial.status in UNMET:
            return trial
        text = written.get((trial.session, trial.shown_uid), "")
        passed = trial.status == "answered" and tests[trial.shown_uid](trial, text)
        return replace(trial, attention_passed=passed)

    return replace(
        data, people=tuple(replace(one, trials=tuple(map(judged, one.trials))) for one in data.people)
    )  # fmt: skip


def _in_order(turns: Iterable[TurnRow]) -> list[TurnRow]:
    """Return turns with a revised text after the one that it takes the place of."""
    return sorted(turns, key=lambda turn: turn.attempt_no)


def _tests(study: Study) -> Mapping[str, Test]:
    """Return the test of each attention item, by id."""
    wanted = study.manifest.aside.attention
    tests: dict[str, Test] = {}
    with PackSet([study.place / ASIDE_NAME]) as aside:
        prepared = _prepared(study) if any(one.family == WRITING for one in wanted) else {}
        for one in wanted:
            if one.family == WRITING:
                tests[one.uid] = _of_task(one.uid, prepared.get(one.uid), aside.entry(one.uid).commit_sha)
            else:
                payload = read_payload(aside.home(one.uid).payload(one.uid), where=f"puzzle {one.uid!r}")
                tests[one.uid] = _of_system(expected_label(payload))
    return tests


def _prepared(study: Study) -> Mapping[str, Prepared]:
    path = study.place / ATTENTION_NAME
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: missing or unreadable; it belongs to the frozen study, restore the file") from error
    return {one.puzzle_id: one for one in read_prepared(text, where=str(path))}


def _of_system(label: str) -> Test:
    return lambda trial, text: trial.answer == label


def _of_task(uid: str, prepared: Prepared | None, frozen: str) -> Test:
    """Return the test of an attention task: every requirement is met."""
    if prepared is None or [commitment(turn) for turn in prepared.turns] != [frozen]:
        raise StoreError(f"{ATTENTION_NAME}: checks of item {uid!r} are not what was frozen; restore the file")
    where = f"attention item {uid!r}"
    document = read_json(prepared.turns[0], where=where)
    assert isinstance(document, dict), "a text with the frozen digest is an object"
    turn = turn_of(document, where=where)
    return lambda trial, text: all(one.passed for one in judged_in(turn, text))
