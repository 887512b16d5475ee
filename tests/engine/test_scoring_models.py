"""What scoring makes of models' answers: statuses, localised labels, better parsers, writing tasks turn by turn."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.rewards import score_turns
from engine.models.parsing import PARSER_VERSION
from engine.store.answers import Answers
from engine.store.pack import Pack
from engine.store.scores import Scores
from engine.store.sealed import Sealed
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.models.fault_server import Reply, Script, chat, failure, in_thread, steps
from tests.engine.world import World, answer_to


def solve(world: World, pack: Path, script: Script, *more: str) -> str:
    """Let a scripted model answer a pack and score it; return what `clew score` prints."""
    with in_thread(script) as server:
        world.clew("solve", pack, "--model", "openai:m", "--base-url", server.base_url, "--concurrency", "1", *more)
    done = world.clew("score", pack)
    assert done.code == 0, done.err
    return done.out


def scores(world: World) -> Scores:
    return Scores.open(world.folder / "data" / "scores.db")


def words(body: object) -> tuple[str, str]:
    """Return the two labels that a request offers, in its order."""
    lines = body["messages"][0]["content"].splitlines()  # type: ignore[index]
    return lines[-3].removeprefix("ANSWER: "), lines[-1].removeprefix("ANSWER: ")


def test_every_status_has_its_row_and_none_is_wrong_by_failing(world: World) -> None:
    pack = world.pack(complexities=(4,) * 9)

    def script(nth: int, body: object) -> Reply:
        first, second = words(body)
        return (
            chat(f"ANSWER: {first}"), chat(f"ANSWER: {second}"), chat(f"{first} or {second}"), chat("no idea"),
            chat(f"ANSWER: {first}", finish_reason="length"), chat(None, refusal="no"),
            chat("", finish_reason="content_filter"), chat(" "),
            failure(400, "context size", "exceed_context_size_error"),
        )[nth]  # fmt: skip

    told = solve(world, pack, script)
    assert "9 answers, 2 scored, 1 ambiguous, 1 empty, 1 filtered, 1 refused, 1 too_long, 1 truncated" in told
    with scores(world) as kept:
        rows, parsed = kept.scores(), kept.parsed()
    assert Counter(row.correct for row in rows if row.status == "scored").total() == 2
    assert {row.correct for row in rows if row.status != "scored"} == {None}
    assert {row.parser_version for row in parsed} == {PARSER_VERSION} and len(parsed) == 9
    assert Counter(row.status for row in parsed)["read"] == 2
    result = json.loads(world.clew("compare", pack, "--json").out)
    whole = next(row for row in result["accuracies"] if row["complexity"] == 0)
    assert (whole["scored"], whole["puzzles"], whole["missing"]) == (2, 9, 0)
    assert whole["accuracy"] == whole["correct"] / 2 and whole["accuracy_all"] == whole["correct"] / 9


def test_a_label_counts_in_the_words_that_were_shown_and_in_no_others(world: World) -> None:
    """A model that always names the right outcome in the story's words is always right; codes are not its words."""
    pack = world.pack(complexities=(4, 4, 6, 6))
    truth = {}
    for line in world.clew("export", "records", pack).lines:
        record = json.loads(line)
        truth[record["puzzle_id"]] = record["gold_answer"]
    by_text = {}
    with world.desk(pack) as desk:
        for puzzle, gold in truth.items():
            shown = desk.present(puzzle)
            names = {item.code: item.name for item in shown.legend.outcomes}  # type: ignore[union-attr]
            by_text[shown.text] = (names[gold], gold)
    solve(world, pack, lambda nth, body: chat(f"ANSWER: {by_text[body['messages'][-1]['content']][0]}"))
    solve(world, pack, lambda nth, body: chat(f"ANSWER: {by_text[body['messages'][-1]['content']][1]}"), "--seed", "1")
    with scores(world) as kept:
        found = Counter((row.status, row.correct) for row in kept.scores())
    assert found == {("scored", 1): 4, ("unparsable", None): 4}


def test_incomplete_runs_are_told_in_the_first_line(world: World) -> None:
    pack = world.pack()
    solve(world, pack, steps(chat("no idea"), failure(401)))
    first = world.clew("compare", pack).lines[0]
    assert first.startswith("INCOMPLETE: openai:m#") and first.endswith("3 pending (1 with failed requests)")


def test_scores_of_an_older_scorer_ask_for_scoring_again(world: World) -> None:
    pack = world.pack()
    world.clew("solve", pack, "--model", "baseline:pooled")
    world.clew("score", pack)
    with scores(world) as kept:
        old = [replace(row, scorer_version="hidden-systems/1") for row in kept.scores()]
        kept._db.conn.execute("delete from score")
        kept.put_scores(old)
    done = world.clew("compare", pack)
    assert done.code == 2 and "4 answers are not scored yet; run clew score first" in done.err


