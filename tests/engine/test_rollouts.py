"""What rollouts are worth: the engine's own scores, errors where there are none, and the states of a v0 rollout."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping

import pytest

from engine.errors import ScoringError
from engine.hidden_systems.surface.prompt import labels_of
from engine.instruction_adherence.rewards import WEIGHTS
from engine.kept_packs import scripts, shown_system, systems_pack, writing_pack
from engine.rollouts import (
    Marks,
    State,
    checked_marks,
    replies,
    score_state,
    score_states,
    state_mark,
    system_marks,
    system_weights,
    writing_marks,
    writing_weights,
)
from engine.store.pack import Pack
from engine.store.sealed import Sealed
from tests.engine.world import World

SECRET = "the witness"


def witnesses(folder: object, puzzle_id: str) -> tuple[str, ...]:
    with Sealed.open(folder / "sealed.db") as sealed:  # type: ignore[operator]
        return tuple(turn.witness for turn in sealed.task(puzzle_id).turns)


@pytest.mark.parametrize("mode", ["single", "multi"])
def test_writing_marks_are_those_of_score_response(world: World, mode: str) -> None:
    folder = writing_pack(mode, "held_out_combos", 7, 3, 8, None, None)  # type: ignore[arg-type]
    for script in scripts(folder):
        whole = witnesses(folder, script.puzzle_id)
        halved = (*whole[:-1], whole[-1][: len(whole[-1]) // 2])
        for said in (whole, halved):
            asked = world.folder / "asked.jsonl"
            asked.write_text(json.dumps({"puzzle_id": script.puzzle_id, "responses": said}))
            score = json.loads(world.clew("score-response", asked, "--pack", folder).out)
            marks = writing_marks(script.puzzle_id, said)
            told = {name: value for name, value in score.items() if name not in ("reward", "turns")}
            assert {**marks.rewards, **marks.metrics} == {k: v for k, v in told.items() if v is not None}
            total = sum(writing_weights()[name] * value for name, value in marks.rewards.items())
            assert total == pytest.approx(score["reward"], abs=1e-12)
            assert {name for name in told if told[name] is None} == set(WEIGHTS) - marks.rewards.keys()
            assert list(writing_weights()) == list(told)


def test_thoughts_are_taken_off_before_a_text_is_scored(world: World) -> None:
    folder = writing_pack("single", "train", 7, 1, 8, None, None)
    (script,) = scripts(folder)
    (whole,) = witnesses(folder, script.puzzle_id)
    thought = writing_marks(script.puzzle_id, (f"<think>Let me see.</think>{whole}",))
    assert thought == writing_marks(script.puzzle_id, (whole,))
    assert thought.rewards["all_satisfied"] == 1


def test_a_label_is_right_wrong_or_not_there(world: World) -> None:
    folder = systems_pack(2, "short", 7)
    for script in scripts(folder, "kiln"):
        with Pack.open(folder / "pack.db") as pack, Sealed.open(folder / "sealed.db") as sealed:
            labels = labels_of(shown_system(pack, script.puzzle_id, "kiln").legend)
            gold = sealed.record(script.puzzle_id).gold
        right, wrong = (labels.present, labels.absent) if gold == "PRESENT" else (labels.absent, labels.present)
        table: Mapping[str, tuple[int, str]] = {
            f"ANSWER: {right}": (1, "read"),
            f"ANSWER: {wrong}": (0, "read"),
            f"ANSWER: {right} or {wrong}": (0, "ambiguous"),
            "I cannot tell.": (0, "unparsable"),
            "": (0, "empty"),
            f"<think>ANSWER: {right}": (0, "truncated"),
        }
        for text, (correct, status) in table.items():
            marks = system_marks(script.puzzle_id, (text,), domain="kiln")
            assert (marks.rewards, marks.metrics[status], sum(marks.metrics.values())) == ({"correct": correct}, 1, 1)
            assert [*marks.rewards, *marks.metrics] == list(system_weights())
        cut = system_marks(script.puzzle_id, (f"ANSWER: {right}",), True, domain="kiln")
        assert (cut.rewards, cut.metrics["truncated"]) == ({"correct": 0}, 1)


@pytest.mark.parametrize("said", [(), ("one", "two")])
def test_replies_that_do_not_match_the_turns_are_an_error(world: World, said: tuple[str, ...]) -> None:
    system, task = systems_pack(1, "short", 7), writing_pack("single", "train", 7, 1, 8, None, None)
    for folder, mark in ((system, system_marks), (task, writing_marks)):
        with pytest.raises(ScoringError, match=rf"{len(said)} replies"):
            checked_marks(mark, scripts(folder)[0].puzzle_id, said, False)


def broken(puzzle_id: str, said: tuple[str, ...], cut: bool) -> Marks:
    raise ZeroDivisionError(SECRET)


def working(puzzle_id: str, said: tuple[str, ...], cut: bool) -> Marks:
    return Marks(rewards={"all_satisfied": len(said[0]) / 10}, metrics={"cut": float(cut)})


def test_a_failure_names_its_place_and_nothing_of_the_puzzle() -> None:
    with pytest.raises(
        ScoringError, match=r"puzzle 'abc' was not scored: ZeroDivisionError at test_rollouts"
    ) as caught:
        checked_marks(broken, "abc", [""], False)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None and caught.value.__context__ is None


def test_an_unknown_puzzle_is_an_error(world: World) -> None:
    with pytest.raises(ScoringError, match="no kept pack has puzzle 'abc'"):
        checked_marks(writing_marks, "abc", [""], False)


# States of the v0 line ------------------------------------------------------------------------------------------------


def a_state(text: str, **more: object) -> State:
    said = [{"role": "user", "content": "go on"}, {"role": "assistant", "content": text}]
    return {"info": {"uid": "abc"}, "completion": said, "error": None, **more}


async def library_score(state: State) -> None:
    """Add up as the library does: every declared name, whether it applies or not."""
    state["metrics"] = {name: state_mark(state, name) for name in (*WEIGHTS, "cut")}
    state["reward"] = sum(float(WEIGHTS.get(name, 0)) * value for name, value in state["metrics"].items())


async def library_score_group(states: list[State]) -> None:
    for state in states:
        await library_score(state)
    mean = sum(state["reward"] for state in states) / len(states)
    for state in states:
        state["advantage"] = state["reward"] - mean


def test_a_state_gets_the_reward_and_only_what_applies() -> None:
    state = a_state("12345", is_truncated=True)
    asyncio.run(score_state(state, working, library_score))
    assert (state["reward"], state["metrics"], state["error"]) == (0.5, {"all_satisfied": 0.5, "cut": 1.0}, None)
    assert "marks" not in state


def test_a_state_that_cannot_be_scored_gets_an_error_and_no_metrics() -> None:
    state = a_state("12345")
    asyncio.run(score_state(state, broken, library_score))
    assert isinstance(state["error"], ScoringError)
    assert (state["reward"], state["metrics"]) == (0.0, {})


def test_an_error_from_before_stays_the_error() -> None:
    before = RuntimeError("the endpoint is gone")
    state = a_state("12345", error=before)
    asyncio.run(score_state(state, working, library_score))
    assert (state["error"], state["metrics"]) == (before, {})


def test_in_a_group_only_scored_rollouts_are_compared() -> None:
    def sometimes(puzzle_id: str, said: tuple[str, ...], cut: bool) -> Marks:
        return broken(puzzle_id, said, cut) if said == ("bad",) else working(puzzle_id, said, cut)

    states = [a_state("1"), a_state("bad"), a_state("123")]
    asyncio.run(score_states(states, sometimes, library_score_group))
    assert [state["advantage"] for state in states] == pytest.approx([-0.1, 0, 0.1])
    assert [state["error"] is None for state in states] == [True, False, True]
    only_bad = [a_state("bad")]
    asyncio.run(score_states(only_bad, sometimes, library_score_group))
    assert only_bad[0]["metrics"] == {}


def test_replies_are_the_assistants_texts_byte_for_byte() -> None:
    said = [
        {"role": "assistant", "content": " a\r\n"},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": None},
    ]
    assert replies(said) == (" a\r\n", "")
    assert replies(None) == ()
