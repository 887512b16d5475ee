"""The verifiers packages with a scripted model: installed, evaluated, killed, resumed, compared with the engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

import pytest

from engine.exchange.verifiers_runs import Rollout, read_run
from engine.instruction_adherence.constraints.registry import TYPES
from engine.instruction_adherence.rewards import WEIGHTS
from tests.environments.brought_in import Counts, Evaluated, twice, with_text
from tests.environments.scripted_model import ScriptedModel, serving
from tests.environments.told_tasks import Told, engine_scores, system_puzzles, writing_tasks
from tests.environments.verifiers_lines import LINES, Line

pytestmark = [
    pytest.mark.environments,
    pytest.mark.parametrize("line", LINES, ids=[line.name for line in LINES], indirect=True),
]
EACH = 10
"""Tasks of each mode in the README's command for writing tasks."""
PUZZLES = 20
"""Puzzles in the README's command for hidden systems."""
BEFORE_THE_KILL = 12
"""Requests answered before the evaluation is killed."""
FINISH_S = 400
"""Seconds that one command may take before it counts as hanging."""
PLANTED = Path(__file__).parent / "planted"


def model_for(told: Mapping[str, Told], stop_after: int | None = None) -> ScriptedModel:
    pairs = [pair for one in told.values() for pair in zip(one.texts, one.replies, strict=True)]
    table = dict(pairs)
    assert len(table) == len(pairs), "two turns with one text"
    return ScriptedModel(reply=table.__getitem__, stop_after=stop_after)


def finished(line: Line, command: Sequence[str], **variables: str) -> None:
    process = line.start(command, **variables)
    try:
        code = process.wait(timeout=FINISH_S)
    finally:
        end(process)
    assert code == 0, line.printed.read_text()[-3000:]


def killed(line: Line, command: Sequence[str], model: ScriptedModel) -> None:
    """Run a command until the model leaves a request hanging, then kill its whole process group."""
    process = line.start(command)
    Thread(target=lambda: (process.wait(), model.stuck.set()), daemon=True).start()
    assert model.stuck.wait(timeout=FINISH_S) and process.poll() is None, line.printed.read_text()[-3000:]
    end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process group of a command, if any of it is left."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def whole_lines(path: Path) -> list[str]:
    return [text for text in path.read_text().splitlines(keepends=True) if text.endswith("\n")]


def assert_nothing_leaked(model: ScriptedModel, told: Mapping[str, Told]) -> None:
    """Requests hold what users say and what was replied, in order, and no name or parameter of a check."""
    said = {text for one in told.values() for text in one.texts}
    replied = {reply for one in told.values() for reply in one.replies}
    secrets = {secret for one in told.values() for secret in one.secrets}
    for body in model.bodies:
        for message in json.loads(body)["messages"]:
            assert message["content"] in {"user": said, "assistant": replied}[message["role"]]
        unescaped = json.dumps(json.loads(body), ensure_ascii=False)
        assert not [secret for secret in secrets if secret in unescaped or secret.encode() in body]


def test_a_killed_evaluation_loses_no_row_and_gives_what_score_response_gives(line: Line, tmp_path: Path) -> None:
    told = writing_tasks(tmp_path, ("single", "multi"), EACH, 0, "held_out_combos")
    with serving(model_for(told, stop_after=BEFORE_THE_KILL)) as model:
        command = line.evaluation("instruction_adherence", model.base_url)
        killed(line, command, model)
        saved = whole_lines(line.results())
        model.go_on()
        finished(line, line.resumption(command))
    assert_nothing_leaked(model, told)
    assert 0 < len(saved) < 2 * EACH
    assert set(saved) <= set(whole_lines(line.results()))
    asked = Counter(model.asked())
    (tmp_path / line.results().name).write_text("".join(saved))
    finished_before = read_run(tmp_path / line.results().name).rollouts
    assert {asked[text] for rollout in finished_before for text in rollout.asked} == {1}

    rollouts = line.rollouts()
    assert sorted(rollout.uid for rollout in rollouts) == sorted(told)
    scores = engine_scores(told.values(), tmp_path)
    for rollout in rollouts:
        assert rollout.asked == told[rollout.uid].texts
        assert rollout.replies == told[rollout.uid].replies
        assert_equal(rollout, scores[rollout.uid])
    assert Counter(rollout.values["episode_all_satisfied"] for rollout in rollouts) == {1.0: EACH, 0.0: EACH}
    for mode in ("single", "multi"):
        own = {uid: one for uid, one in told.items() if one.pack.name == mode}
        assert_the_results_come_in(line, own, rollouts, tmp_path / f"{mode} brought in")


def assert_equal(rollout: Rollout, score: Mapping[str, object]) -> None:
    """All rewards that apply and all diagnostics are the engine's, and the total is theirs."""
    expected = {name: value for name, value in score.items() if isinstance(value, int | float)}
    total = expected.pop("reward")
    assert {name: value for name, value in rollout.values.items() if name in score} == expected
    assert set(WEIGHTS) - rollout.values.keys() == {name for name in WEIGHTS if score[name] is None}
    assert rollout.reward == pytest.approx(total, abs=1e-9)
    assert rollout.error == ""