@pytest.fixture
def tasks(world: World) -> Path:
    done = world.clew(
        "generate", "instruction-adherence", "--count", "3", "--constraints", "4", "--seed", "4", "--out",
        world.folder / "w",
    )  # fmt: skip
    assert done.code == 0, done.err
    return world.folder / "w"


def witnesses(pack: Path) -> dict[str, str]:
    """Return the first witness of each task by its brief."""
    with Pack.open(pack / "pack.db") as opened, Sealed.open(pack / "sealed.db") as sealed:
        return {
            json.loads(opened.payload(entry.id))["turns"][0]: sealed.task(entry.id).turns[0].witness
            for entry in opened.puzzles()
        }


def test_a_model_that_writes_the_witness_meets_everything(world: World, tasks: Path) -> None:
    known = witnesses(tasks)
    told = solve(world, tasks, lambda nth, body: chat("<think>hm</think>" + known[body["messages"][-1]["content"]]))
    assert "3 answers, 3 scored" in told
    with scores(world) as kept:
        rows, turns, checks = kept.scores(), kept.turn_scores(), kept.check_scores()
    assert {(row.family, row.kind, row.correct, row.present_probability) for row in rows} == {
        ("instruction-adherence", "single", 1, None)
    }
    assert {turn.all_satisfied for turn in turns} == {"1"} and len(turns) == 3
    assert all(check.passed for check in checks) and len(checks) == sum(row.complexity for row in rows)
    result = json.loads(world.clew("compare", tasks, "--json").out)
    assert {(row["mode"], row["accuracy"]) for row in result["accuracies"]} == {("single", 1.0)}
    assert next(rate for rate in result["rates"] if rate["name"] == "turns")["passed"] == 3


def test_rows_of_a_written_text_are_those_of_the_rewards(world: World, tasks: Path) -> None:
    """People's and models' texts give the same rows as scoring the text directly."""
    text = "A short note, which meets little of what was asked. " * 8
    solve(world, tasks, steps(chat(text)))
    with world.desk(tasks) as desk:
        while (shown := desk.next_task()) is not None:
            desk.submit(answer_to(shown, None, confidence=None, raw=text))
    world.clew("score", tasks)
    with scores(world) as kept, Sealed.open(tasks / "sealed.db") as sealed:
        for row in kept.scores():
            direct = score_turns(sealed_turns(sealed.task(row.puzzle_id)), [text])
            (turn,) = [one for one in kept.turn_scores() if one.attempt == row.attempt]
            checks = [one for one in kept.check_scores() if one.attempt == row.attempt]
            assert row.correct == int(direct.episode_all_satisfied)
            assert Fraction(turn.total or "") == direct.rewards.total
            assert Fraction(turn.fraction_satisfied or "") == direct.rewards.fraction_satisfied
            assert [(c.constraint_id, bool(c.passed), c.seen) for c in checks] == [
                (check.constraint.id, verdict.passed, verdict.seen) for check, verdict in direct.turns[0].outcomes
            ]
        assert Counter(row.solver for row in kept.scores()).most_common(2)[1][1] == 3, "both solvers have three rows"


def test_a_turn_that_was_cut_takes_the_verdict_from_the_whole_and_not_from_the_others(
    world: World, tmp_path: Path
) -> None:
    pack = write_conversation(tmp_path / "talk")
    text = chat("Bakery news\n\nThe bakery is open and the bread is warm. " * 6)
    solve(world, pack, steps(text, chat("cut", finish_reason="length"), text))
    with scores(world) as kept:
        (row,) = kept.scores()
        assert (row.status, row.correct, row.kind) == ("truncated", None, "multi")
        assert [turn.status for turn in kept.turn_scores()] == ["scored", "truncated", "scored", "scored"]
        assert {check.turn for check in kept.check_scores()} == {1, 3, 4}
    assert len(TURNS) == 4


def test_a_skipped_conversation_keeps_its_turns(world: World, tmp_path: Path) -> None:
    pack = write_conversation(tmp_path / "talk")
    with world.desk(pack) as desk:
        for given, text in ((None, "Bread " * 40), ("SKIP", None)):
            shown = desk.next_task()
            assert shown is not None
            desk.submit(answer_to(shown, given, confidence=None, raw=text, turn=shown.turn, reason=given and "unclear"))
    assert "1 answer, 0 scored, 1 skipped" in world.clew("score", pack).out
    with scores(world) as kept:
        assert [row.status for row in kept.scores()] == ["skipped"]
        assert [turn.turn for turn in kept.turn_scores()] == [1]


def test_answers_outlive_the_parser_that_read_them(world: World) -> None:
    """The text is kept as it came, whatever was read: nothing derived stands in the answers file."""
    pack = world.pack(complexities=(4,))
    solve(world, pack, steps(chat("<think>x</think>Perhaps PRESENT")))
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (attempt,) = answers.attempts()
        (turn,) = answers.turns(attempt.session, attempt.puzzle_id)
    assert attempt.answer is None and turn.text == "<think>x</think>Perhaps PRESENT"
