"""Reports of evaluation runs: pass@k, rates worst first, truncation and errors, from files of both verifiers lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.exchange.verifiers_runs import read_run
from engine.instruction_adherence.report import pass_at
from tests.engine.world import World, answer_to

REWARDS = {"all_satisfied": 1.0, "fraction_satisfied": 0.3}


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_pass(tries: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(tries)))
    draws = list(combinations(tries, k))
    assert pass_at(k, len(tries), sum(tries)) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_pass_at_k_refuses_more_tries_than_there_are() -> None:
    with pytest.raises(ValueError, match="pass@8 of 1 passes in 2 tries"):
        pass_at(8, 2, 1)


def values(
    passed: bool, commas: tuple[int, int] = (1, 0), turns: Sequence[tuple[int, int]] = ((2, 1),)
) -> dict[str, float]:
    made: dict[str, float] = {
        "all_satisfied": float(passed),
        "fraction_satisfied": 0.5,
        "episode_all_satisfied": passed,
    }
    made |= {"n_lex.no_commas": commas[0], "pass_lex.no_commas": commas[1], "n_fam_lexical": commas[0]}
    made |= {"pass_fam_lexical": commas[1], "n_struct.title": 1, "pass_struct.title": 1, "n_pat_addition": 0}
    for nth, (checks, passes) in enumerate(turns, start=1):
        made |= {f"n_turn_{nth}": checks, f"pass_turn_{nth}": passes}
    return made


def v0_row(
    uid: str, metrics: dict[str, float] | None, *, env: str = "single", truncated: bool = False
) -> dict[str, object]:
    return {
        "example_id": 0, "prompt": [{"role": "user", "content": "Write."}],
        "completion": [{"role": "assistant", "content": "Text."}], "answer": "", "info": {"uid": uid, "env_id": env},
        "reward": 0.0 if metrics is None else metrics["all_satisfied"], "error": None if metrics else {"error": "boom"},
        "is_truncated": truncated, "metrics": metrics or {"all_satisfied": 0.0},
    }  # fmt: skip


def v1_row(uid: str, metrics: dict[str, float] | None, *, mode: str = "single") -> dict[str, object]:
    task = {"type": "T", "data": {"id": uid, "mode": mode, "answer": "GOLD"}, "key": uid}
    nodes = [
        {"message": {"role": role, "content": text}} for role, text in (("user", "Write."), ("assistant", "Text."))
    ]
    scores = {name: {"score": None if metrics is None else metrics[name], "weight": w} for name, w in REWARDS.items()}
    trace = {
        "task": task, "agent": {"config": {"model": "m1"}}, "nodes": nodes, "calls": [{"finish_reason": "length"}],
        "rewards": scores, "metrics": {k: v for k, v in (metrics or {}).items() if k not in REWARDS},
        "ok": metrics is not None, "errors": [] if metrics else [{"type": "TaskError", "message": "boom"}],
    }  # fmt: skip
    return {"env": {"id": "e"}, "task": task, "ok": metrics is not None, "errors": [], "traces": [trace]}


def write(folder: Path, name: str, rows: Iterable[dict[str, object]], *, torn: bool = False) -> Path:
    folder.mkdir()
    lines = [json.dumps(row) for row in rows]
    (folder / name).write_text("\n".join(lines) + ('\n{"half' if torn else "\n"), encoding="utf-8")
    (folder / "metadata.json").write_text('{"model": "m0"}', encoding="utf-8")
    return folder


def summaries(world: World, *runs: Path) -> list[dict[str, object]]:
    told = world.clew("report", "--family", "instruction-adherence", "--format", "json", *runs)
    assert told.code == 0, told.err
    found = json.loads(told.out)["summaries"]
    assert isinstance(found, list)
    return found


def test_v0_rows_are_joined_by_puzzle_and_failed_ones_count_as_not_passed(world: World) -> None:
    rows = [
        v0_row("a", values(True, (1, 1))),
        v0_row("b", values(False)),
        v0_row("a", None),
        v0_row("b", None, truncated=True),
    ]
    (one,) = summaries(world, write(world.folder / "run", "results.jsonl", rows))
    assert (one["model"], one["mode"], one["tasks"], one["rollouts"]) == ("m0", "single", 2, 4)
    assert one["pass@1"] == 0.25 and one["pass@8"] is None and one["pass@1 without failed rollouts"] == 0.5
    assert (one["failed"], one["truncated"], one["mean_reward"]) == (2, 1, 0.25)
    assert [(r["name"], r["passed"], r["checks"]) for r in one["constraints"]] == [  # type: ignore[attr-defined]
        ("lex.no_commas", 1, 2), ("struct.title", 2, 2),
    ]  # fmt: skip
    assert one["patterns"] == [] and [r["name"] for r in one["families"]] == ["lexical"]  # type: ignore[attr-defined]


def test_pass_at_8_needs_eight_rollouts_of_every_task(world: World) -> None:
    rows = [v0_row(uid, values(nth == 0)) for uid in "ab" for nth in range(8)]
    (one,) = summaries(world, write(world.folder / "run", "results.jsonl", rows))
    assert one["pass@1"] == 0.125 and one["pass@8"] == 1.0


def test_v1_episodes_give_the_same_report_and_show_no_gold(world: World) -> None:
    rows = [
        v1_row("a", values(True, (1, 1))),
        v1_row("b", None),
        v1_row("c", values(False, turns=((2, 1), (2, 0))), mode="multi"),
    ]
    run = write(world.folder / "run", "traces.jsonl", rows)
    single, multi = summaries(world, run)
    assert (single["model"], single["pass@1"], single["failed"], single["truncated"]) == ("m1", 0.5, 1, 2)
    assert single["mean_reward"] == pytest.approx((1.0 + 0.3 * 0.5) / 2)
    assert multi["mode"] == "multi" and [(r["name"], r["rate"]) for r in multi["turns"]] == [
        ("turn 1", 0.5),
        ("turn 2", 0.0),
    ]  # type: ignore[attr-defined]
    assert "GOLD" not in repr(read_run(run).rollouts)


def test_a_torn_line_is_passed_over_and_counted(world: World) -> None:
    run = write(world.folder / "run", "results.jsonl", [v0_row("a", values(True))], torn=True)
    told = world.clew("report", "--family", "instruction-adherence", run)
    assert told.code == 0 and "1 line not whole, passed over" in told.err
    assert "| m0 | single | 1 | 1 | 100.0% | - | 100.0% | 100.0% | 1.000 | 0.0% | 0.0% |" in told.out


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder / "none", "none does not exist"),
        (lambda folder: write(folder / "r", "results.jsonl", []), "no rollout in"),
        (lambda folder: write(folder / "r", "results.jsonl", [{"info": {}}]), "no puzzle id"),
    ],
)
def test_what_is_no_run_is_one_line_and_exit_2(world: World, make: object, says: str) -> None:
    told = world.clew("report", "--family", "instruction-adherence", make(world.folder))  # type: ignore[operator]
    assert told.code == 2 and says in told.err and len(told.err.splitlines()) == 1 and told.out == ""


def test_answers_to_a_pack_are_reported_without_a_run_folder(world: World) -> None:
    folder = world.folder / "w"
    key = ("--count", "3", "--constraints", "4", "--seed", "4", "--mode", "both", "--out", folder)
    assert world.clew("generate", "instruction-adherence", *key).code == 0
    records = {r["puzzle_id"]: r for r in (json.loads(line) for line in world.clew("export", "records", folder).lines)}
    right = min(identity for identity, record in records.items() if record["mode"] == "multi")
    with world.desk(folder) as desk:
        while (shown := desk.next_task()) is not None:
            record = records[shown.puzzle_id]
            turn = record["turns"][shown.turn - 1] if shown.turns > 1 else record
            passes = shown.turns == 1 or shown.puzzle_id == right
            text = turn["witness"] if passes else "No."
            desk.submit(answer_to(shown, None, confidence=None, raw=text, turn=shown.turn))
    single, multi = summaries(world, folder)
    assert (single["model"], single["mode"], single["pass@1"], single["failed"]) == ("ada", "single", 1.0, 0)
    assert (multi["mode"], multi["tasks"], multi["pass@1"]) == ("multi", 3, pytest.approx(1 / 3))
