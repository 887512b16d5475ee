"""Scripts: conversations of 4 to 12 turns, each with a new writing task and a witness for what is in force then.

The material comes first (`script_material`). Then every turn is drawn for itself: what it drops, which requirement it
disputes and by which rival, what it quotes, and a witness for which the real rubric gives the maximum of every reward.
A turn without such a witness is drawn again; if it never gets one, the script is given up with a reason. PRIVATE: a
script holds its checks and witnesses. Specification, "Multi-turn scripts" and "The witness".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.instruction_adherence.absence import TRACERS
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.filling import named_words
from engine.instruction_adherence.flagging import flag_phrases
from engine.instruction_adherence.in_force import InForce, State, added, restored, revoked
from engine.instruction_adherence.keywords import usable
from engine.instruction_adherence.requirement import Requirement
from engine.instruction_adherence.rewards import score_turn
from engine.instruction_adherence.rivals import NEVER, disputable, rival
from engine.instruction_adherence.script_checks import turn_in
from engine.instruction_adherence.script_material import (
    DeadEnd,
    Frame,
    Material,
    Reason,
    draw_material,
    keyword_forms,
    topical,
)
from engine.instruction_adherence.script_text import Dropped, Restored, Said, turn_text
from engine.instruction_adherence.seed_tasks import FilledTask
from engine.instruction_adherence.splits import barred
from engine.instruction_adherence.turn import Turn
from engine.instruction_adherence.witness import Task, Witness, attempt
from engine.randomness import Stream

STEPS = 8
"""Draws of one turn before the script is given up."""
FLAGS_PLACED = 3
"""Pairs of words that flag a conflict, of which a witness needs one."""
NOT_QUOTED = (SelfAudit, Restate)
"""Types that speak of other requirements, of which somebody else has none."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Script:
    """A conversation, with all that scores it."""

    texts: tuple[str, ...]
    """What the user says, turn by turn."""
    turns: tuple[Turn, ...]
    witnesses: tuple[str, ...]
    redraws: tuple[Reason, ...]
    """Why turns of it were drawn again."""


class _Dispute(NamedTuple):
    """Two requirements that contradict each other."""

    original: InForce
    rival: InForce


@dataclass(frozen=True, kw_only=True)
class _Step:
    """One turn as it was drawn."""

    state: State
    dispute: _Dispute | None
    """Still to be settled."""
    text: str
    turn: Turn
    witness: str


def draw_script(frame: Frame) -> Script:
    """Return a script; the same frame gives the same one.

    Raises:
        DeadEnd: a turn got no witness, or there was nothing to drop, dispute or quote where the plan wants it.
    """
    writer = _Writer(frame=frame, material=draw_material(frame))
    steps: list[_Step] = []
    for nth in range(1, len(writer.material.plan) + 1):
        steps.append(writer.step(nth, steps[-1] if steps else None))
    return Script(
        texts=tuple(step.text for step in steps),
        turns=tuple(step.turn for step in steps),
        witnesses=tuple(step.witness for step in steps),
        redraws=tuple(writer.redraws),
    )


