"""When things happen in a script: how many turns it has, and what each of them adds, drops, disputes or quotes.

Numbers alone; which constraints they are about is drawn later. A plan is drawn until it comes out even: at the height
exactly K requirements are active, those in dispute included. Specification, "Multi-turn scripts".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.errors import GenerationError
from engine.instruction_adherence.writing import FEWEST_TURNS, MOST_TURNS
from engine.randomness import Stream

LONG_GAP = 7
"""Turns between the one that sets a requirement and the one that tests it after a long gap."""
FIRST_LATE = LONG_GAP + 1
"""The first turn in which there can be a long gap."""
FEWEST_ACTIVE = 2
"""Requirements in force in every turn, so that one is left to be scored if another is in dispute."""
SECOND_FROM = 9
"""Turns of a script that may have two contradictions."""
MOST_PLANS = 4000
"""Plans drawn for one script; most need one to twenty."""
UNIT = 100
"""Weight of a number of turns without a long gap."""


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What one turn does beside setting a task."""

    added: int = 0
    """Requirements that stay; all of them, in the first turn."""
    drops: bool = False
    contradicts: bool = False
    restores: bool = False
    """Whether the turn before contradicted itself."""
    quotes: bool = False


def draw_plan(most: int, weight: float, stream: Stream) -> tuple[Planned, ...]:
    """Return the turns of a script.

    Args:
        most: K, the requirements active at once.
        weight: how much likelier a script with a long gap is than its share of the numbers of turns.

    Raises:
        GenerationError: nothing came out even, which has not been seen.
    """
    turns = _turns(weight, stream)
    for _ in range(MOST_PLANS):
        plan = _draft(most, turns, stream)
        if plan is not None and _is_even(plan, most):
            return plan
    raise GenerationError(
        f"no script of {turns} turns and {most} requirements in {MOST_PLANS} plans; another seed may do"
    )


def _turns(weight: float, stream: Stream) -> int:
    numbers = range(FEWEST_TURNS, MOST_TURNS + 1)
    weights = [round(UNIT * weight) if turns >= FIRST_LATE else UNIT for turns in numbers]
    place = stream.below(sum(weights))
    for turns, share in zip(numbers, weights, strict=True):
        place -= share
        if place < 0:
            return turns
    raise AssertionError("the weights cover every place")


def _draft(most: int, turns: int, stream: Stream) -> tuple[Planned, ...] | None:
    """Return a plan that may not come out even; None if it has neither a drop nor a contradiction nor a quote."""
    middle = range(2, turns)
    disputes = stream.chance(2, 3) + (turns >= SECOND_FROM and stream.chance(1, 3))
    contradicted = sorted(stream.sample(middle, disputes))
    drops = stream.choice((0, 1, 1, 2) if turns > FEWEST_TURNS else (0, 1, 1))
    dropped = stream.sample([nth for nth in range(2, turns + 1) if nth not in contradicted], drops)
    quoted = stream.between(2, turns) if stream.chance(3, 5) else 0
    if not (contradicted or dropped or quoted):
        return None
    first = stream.between(max(FEWEST_ACTIVE, most // 2), most - 1)
    open_turns = [nth for nth in range(2, turns + 1) if nth not in contradicted]
    additions = [stream.choice(open_turns) for _ in range(most - first + stream.below(len(dropped) + 1))]
    rest = (
        Planned(
            added=additions.count(nth), drops=nth in dropped, contradicts=nth in contradicted,
            restores=nth - 1 in contradicted, quotes=nth == quoted,
        )
        for nth in range(2, turns + 1)
    )  # fmt: skip
    return (Planned(added=first), *rest)


def _is_even(plan: Sequence[Planned], most: int) -> bool:
    """Whether exactly `most` are active at the height, enough always, and no contradiction follows another at once."""
    sizes = list(sizes_of(plan))
    apart = all(not (one.contradicts and other.contradicts) for one, other in pairwise(plan))
    # A contradiction adds one that is in dispute with another: two more must be left.
    enough = all(size >= FEWEST_ACTIVE + turn.contradicts for size, turn in zip(sizes, plan, strict=True))
    return max(sizes) == most and apart and enough


def sizes_of(plan: Sequence[Planned]) -> Iterator[int]:
    """Yield how many requirements are active in each turn, those in dispute included."""
    active = 0
    for turn in plan:
        active += turn.added - turn.drops
        yield active + turn.contradicts
