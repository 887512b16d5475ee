"""W01 to W05: silent on right tasks and sets, every planted fault found, and nothing private in a report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from audit_samples import Ran, write_sample
from hypothesis import given
from hypothesis import strategies as st

from audits import cli
from audits.base import Finding, PackAudit, Sensitivity, SetAudit, SetRequest
from audits.posed import ENOUGH_PICKS, Picks, unspoken
from audits.record import read_record, write_record
from audits.writing import FEWEST_MUTANTS, audit_contradictions, audit_set_mutants, posed_turns
from audits.writing_plants import AUDITS, as_drawn, clean_tasks
from audits.writing_sets import Drawing, _company, draw_sets, judged, judged_elsewhere
from engine.instruction_adherence import sampling
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.generate import Recipe, generate_tasks
from engine.instruction_adherence.packing import halves
from engine.instruction_adherence.seed_tasks import public_seed_tasks
from engine.instruction_adherence.splits import SPLITS
from engine.packs import Halves, Salts, write_halves
from engine.randomness import Stream

Clew = Callable[..., Ran]
SEED = 5
SALT = "a public salt"
DAMAGED = "Nothing of what was asked for."


@pytest.fixture(scope="session")
def task_halves() -> list[Halves]:
    recipe = Recipe(
        split="train",
        seed=SEED,
        constraints=7,
        burial_depth=3,
        hard_family_weight=1.0,
        seed_tasks=public_seed_tasks(),
    )
    return [halves(task, SALT, Salts(seed=SEED)) for task in generate_tasks(recipe, 3)]


def write(folder: Path, made: list[Halves]) -> Path:
    folder.mkdir()
    write_halves(
        folder / "pack.db", folder / "sealed.db", made, title="tasks", recipe="{}", salts=Salts(seed=SEED),
        pack_salt=SALT,
    )  # fmt: skip
    return folder


def spoiled(made: list[Halves]) -> list[Halves]:
    """The same tasks, the first with another witness."""
    first, *rest = made
    assert first.task is not None
    (turn,) = first.task.turns
    return [replace(first, task=replace(first.task, turns=(replace(turn, witness=DAMAGED),))), *rest]


def rules_of(ran: Ran) -> set[str]:
    return {row["rule"] for row in json.loads(ran.out)["rows"]}


@pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit.key)
def test_every_plant_is_found_and_the_clean_fixture_raises_no_alarm(audit: PackAudit | SetAudit) -> None:
    sensitivity = audit.self_test()
    assert sensitivity.trusted and sensitivity.planted >= 3, sensitivity


@pytest.mark.parametrize("audit", [one for one in AUDITS if isinstance(one, PackAudit)], ids=lambda audit: audit.key)
def test_a_pack_without_tasks_is_inconclusive(audit: PackAudit) -> None:
    rows = audit.run(replace(clean_tasks(), tasks=()))
    assert [(row.status, row.n) for row in rows] == [("inconclusive", 0)]


@pytest.fixture
def recorded(data_folder: Path) -> None:
    """A self-test of all audits here on record, so that no command plants anew."""
    write_record({audit.key: Sensitivity(1, 1) for audit in AUDITS})


@pytest.mark.usefixtures("recorded")
class TestPacks:
    def test_a_folder_with_its_sealed_half_passes(self, tmp_path: Path, task_halves: list[Halves], clew: Clew) -> None:
        ran = clew(str(write(tmp_path / "tasks", task_halves)), "--format", "json")
        assert ran.code == 0, ran.out
        assert rules_of(ran) == {"C04", "C07", "C08", "C09", "R01", "R02", "S04", "W01", "W02", "W03", "W04", "W06"}

    def test_a_pack_alone_shows_its_public_half(self, tmp_path: Path, task_halves: list[Halves], clew: Clew) -> None:
        pack = write(tmp_path / "tasks", task_halves) / "pack.db"
        ran = clew(str(pack), "--format", "json")
        assert (ran.code, rules_of(ran)) == (0, {"C04", "R01", "S04", "W03"})
        assert "rule W01 has nothing to look at here; it reads: checks" in clew("W01", str(pack)).err

    def test_a_wrong_witness_is_a_finding_and_no_report_shows_it(
        self, tmp_path: Path, task_halves: list[Halves], clew: Clew
    ) -> None:
        folder = write(tmp_path / "tasks", spoiled(task_halves))
        ran = clew("W01", str(folder), "--format", "json")
        assert ran.code == 1
        first = task_halves[0].puzzle.id
        assert all(row["location"].startswith(f"writing task {first}#/turns/1/") for row in json.loads(ran.out)["rows"])
        told = ran.out + ran.err + clew("W01", str(folder)).out
        assert DAMAGED not in told
        for half in task_halves:
            assert half.task is not None
            secrets = [half.task.turns[0].witness, half.task.turns[0].keywords, *(c.params for c in half.task.checks)]
            assert not [secret for secret in secrets if len(secret) > 2 and secret in told]

    def test_hidden_systems_alone_select_no_writing_rule(self, tmp_path: Path, clew: Clew) -> None:
        ran = clew("W03", str(write_sample(tmp_path, count=2)))
        assert ran.code == 2
        assert "rule W03 has nothing to look at here" in ran.err

    def test_turns_that_cannot_be_read_are_findings(self, task_halves: list[Halves]) -> None:
        task = clean_tasks().tasks[0]
        assert task.sealed is not None
        first, *rest = task.sealed.checks
        torn = replace(task, sealed=replace(task.sealed, checks=(replace(first, params="{"), *rest)))
        assert [one.pointer for one in posed_turns(torn) if isinstance(one, tuple)] == ["/turns/1"]


@pytest.mark.usefixtures("recorded")
class TestSets:
    def test_the_command_says_what_it_draws_and_judges_it(self, clew: Clew) -> None:
        ran = clew("W03", "W04", "W05", "--sets", "4", "--constraints", "5", "--split", "test", "--format", "json")
        assert ran.code == 0, ran.out
        assert "audit W03 W04 W05 on 4 sets of 5 constraints in test (audit seed 0)" in ran.err
        rows = json.loads(ran.out)["rows"]
        verdicts = Counter(row["rule"] for row in rows if row["severity"] == "error")
        assert verdicts == {"W03": 1, "W04": 2, "W05": 1}
        assert sum("sets with" in row["claim"] for row in rows) == len(ALL)

    def test_few_mutants_are_inconclusive(self, clew: Clew) -> None:
        ran = clew("W02", "--sets", "2", "--constraints", "4")
        assert ran.code == 3, ran.out
        assert f"{FEWEST_MUTANTS} mutants or more of each of 46 types" in ran.out

    def test_a_fresh_process_judges_as_this_one_does(self) -> None:
        lines = self.lines()
        assert judged_elsewhere(iter(lines)) == judged(lines)

    def test_the_same_request_draws_the_same_sets(self) -> None:
        assert self.lines() == self.lines()
        assert self.lines() != self.lines(seed=1)

    def test_a_rejected_draw_is_counted_by_its_reason(self) -> None:
        drawn = replace(as_drawn(self.lines()), draws=5, tries=4, rejected={"layout": 2})
        told = {row.claim: row.statistic.value for row in audit_contradictions(drawn) if row.statistic is not None}
        (share,) = [value for claim, value in told.items() if claim.startswith("draws rejected (")]
        (layout,) = [value for claim, value in told.items() if claim.startswith("draws rejected for layout")]
        (again,) = [value for claim, value in told.items() if claim.startswith("parameters and layouts without")]
        assert (share, layout, again) == (0.4, 2, 0.25)

    def test_enough_mutants_pass_and_one_that_is_accepted_fails(self) -> None:
        drawn = as_drawn(self.lines())
        full = replace(drawn, judged=replace(drawn.judged, mutants={kind.id: FEWEST_MUTANTS for kind in ALL}))
        assert audit_set_mutants(full)[0].status == "pass"
        assert audit_set_mutants(drawn)[0].status == "inconclusive"
        accepting = as_drawn(self.lines(), lambda check, reading: True)
        assert audit_set_mutants(accepting)[0].status == "fail"

    def test_types_that_the_split_lacks_are_damaged_too(self) -> None:
        drawn = draw_sets(SetRequest(("train",), 16, 2, 0), "train", enough=1)
        assert drawn.spare.sets > 0 and not drawn.spare.unproved
        assert set(drawn.judged.mutants) | set(drawn.spare.mutants) == {kind.id for kind in ALL}
        assert min((drawn.judged + drawn.spare).mutants.values()) >= 2
        assert (drawn.judged.sets, sum(drawn.ids.values())) == (2, 32)

    def test_a_spare_set_without_a_witness_counts_too(self) -> None:
        drawn = as_drawn(self.lines())
        spare = replace(drawn.judged, unproved=(Finding("spare/lex.no_commas/0", "/turns/1/checks/0"),))
        assert audit_contradictions(replace(drawn, spare=spare))[0].status == "fail"

    @staticmethod
    def lines(seed: int = 0) -> list[str]:
        drawing = Drawing(request=SetRequest(("test",), 5, 3, seed), split="test", damage=True)
        return [line for index in range(3) for line in drawing.line(index)]


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.id)
class TestEveryType:
    def test_it_finds_company(self, kind: type[Constraint]) -> None:
        assert kind in _company(kind, ("test",))

    def test_all_parameters_are_read_back_from_all_phrasings(self, kind: type[Constraint]) -> None:
        if kind is Restate:
            return
        for nth in range(5):
            constraint = kind.sample(Stream("test read back", kind.id, nth))
            for index in range(len(kind.phrasings)):
                assert not list(unspoken(constraint, constraint.render(index)))

    def test_a_changed_parameter_is_not_read_back(self, kind: type[Constraint]) -> None:
        constraint = kind.sample(Stream("test changed", kind.id))
        for name, value in constraint.params.items():
            other = {int: 987, str: "zyzzyva", list: ["zyzzyva"]}[type(value)]
            for index in range(len(kind.phrasings)):
                changed = _Told({**constraint.params, name: other})
                assert f"/params/{name}" in set(unspoken(changed, constraint.render(index)))  # type: ignore[arg-type]


class _Told:
    """Stands for a constraint with parameters that its text does not name."""

    def __init__(self, params: dict[str, object]) -> None:
        self.params = params


@given(st.lists(st.sets(st.sampled_from("abcdefgh"), min_size=1), min_size=1, max_size=40))
def test_every_type_is_picked_until_there_are_enough(sets: list[set[str]]) -> None:
    picks, seen = Picks(), Counter[str]()
    for kinds in map(sorted, sets):
        chosen = picks.among(kinds)
        assert chosen and all(picks.counts[kind] > seen[kind] for kind in (kinds[at] for at in chosen))
        seen.update(kinds)
    assert all(picks.counts[kind] >= min(count, ENOUGH_PICKS) for kind, count in seen.items())


def test_once_there_are_enough_the_rarest_type_alone_is_picked() -> None:
    picks = Picks(enough=2)
    assert [picks.among(["a", "b"]) for _ in range(4)] == [(0, 1), (0, 1), (0,), (1,)]


class TestCommand:
    def test_all_splits_can_be_asked_for_at_once(self) -> None:
        request = cli._set_request(None, None, "all", 7)
        assert request == SetRequest(SPLITS, 16, 1000, 7)
        assert cli._set_request(5, None, None, 0) == SetRequest(("train",), 16, 5, 0)
        assert cli._set_request(None, None, None, 0) is None

    def test_bounds_are_those_of_the_generator(self) -> None:
        assert (cli.FEWEST_CONSTRAINTS, cli.MOST_CONSTRAINTS) == (sampling.FEWEST, sampling.MOST)

    @pytest.mark.parametrize(
        "arguments",
        [
            ("--sets", "0"),
            ("--constraints", "17"),
            ("--constraints", "2"),
            ("--split", "train-ish"),
            ("W01", "--sets", "3"),
            ("--self-test", "--sets", "3"),
        ],
    )
    def test_unusable_arguments_are_two(self, arguments: tuple[str, ...], clew: Clew) -> None:
        ran = clew(*arguments)
        assert (ran.code, ran.out) == (2, "")

    def test_plants_are_tried_beside_a_run_without_a_record(
        self, tmp_path: Path, task_halves: list[Halves], clew: Clew
    ) -> None:
        ran = clew("W03", str(write(tmp_path / "tasks", task_halves) / "pack.db"), "--format", "json")
        assert [row["sensitivity"]["planted"] > 1 for row in json.loads(ran.out)["rows"]] == [True]

    def test_a_self_test_is_recorded(self, clew: Clew) -> None:
        ran = clew("--self-test", "W04", "--format", "json")
        assert ran.code == 0
        assert set(read_record()) == {"W04/checks", "W04/sets", "W04/scripts"}

    def test_the_list_shows_all_rules_and_what_they_read(self, clew: Clew) -> None:
        lines = [tuple(line.split()[:2]) for line in clew("--list").out.splitlines()]
        assert {line for line in lines if line[0].startswith("W")} == {
            ("W01", "checks"), ("W02", "checks"), ("W02", "sets"), ("W03", "tasks"), ("W03", "checks"),
            ("W03", "sets"), ("W03", "scripts"), ("W04", "checks"), ("W04", "sets"), ("W04", "scripts"),
            ("W05", "sets"), ("W06", "checks"), ("W06", "scripts"),
        }  # fmt: skip
        assert SPLITS == ("train", "held_out_combos", "test")
