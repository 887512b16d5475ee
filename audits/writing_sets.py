"""Sets of constraints drawn for the purpose, and judged in a fresh process from what would be stored of them.

This process draws; another one, which shares no memory with it, reads JSON lines and judges: witnesses, mutants,
phrasings and splits. Both hold a few hundred sets at most. The same request gives the same result.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Protocol, Self, TypeVar

import msgspec

from audits.base import Finding, SetRequest
from audits.pairs import split_faults
from audits.posed import ENOUGH_PICKS, Judge, Picks, damaged, fair, misphrased, posed, unmet
from engine.canonical import Json
from engine.errors import GenerationError, UsageError
from engine.instruction_adherence.brief import PARTS, brief
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.drafts import ConstraintType
from engine.instruction_adherence.generate import MOST_ATTEMPTS
from engine.instruction_adherence.sampling import FEWEST, DrawnSet, draw, draw_parameters
from engine.instruction_adherence.seed_tasks import FilledTask, fill, public_seed_tasks
from engine.instruction_adherence.selection import select
from engine.instruction_adherence.splits import Split, read_split
from engine.instruction_adherence.turn import Check
from engine.instruction_adherence.witness import Rejection
from engine.randomness import Stream, derive

WEIGHT = 1.0
"""Hard-family weight of all sets here."""
CHUNK = 25
"""Sets that are handed over together."""
AHEAD = 8
"""Chunks that may wait to be judged."""


class SetLine(msgspec.Struct, frozen=True, kw_only=True):
    """A set as it is handed over."""

    id: str
    split: str
    """Empty for a set that belongs to none."""
    said: str
    """The brief."""
    turn: str
    """JSON in the stored form, with its witness."""
    picks: tuple[int, ...]
    """Checks whose witness is damaged."""


class Sums(Protocol):
    """What can be added up."""

    def __add__(self, other: Self, /) -> Self: ...


Total = TypeVar("Total", bound=Sums)


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What was found in sets: totals and places."""

    sets: int = 0
    requirements: int = 0
    unproved: tuple[Finding, ...] = ()
    misphrased: tuple[Finding, ...] = ()
    misplaced: tuple[Finding, ...] = ()
    """In a split to which they do not belong."""
    mutants: Mapping[str, int] = field(default_factory=dict)
    """By constraint id."""
    accepted: tuple[Finding, ...] = ()
    """Mutants that passed."""
    unbroken: int = 0
    """Constraints picked for damage of which no mutant could be made."""

    def __add__(self, other: Judged) -> Judged:
        return Judged(
            sets=self.sets + other.sets,
            requirements=self.requirements + other.requirements,
            unproved=self.unproved + other.unproved,
            misphrased=self.misphrased + other.misphrased,
            misplaced=self.misplaced + other.misplaced,
            mutants=Counter(self.mutants) + Counter(other.mutants),
            accepted=self.accepted + other.accepted,
            unbroken=self.unbroken + other.unbroken,
        )


@dataclass(frozen=True, kw_only=True)
class DrawnSets:
    """Sets of one split, and what became of the draws."""

    split: Split
    constraints: int
    seed: int
    draws: int
    """Sets whose types were fixed; those that were not rejected were given out."""
    rejected: Mapping[str, int]
    """By reason."""
    tries: int
    """Parameters and layouts drawn for the sets given out; a set needs one if the first has a witness."""
    dead_ends: int
    """Types taken back while the sets that were given out were drawn."""
    ids: Mapping[str, int]
    """Sets given out that hold a type."""
    judged: Judged
    spare: Judged = field(default_factory=Judged)
    """Sets of any split, drawn for the mutants of types that are rare in this one."""


# Judging, in the fresh process --------------------------------------------------------------------------------------


def judged(lines: Sequence[str], judge: Judge = fair) -> Judged:
    """Judge sets from their JSON lines."""
    return sum((_judged(line, judge) for line in lines), Judged())


def read_turn(line: SetLine) -> dict[str, Json]:
    """Return the turn of a set in the stored form."""
    turn: dict[str, Json] = json.loads(line.turn)
    return turn


def _judged(text: str, judge: Judge) -> Judged:
    line = msgspec.json.decode(text, type=SetLine)
    try:
        task = posed(line.id, 1, line.said, read_turn(line))
    except UsageError:
        return Judged(sets=1, unproved=(Finding(line.id, "/turns/1"),))
    kinds = [check.constraint.id for check in task.turn.checks]
    made = [damaged(task, at, judge) for at in line.picks]
    return Judged(
        sets=1,
        requirements=len(kinds),
        unproved=tuple(Finding(line.id, at) for at in unmet(task)),
        misphrased=tuple(Finding(line.id, at) for at in misphrased(task)),
        misplaced=tuple(Finding(line.id, at) for at in split_faults(read_split(line.split), kinds))
        if line.split
        else (),
        mutants=sum((Counter({one.kind: one.made}) for one in made), Counter[str]()),
        accepted=tuple(Finding(line.id, at) for one in made for at in one.accepted),
        unbroken=sum(not one.made for one in made),
    )