def assert_the_results_come_in(line: Line, told: Mapping[str, Told], rollouts: Sequence[Rollout], folder: Path) -> None:
    """The evaluation's own file comes in: each row once, misfits listed, and scores are what the environment gave."""
    (pack,) = {one.pack for one in told.values()}
    others = len(rollouts) - len(told)
    done = Evaluated(line.venv / "bin" / "clew", pack, folder)
    first, *rest = told.values()
    asked_otherwise = done.changed(line.results(), "asked otherwise", with_text(first.texts[0], first.texts[0] + " "))
    listed = done.imported(asked_otherwise, Counts(len(rest), refused=1, unknown=others))
    assert f"refused: {first.uid}: the text" in listed
    assert done.answered() == Counter(one.uid for one in rest)
    cut = done.changed(line.results(), "cut", lambda rows: [row for row in rows if first.uid not in json.dumps(row)])
    assert f"missing: {first.uid}" in done.imported(cut, Counts(0, before=len(rest), unknown=others, missing=1))
    done.imported(line.results(), Counts(1, before=len(rest), unknown=others))
    repeated = done.changed(line.results(), "repeated", twice)
    listed = done.imported(repeated, Counts(0, before=len(told), unknown=others, doubled=len(rollouts)))
    assert f"doubled: {first.uid}" in listed
    assert done.answered() == Counter(list(told))
    scored = done.scored()
    assert scored.keys() == told.keys()
    for rollout in (one for one in rollouts if one.uid in told):
        correct, status, rewards = scored[rollout.uid]
        assert (correct or 0) == rollout.values.get("episode_all_satisfied", rollout.values.get("correct"))
        assert rewards == pytest.approx({name: rollout.values[name] for name in WEIGHTS if name in rollout.values})
        assert status == ("unparsable" if rollout.values.get("unparsable") else "scored")


def test_hidden_systems_are_asked_as_people_read_them_and_scored_by_their_labels(line: Line, tmp_path: Path) -> None:
    told = system_puzzles(tmp_path / "pack", PUZZLES, "medium", 0)
    with serving(model_for(told)) as model:
        finished(line, line.evaluation("hidden_systems", model.base_url))
    assert sorted(model.asked()) == sorted(one.texts[0] for one in told.values())
    for body in model.bodies:
        roles = [message["role"] for message in json.loads(body)["messages"]]
        assert roles == ["system", "user"]
    rollouts = {rollout.uid: rollout for rollout in line.rollouts()}
    assert rollouts.keys() == told.keys()
    for nth, uid in enumerate(told):
        values = rollouts[uid].values
        assert (values["correct"], rollouts[uid].reward) == ((1, 0, 0, 1)[nth % 4],) * 2
        assert values["read"] == (1, 1, 0, 1)[nth % 4]
        assert values["unparsable"] == (0, 0, 1, 0)[nth % 4]
    assert_the_results_come_in(line, told, line.rollouts(), tmp_path / "brought in")


def test_a_checker_that_raises_gives_an_error_and_no_score(line: Line, tmp_path: Path) -> None:
    told = writing_tasks(tmp_path, ("single", "multi"), EACH, 0, "held_out_combos")
    kinds = {uid: one.kinds for uid, one in told.items()}
    broken = next(kind for kind in sorted(TYPES) if 5 < sum(kind in asked for asked in kinds.values()) < 15)
    with serving(model_for(told)) as model:
        command = line.evaluation("instruction_adherence", model.base_url, "planted")
        finished(line, command, PYTHONPATH=str(PLANTED), BROKEN=broken)
    assert "SECRET" not in line.results().read_text()
    rollouts = line.rollouts()
    assert sorted(rollout.uid for rollout in rollouts) == sorted(told)
    for rollout in rollouts:
        if broken in kinds[rollout.uid]:
            assert "ScoringError" in rollout.error and "ZeroDivisionError" in rollout.error
            assert (rollout.values, rollout.reward) == ({}, None)
        else:
            assert rollout.error == "" and rollout.values["all_satisfied"] in (0, 1)


def test_rows_hold_the_first_text_and_the_id_alone(line: Line, tmp_path: Path) -> None:
    told = writing_tasks(tmp_path, ("single", "multi"), 3, 0, "held_out_combos")
    finished(line, ["python", str(PLANTED / f"list_{line.name}.py")])
    listing = json.loads(line.printed.read_text().splitlines()[-1])
    assert sorted(row["uid"] for row in listing["rows"]) == sorted(told)
    for row in listing["rows"]:
        one = told[row["uid"]]
        opened = line.name == "v0" or one.record["mode"] == "single"
        assert row["said"] == (list(one.texts[:1]) if opened else [])
        assert set(row["fields"]) <= {"prompt", "info", "uid", "env_id", "example_id", "id", "idx", "mode"}
        assert not [secret for secret in one.secrets if secret in row["text"]]
    for name, value, message in listing["refused"]:
        assert str(value) in message or f"argument {name!r}" in message, (name, value, message)
