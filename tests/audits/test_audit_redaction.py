from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from audits.base import Request
from audits.exits import ANSWERED, EXITS
from audits.noninterference import (
    LEAKY_EXITS,
    LEAKY_TASKS,
    audit_exits,
    differences,
    direct,
    plants_exits,
    task_worlds,
    twins,
    worlds,
)
from audits.planted import clean_view
from audits.redaction import audit_keys, payload_faults, plants_keys, plants_task_keys, task_faults
from engine.canonical import canonical_text, read_json
from engine.hidden_systems.behavior import payload_text
from engine.hidden_systems.program.generate import generate_skeleton
from engine.hidden_systems.surface.llm_prompts import rules


def test_shipped_payloads_are_clean() -> None:
    [told] = audit_keys(clean_view())
    assert (told.status, told.n) == ("pass", 24)


def test_every_planted_key_and_leaf_is_found() -> None:
    assert plants_keys() == (21, 21, 0)


def test_a_finding_names_place_and_puzzle_but_no_value() -> None:
    view = clean_view()
    first = view.puzzles[0]
    document = read_json(first.payload, where="test")
    assert isinstance(document, dict)
    spoiled = canonical_text({**document, "complexity": "a secret"})
    told = audit_keys(replace(view, puzzles=(replace(first, payload=spoiled), *view.puzzles[1:])))
    assert [(one.status, one.location) for one in told] == [("fail", f"payload {first.id}#/complexity")]
    assert "a secret" not in repr(told)


def test_the_same_finding_elsewhere_has_the_same_fingerprint() -> None:
    view = clean_view()
    prints = set()
    for at in (0, 5):
        puzzle = view.puzzles[at]
        spoiled = puzzle.payload.replace(f'"id":"c0{at + 1}"', f'"id":"c0{at + 1}x"')
        assert spoiled != puzzle.payload
        [told] = audit_keys(replace(view, puzzles=(replace(puzzle, payload=spoiled),)))
        prints.add(told.fingerprint)
    assert len(prints) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(4, 10), st.integers(0, 2**32), st.integers(0, 50))
def test_no_payload_of_the_generator_is_a_finding(complexity: int, seed: int, index: int) -> None:
    assert list(payload_faults(payload_text(generate_skeleton(complexity, seed, index).payload))) == []


def test_the_exits_tell_nothing_of_the_hidden_half() -> None:
    ones, others = twins(14, range(4, 11), 3)
    assert direct(ones) == direct(others)
    assert all(repr(rules(kind))[1:-1] in told for told in direct(ones).values() for kind in ("legend", "blocks"))
    assert differences((*EXITS, ANSWERED), *worlds(ones, others)) == []


def test_the_exits_tell_nothing_of_the_hidden_half_of_writing_tasks() -> None:
    assert differences(EXITS, *task_worlds(8, 3)) == []


def test_every_leaky_exit_is_found() -> None:
    planted = len(LEAKY_EXITS) + len(LEAKY_TASKS)
    assert plants_exits() == (planted, planted, 0)


def test_every_exit_lets_something_out(tmp_path: Path) -> None:
    both, tasks = worlds(*twins(3, (4,), 0))[0], task_worlds(3, 0)[0]
    for nth, (name, leave) in enumerate((*EXITS, ANSWERED, *EXITS)):
        folder = tmp_path / str(nth)
        folder.mkdir()
        released = leave(both if nth <= len(EXITS) else tasks, folder)
        assert len(released) >= 3, name
        assert all(released[key] for key in released if key != "stderr"), name


def test_the_export_that_is_compared_is_a_real_one(tmp_path: Path) -> None:
    released = dict(EXITS)["export"](worlds(*twins(3, (4,), 0))[0], tmp_path)
    assert released["exit code"] == "0"
    assert sorted(key for key in released if key.startswith("line")) == ["line 0", "line 1", "line 2"]


def test_what_a_model_is_asked_is_compared_in_every_mode(tmp_path: Path) -> None:
    ones, _ = worlds(*twins(2, (4,), 0))
    asked = dict(EXITS)["asked"](ones, tmp_path)
    assert all(ones[nth].rendering.body.split(".")[0] in asked[str(nth)] for nth in range(2))
    assert all(text.count("\n") >= 2 and "json" in text.lower() for text in asked.values())


def test_answers_of_every_puzzle_are_compared(tmp_path: Path) -> None:
    ones, _ = worlds(*twins(3, (4,), 0))
    kept = ANSWERED[1](ones, tmp_path)
    assert {f"attempt {half.puzzle.id}" for half in ones} <= kept.keys()


def test_writing_tasks_agree_in_public_and_differ_in_hidden() -> None:
    for one, other in zip(*task_worlds(8, 0), strict=True):
        assert one.task is not None and other.task is not None
        assert (one.puzzle.payload, one.rendering, one.puzzle.id) == (
            other.puzzle.payload,
            other.rendering,
            other.puzzle.id,
        )
        assert one.task.turns[0].witness != other.task.turns[0].witness
        assert one.puzzle.commit_sha != other.puzzle.commit_sha
        assert {row.puzzle_id for row in (*other.task.checks, *other.task.turns)} == {one.puzzle.id}


def test_pairs_agree_in_public_and_differ_in_hidden() -> None:
    for one, other in zip(*twins(8, (4, 6), 0), strict=True):
        assert payload_text(one.skeleton.payload) == payload_text(other.skeleton.payload)
        assert one.skeleton.gold_answer != other.skeleton.gold_answer
        assert one.skeleton.hidden_system != other.skeleton.hidden_system
        assert (one.seed, one.index) != (other.seed, other.index)


def test_few_pairs_are_inconclusive_with_their_bound() -> None:
    told = audit_exits(Request((4,), 30, 0))
    assert [(row.status, row.n) for row in told] == [("inconclusive", 30)] * 2
    assert [row.bound.value for row in told if row.bound is not None] == [0.1, 0.1]


def test_writing_payloads_are_held_against_their_own_schema() -> None:
    assert plants_task_keys() == (14, 14, 0)
    for half in task_worlds(5, 1)[0]:
        assert list(task_faults(half.puzzle.payload)) == []
