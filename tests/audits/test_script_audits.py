"""W03, W04 and W06 on scripts: silent on right ones, every planted fault found, judged in a fresh process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from audit_samples import Ran

from audits import cli
from audits.base import PackAudit, ScriptAudit, ScriptRequest, Sensitivity
from audits.record import write_record
from audits.script_faults import course_faults
from audits.script_plants import AUDITS, CLEAN, as_drawn, clean_lines, clean_task, clean_tasks
from audits.scripts import ENOUGH, ScriptLine, audit_scripts, audit_tasks, draw_scripts, judged, recipe
from audits.writing import posed_turns
from audits.writing_sets import elsewhere
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.generate import generate_task
from engine.instruction_adherence.packing import halves
from engine.instruction_adherence.splits import SPLITS
from engine.instruction_adherence.turn import PATTERNS
from engine.packs import Salts, write_halves

Clew = Callable[..., Ran]
SEED = 5


@pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_the_clean_fixture_raises_no_alarm(audit: PackAudit | ScriptAudit) -> None:
    sensitivity = audit.self_test()
    assert sensitivity.trusted and sensitivity.planted >= 20, sensitivity


def test_the_clean_scripts_have_all_that_is_spoiled() -> None:
    tasks = [clean_task(index) for index in CLEAN]
    checks = [check for task in tasks for turn in task.turns for check in turn.checks]
    assert {pattern for check in checks for pattern in check.patterns} == set(PATTERNS)
    assert any(isinstance(check.constraint, SelfAudit) and check.since_turn > 1 for check in checks)
    assert any(isinstance(check.constraint, Restate) for check in checks)
    assert any(turn.conflict for task in tasks for turn in task.turns)
    assert min(len(task.turns) for task in tasks) < min(8, max(len(task.turns) for task in tasks))


def test_a_fresh_process_judges_as_this_one_does() -> None:
    lines = clean_lines()
    apart = elsewhere(iter(lines), judged, judged(()), 2)
    assert apart == judged(lines) and apart.scripts == len(CLEAN)


def test_the_same_request_draws_the_same_scripts() -> None:
    def drawn(seed: int) -> list[tuple[str, ...]]:
        request = ScriptRequest(("train",), 5, 2, seed)
        return [generate_task(recipe(request, "train", nth), nth).payload.turns for nth in range(2)]

    assert drawn(1) == drawn(1) != drawn(2)


def test_a_pattern_that_never_occurs_fails_a_long_run_alone() -> None:
    drawn = as_drawn(clean_lines())
    for scripts, statuses in ((ENOUGH - 1, {"pass"}), (ENOUGH, {"fail"})):
        found = replace(drawn.judged, scripts=scripts, patterns=dict.fromkeys(PATTERNS[1:], 1))
        rows = [row for row in audit_scripts(replace(drawn, judged=found)) if "each pattern occurs" in row.claim]
        assert {row.status for row in rows} == statuses
        assert scripts < ENOUGH or [row.location for row in rows] == ["run train#/patterns/persistence"]


def test_notes_say_what_was_drawn_again() -> None:
    drawn = replace(as_drawn(clean_lines()), redraws=Counter({"turn: rival": 3}))
    (note,) = [row for row in audit_scripts(drawn) if row.claim.startswith("drawn again, turn: rival")]
    assert note.severity == "note" and note.statistic is not None and note.statistic.value == 3
    shares = [row for row in audit_scripts(drawn) if row.claim.startswith("scripts of")]
    assert sum(row.statistic.value for row in shares if row.statistic) == pytest.approx(1)


def test_findings_name_the_script_and_a_pointer() -> None:
    line = msgspec.json.decode(clean_lines()[0], type=ScriptLine)
    first = json.loads(line.turns[0]) | {"witness": ""}
    spoiled = msgspec.structs.replace(line, turns=(json.dumps(first), *line.turns[1:]))
    found = judged([msgspec.json.encode(spoiled).decode()])
    assert {one.record for one in found.unmet} == {line.id}
    assert all(one.pointer.startswith("/turns/1/") for one in found.unmet)
    assert "/turns/1/rewards/all_satisfied" in {one.pointer for one in found.unmet}


def test_a_turn_that_cannot_be_read_is_a_finding() -> None:
    line = msgspec.json.decode(clean_lines()[0], type=ScriptLine)
    torn = msgspec.structs.replace(line, turns=(line.turns[0], "{}", *line.turns[2:]))
    found = judged([msgspec.json.encode(torn).decode()])
    assert [one.pointer for one in found.unmet] == ["/turns/2"]


class TestPacks:
    def test_a_pack_without_tasks_is_inconclusive(self) -> None:
        assert [(row.status, row.n) for row in audit_tasks(replace(clean_tasks(), tasks=()))] == [("inconclusive", 0)]

    def test_the_turns_of_a_pack_have_no_faults(self) -> None:
        for task in clean_tasks().tasks:
            turns = [one for one in posed_turns(task) if not isinstance(one, tuple)]
            assert len(turns) == task.n_turns and not list(course_faults(turns, task.constraints))

    def test_the_command_audits_conversations_in_a_pack(self, tmp_path: Path, clew: Clew) -> None:
        write_record({f"{rule}/{scope}": Sensitivity(1, 1) for rule, scope in (("W01", "checks"), ("W06", "checks"))})
        made = [halves(clean_task(index), "salt", Salts(seed=SEED)) for index in CLEAN[:2]]
        write_halves(
            tmp_path / "pack.db", tmp_path / "sealed.db", made, title="t", recipe="{}", salts=Salts(seed=SEED),
            pack_salt="salt",
        )  # fmt: skip
        ran = clew("W01", "W06", str(tmp_path), "--format", "json")
        assert ran.code == 0, ran.out
        assert Counter(row["rule"] for row in json.loads(ran.out)["rows"]) == {"W01": 1, "W06": 1}


class TestCommand:
    @pytest.fixture(autouse=True)
    def recorded(self, data_folder: Path) -> None:
        """A self-test on record, so that no command plants anew."""
        write_record({audit.key: Sensitivity(1, 1) for audit in AUDITS})

    def test_it_says_what_it_draws_and_judges_it(self, clew: Clew) -> None:
        ran = clew("--scripts", "2", "--constraints", "4", "--split", "all", "--seed", "3", "--format", "json")
        assert ran.code == 0, ran.out
        told = "2 scripts of up to 4 constraints in train, held_out_combos, test (audit seed 3)"
        assert f"audit W03 W04 W06 on {told}" in ran.err
        rows = [row for row in json.loads(ran.out)["rows"] if row["severity"] == "error"]
        assert Counter(row["rule"] for row in rows) == {"W03": 3, "W04": 3, "W06": 6}

    def test_scripts_alone_draw_no_sets(self) -> None:
        assert cli._script_request(5, None, "all", 7) == ScriptRequest(SPLITS, None, 5, 7)
        assert cli._script_request(5, 9, None, 0) == ScriptRequest(("train",), 9, 5, 0)
        assert cli._script_request(None, 9, "test", 0) is None

    @pytest.mark.parametrize(
        "arguments", [("--scripts", "0"), ("W02", "--scripts", "3"), ("--self-test", "--scripts", "3")]
    )
    def test_unusable_arguments_are_two(self, arguments: tuple[str, ...], clew: Clew) -> None:
        ran = clew(*arguments)
        assert (ran.code, ran.out) == (2, "")


def test_fifty_scripts_have_every_pattern() -> None:
    drawn = draw_scripts(ScriptRequest(("held_out_combos",), None, ENOUGH, SEED), "held_out_combos")
    verdicts = [row for row in audit_scripts(drawn) if row.severity == "error"]
    assert [row.status for row in verdicts] == ["pass"] * 3
    assert drawn.judged.turns >= 4 * ENOUGH and not drawn.judged.misplaced and not drawn.judged.misphrased