def judged_elsewhere(lines: Iterator[str]) -> Judged:
    """Judge sets in a fresh process, a few chunks behind the drawing."""
    return elsewhere(lines, judged, Judged(), CHUNK)


def elsewhere(lines: Iterator[str], judge: Callable[[Sequence[str]], Total], blank: Total, size: int) -> Total:
    """Judge JSON lines in a fresh process, `size` of them at a time, a few chunks behind whoever draws them."""
    total, waiting = blank, deque[Future[Total]]()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        while chunk := tuple(islice(lines, size)):
            waiting.append(pool.submit(judge, chunk))
            if len(waiting) > AHEAD:
                total += waiting.popleft().result()
        for one in waiting:
            total += one.result()
        return total


# Drawing ------------------------------------------------------------------------------------------------------------


def draw_sets(
    request: SetRequest,
    split: Split,
    *,
    damage: bool = True,
    enough: int = ENOUGH_PICKS,
    track: Callable[[Iterable[int]], Iterable[int]] = iter,
) -> DrawnSets:
    """Draw the sets of one split and have them judged.

    Args:
        damage: whether mutants are wanted; for them, rare types get sets of their own.
        enough: constraints of each type to be damaged, if as many sets are drawn.
        track: wraps the indices, to show progress.

    Raises:
        GenerationError: no set was found, which has not been seen.
    """
    drawing = Drawing(request=request, split=split, damage=damage, picks=Picks(enough))
    result = judged_elsewhere(line for index in track(range(request.sets)) for line in drawing.line(index))
    wanted = damage and request.sets >= enough
    return DrawnSets(
        split=split,
        constraints=request.constraints,
        seed=request.seed,
        draws=drawing.draws,
        rejected=drawing.rejected,
        tries=drawing.tries,
        dead_ends=drawing.dead_ends,
        ids=drawing.ids,
        judged=result,
        spare=judged_elsewhere(drawing.spare_lines()) if wanted else Judged(),
    )


@dataclass(kw_only=True)
class Drawing:
    """Draws sets one by one and counts what happens."""

    request: SetRequest
    split: Split
    damage: bool
    draws: int = 0
    tries: int = 0
    dead_ends: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    ids: Counter[str] = field(default_factory=Counter)
    picks: Picks = field(default_factory=Picks)

    def line(self, index: int) -> Iterator[str]:
        """Yield the line of one set."""
        for attempt in range(MOST_ATTEMPTS):
            key = self._key(index, attempt)
            filled = _filled(key)
            self.draws += 1
            drawn = draw(self.request.constraints, self.split, WEIGHT, key, filled.keywords)
            if isinstance(drawn, DrawnSet):
                self.tries += drawn.tries
                self.dead_ends += drawn.dead_ends
                self.ids.update(constraint.id for constraint in drawn.constraints)
                name = f"{self.split}/{self.request.constraints}/{index}"
                yield self._line(name, self.split, drawn, filled, index)
                return
            self.rejected[drawn.reason] += 1
        raise GenerationError(f"no set {index} in {MOST_ATTEMPTS} draws; try another seed")

    def spare_lines(self) -> Iterator[str]:
        """Yield lines of small sets with the types that were damaged less often than is wanted."""
        for kind in ALL:
            for nth in range(self.picks.enough - self.picks.counts[kind.id]):
                key = self._key(kind.id, nth)
                filled = _filled(key)
                drawn = draw_parameters(_company(kind, key), key, filled.keywords)
                if not isinstance(drawn, Rejection):
                    yield self._line(f"spare/{kind.id}/{nth}", "", drawn, filled, nth)

    def _key(self, *place: int | str) -> tuple[int | str, ...]:
        """Return a key that is hashed from the audit's seed, so that no set here is that of a pack."""
        return ("audits/sets", str(derive("audits/sets", self.request.seed)), self.split, *place)

    def _line(self, name: str, split: str, drawn: DrawnSet, filled: FilledTask, index: int) -> str:
        kinds = [constraint.id for constraint in drawn.constraints]
        depth = index % len(PARTS)
        checks = [Check(constraint=r.constraint, requirement=r.text, label=r.label) for r in drawn.requirements]
        turn = {
            "keywords": filled.keywords,
            "checks": [check.stored() for check in checks],
            "conflict": None,
            "witness": drawn.witness,
        }
        line = SetLine(
            id=name,
            split=split,
            said=brief(filled, drawn.requirements, depth, Stream("audits/brief", *self._key(name))),
            turn=json.dumps(turn),
            picks=self.picks.among(kinds) if self.damage else (),
        )
        return msgspec.json.encode(line).decode()


def _filled(key: Sequence[int | str]) -> FilledTask:
    stream = Stream("audits/seed-task", *key)
    return fill(stream.choice(public_seed_tasks()), stream)


def _company(kind: ConstraintType, key: Sequence[int | str]) -> tuple[ConstraintType, ...]:
    """Return a type and a few others that it goes with, evaluation or not."""
    return select(FEWEST, "train", WEIGHT, Stream("audits/company", *key), given=(kind,)).types
