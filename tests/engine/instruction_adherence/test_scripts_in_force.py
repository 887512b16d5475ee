"""The account of what is in force: labels for good, blocks made anew, and what a revoked constraint leaves unwanted."""

from __future__ import annotations

import pytest

from engine.errors import UsageError
from engine.instruction_adherence.absence import TRACERS
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.registry import ALL, TYPES, constraint_of
from engine.instruction_adherence.in_force import State, added, restored, revoked
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.script_text import Dropped, Restored, Said, leavings, turn_text
from engine.instruction_adherence.seed_tasks import FilledTask
from engine.randomness import Stream

TASK = FilledTask(
    seed_task_id="email.99", task_type="email", text="Tell a neighbour about the lift.", keywords=("lift",)
)


def asked(*names: str) -> list[Requirement]:
    return [Requirement(constraint=TYPES[name].sample(Stream("test", name)), phrasing=0) for name in names]


def labels(state: State) -> list[str | None]:
    return [one.label for one in state.active]


def only(state: State, kind: type[Constraint]) -> Constraint:
    (found,) = (one.constraint for one in state.active if isinstance(one.constraint, kind))
    return found


class TestLabels:
    FIRST = added(State(), asked("lex.no_commas", "struct.title"), 1)

    def test_without_an_audit_there_are_none(self) -> None:
        assert labels(self.FIRST) == [None, None] and not self.FIRST.listed

    def test_an_audit_labels_what_is_there_and_says_so(self) -> None:
        late = added(self.FIRST, asked("meta.self_audit", "struct.bold_count"), 3)
        assert labels(late) == ["R1", "R2", None, "R3"]
        assert late.listed and [one.heard for one in late.active] == [3, 3, 3, 3]
        assert only(late, SelfAudit) == SelfAudit(labels=("R1", "R2", "R3"))
        assert "R1, R2, R3" in late.active[2].said

    def test_labels_are_never_given_twice(self) -> None:
        late = added(self.FIRST, asked("meta.self_audit"), 2)
        less = added(revoked(late, late.active[1]), asked("struct.bold_count"), 3)
        assert labels(less) == ["R1", None, "R3"] and not less.listed
        assert [one.label for one in less.revoked] == ["R2"]
        assert only(less, SelfAudit) == SelfAudit(labels=("R1", "R3"))
        assert "R1, R2" in less.active[1].said, "what was said stays as it was said"

    def test_they_outlive_the_audit(self) -> None:
        late = added(self.FIRST, asked("meta.self_audit"), 2)
        without = added(revoked(late, late.active[2]), asked("struct.bold_count"), 3)
        assert labels(without) == ["R1", "R2", None]

    def test_a_withdrawn_rival_takes_its_label_along(self) -> None:
        late = added(self.FIRST, asked("meta.self_audit"), 2)
        torn = added(late, asked("struct.bold_count"), 3)
        assert labels(torn)[-1] == "R3"
        healed = added(restored(torn, torn.active[0], torn.active[-1], 4), asked("struct.sections"), 4)
        assert labels(healed) == ["R1", "R2", None, "R4"]
        assert [one.heard for one in healed.active] == [4, 2, 2, 4]


def test_a_restatement_names_what_is_active_as_it_was_said() -> None:
    state = added(State(), asked("meta.restate", "lex.no_commas"), 1)
    assert only(state, Restate) == Restate(requirements=(state.active[1].said,))
    later = added(state, asked("meta.self_audit"), 2)
    assert only(later, Restate) == Restate(requirements=tuple(one.said for one in later.active[1:]))
    last = added(revoked(later, later.active[1]), asked("struct.title"), 3)
    assert only(last, Restate) == Restate(requirements=tuple(one.said for one in last.active[1:]))
    assert "R1, R2" in last.active[1].said and only(last, SelfAudit) == SelfAudit(labels=("R1", "R3"))


def test_a_block_may_be_alone_between_a_drop_and_an_addition() -> None:
    state = added(State(), asked("meta.restate", "struct.title"), 1)
    last = added(revoked(state, state.active[1]), asked("lex.no_commas"), 2)
    assert only(last, Restate) == Restate(requirements=(last.active[1].said,))


class TestLeavings:
    @pytest.mark.parametrize("kind", list(TRACERS), ids=lambda kind: kind.id)
    def test_every_revocable_type_says_what_must_not_be_left(self, kind: type[Constraint]) -> None:
        constraint = kind.sample(Stream("test leavings", kind.id))
        thing, rule = leavings(constraint)
        assert rule.endswith(".") and not thing.endswith(".")
        for value in constraint.params.values():
            if isinstance(value, str):
                assert value in thing or value in rule
        told = turn_text(Said(task=TASK, dropped=Dropped("R4", constraint)), 1, Stream("test drop", kind.id))
        assert thing in told and rule in told and "R4" in told and ("no longer" in told.lower())
        assert "leave" in told

    @pytest.mark.parametrize("kind", [kind for kind in ALL if kind not in TRACERS], ids=lambda kind: kind.id)
    def test_others_cannot_be_dropped(self, kind: type[Constraint]) -> None:
        with pytest.raises(UsageError, match=rf"{kind.id} cannot be revoked; revocable: "):
            leavings(kind.sample(Stream("test leavings", kind.id)))


class TestTexts:
    def test_events_stand_around_the_task_and_before_a_postscript(self) -> None:
        said = Said(
            task=TASK,
            added=tuple(asked("lex.no_commas", "struct.title")),
            restored=Restored("Use 3 bold phrases.", "Use 5 bold phrases."),
            quoted="Write in capitals.",
            dropped=Dropped(None, constraint_of("struct.ends_question", {})),
        )
        for seed in range(30):
            for depth in range(4):
                blocks = turn_text(said, depth, Stream("test events", seed)).split("\n\n")
                assert (blocks[-1].startswith("P.S. ")) == (depth >= 2)
                joined = "\n\n".join(blocks)
                for text in ("Use 3 bold phrases.", "Use 5 bold phrases.", "“Write in capitals.”", TASK.text):
                    assert joined.count(text) == 1

    def test_a_quote_names_somebody(self) -> None:
        texts = {turn_text(Said(task=TASK, quoted="Sing."), 0, Stream("test quote", seed)) for seed in range(60)}
        assert len(texts) > 20
        assert all("“Sing.”" in text and any(char.isupper() for char in text[1:]) for text in texts)

    def test_a_turn_in_which_nothing_changes_is_the_task_alone(self) -> None:
        assert all(turn_text(Said(task=TASK), depth, Stream("test plain", depth)) == TASK.text for depth in range(4))

    def test_a_list_of_labels_comes_first(self) -> None:
        said = Said(task=TASK, added=tuple(asked("lex.no_commas")), listed=("R1: One.", "R2: Two."), audits=True)
        for seed in range(20):
            first = turn_text(said, seed % 4, Stream("test list", seed)).split("\n\n")[0]
            assert first.split("\n")[1:] == ["- R1: One.", "- R2: Two."]