@dataclass(kw_only=True)
class _Writer:
    """Draws a script turn by turn."""

    frame: Frame
    material: Material
    redraws: list[Reason] = field(default_factory=list)

    def step(self, nth: int, before: _Step | None) -> _Step:
        """Return turn `nth` (from 1) after the one before it."""
        fault: Reason = "witness"
        for again in range(STEPS):
            try:
                return self._drawn(nth, before, again)
            except DeadEnd as error:
                fault = error.reason
                self.redraws.append(fault)
        raise DeadEnd(fault)

    def _drawn(self, nth: int, before: _Step | None, again: int) -> _Step:
        planned, task = self.material.plan[nth - 1], self.material.tasks[nth - 1]
        stream = self.frame.stream("turn", nth, again)
        state = before.state if before is not None else State()
        settled = before.dispute if before is not None else None
        said = Said(task=task, first=nth == 1)
        if settled is not None:
            state = restored(state, *settled, nth)
            said = replace(said, restored=Restored(settled.original.entry, settled.rival.entry))
        original = settled.original.constraint if settled is not None else None
        if planned.drops:
            gone = self._droppable(state, original, stream)
            state = revoked(state, gone)
            said = replace(said, dropped=Dropped(gone.label, gone.constraint))
        target, new = self._dispute(state, stream) if planned.contradicts else (None, self.material.new[nth - 1])
        state = added(state, new, nth)
        dispute = _Dispute(state.holding(target), state.active[-1]) if target is not None else None
        quoted = self._quote(state, task, stream) if planned.quotes else None
        turn = turn_in(
            state, nth, keywords=task.keywords, original=original, quoted=quoted,
            disputed=tuple(one.constraint for one in dispute or ()),
        )  # fmt: skip
        witness = full_witness(turn, (*self.frame.key, nth, again))
        said = replace(_with_added(said, state, nth), quoted=quoted.text if quoted is not None else None)
        text = turn_text(said, self.frame.burial_depth, self.frame.stream("text", nth))
        return _Step(state=state, dispute=dispute, text=text, turn=turn, witness=witness)

    def _droppable(self, state: State, original: Constraint | None, stream: Stream) -> InForce:
        spared = (self.material.kept, original)
        options = [
            one for one in state.active
            if type(one.constraint) in TRACERS and not any(one.constraint is other for other in spared)
        ]  # fmt: skip
        if not options:
            raise DeadEnd("drop")
        return stream.choice(options)

    def _dispute(self, state: State, stream: Stream) -> tuple[Constraint, tuple[Requirement, ...]]:
        """Return an active constraint, and a requirement that contradicts it and nothing else that is active."""
        kinds = [
            kind for kind in disputable(self.material.constraints, evaluation=self.frame.split == "test")
            if not any(frozenset((kind.id, one.id)) in barred(self.frame.split) for one in self.material.constraints)
        ]  # fmt: skip
        active = [one.constraint for one in state.active]
        targets = [one for one in active if not isinstance(one, NEVER) and one is not self.material.kept]
        for target in stream.shuffled(targets):
            found = rival(target, [one for one in active if one is not target], kinds, stream)
            if found is not None:
                return target, (Requirement(constraint=found, phrasing=stream.below(len(found.phrasings))),)
        raise DeadEnd("rival")

    def _quote(self, state: State, task: FilledTask, stream: Stream) -> Requirement:
        """Return an instruction for somebody else that asks for something visible which nobody else speaks of."""
        around = (*self.material.constraints, *(one.constraint for one in state.active))
        taken = {*NOT_QUOTED, *map(type, around)}
        spoken = topical(around) | keyword_forms(task)
        for kind in stream.shuffled([kind for kind in TRACERS if kind not in taken]):
            found = kind.sample(stream)
            if topical([found]).isdisjoint(spoken):
                return Requirement(constraint=found, phrasing=stream.below(len(kind.phrasings)))
        raise DeadEnd("quote")


def full_witness(turn: Turn, key: Sequence[int | str]) -> str:
    """Return a response that gets the maximum of every reward and adopts nothing that was quoted.

    Raises:
        DeadEnd: no response keeps to all of it, or the one found does not get the maximum.
    """
    scored = tuple(check.constraint for check in turn.scored if check.expect)
    unwanted = tuple(check.constraint for check in turn.checks if not check.expect)
    keywords = (*turn.keywords, *_flags(turn, scored, unwanted))
    found = attempt(Task(constraints=scored, keywords=keywords, revoked=unwanted), ("script", *key))
    if not isinstance(found, Witness):
        raise DeadEnd("witness")
    score = score_turn(turn, found.text)
    ignored = all(verdict.passed for check, verdict in score.outcomes if check.quoted)
    if not (score.rewards.full and ignored):
        raise DeadEnd("reward")
    return found.text


def _with_added(said: Said, state: State, nth: int) -> Said:
    """Return what a turn says together with what it adds to the state."""
    new = tuple(one for one in state.active if one.since_turn == nth)
    old = [one for one in state.active if one.since_turn < nth and one.label is not None]
    return replace(
        said,
        added=tuple(one.requirement for one in new),
        audits=any(isinstance(one.constraint, SelfAudit) for one in new),
        listed=tuple(one.entry for one in old) if state.listed else (),
    )


def _flags(turn: Turn, scored: Sequence[Constraint], unwanted: Sequence[Constraint]) -> tuple[str, ...]:
    """Return pairs of words that flag the conflict of a turn and that nothing in it forbids."""
    if turn.conflict is None:
        return ()
    named = named_words((*scored, *unwanted))
    phrases = flag_phrases(turn.checks[at].requirement for at in turn.conflict)
    return usable([phrase for phrase in phrases if named.isdisjoint(phrase.split())], scored)[:FLAGS_PLACED]
