"""What is wrong with a script, worked out anew from the texts of its turns and the checks that are stored for them.

The generator's own notion of events is not used: what a turn adds, drops, disputes or restores is read off the checks
of this turn and of the one before, and when a requirement was last heard of is looked up in the texts. Each function
yields JSON pointers. Section "Multi-turn scripts" and "Readings decided", 11, 32 and 40.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from audits.posed import Posed, unspoken
from engine.instruction_adherence.compat import conflict, parameter_conflict
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.rewards import score_turn
from engine.instruction_adherence.turn import Check, Pattern

GAP = 7
FEWEST_TURNS, MOST_TURNS = 4, 12


class Known(NamedTuple):
    """What tells one requirement of a script from another: the turn that set it, and its text."""

    since: int
    text: str


def known(check: Check) -> Known:
    return Known(check.since_turn, check.requirement)


def active(task: Posed) -> list[Check]:
    return [check for check in task.turn.checks if check.expect]


def revoked(task: Posed) -> list[Check]:
    return [check for check in task.turn.checks if check.scored and not check.expect]


def quoted(task: Posed) -> list[Check]:
    return [check for check in task.turn.checks if not check.scored and not check.expect]


def disputed(task: Posed) -> list[Check]:
    return [check for check in task.turn.checks if not check.scored and check.expect]


# One turn ------------------------------------------------------------------------------------------------------------


def short_of_full(task: Posed) -> Iterator[str]:
    """Yield the rewards of which the witness does not get the maximum, and quoted instructions that it adopts."""
    score = score_turn(task.turn, task.witness)
    for name, value in score.rewards.values():
        if value not in (None, 1):
            yield f"/turns/{task.nth}/rewards/{name}"
    for at, (check, verdict) in enumerate(score.outcomes):
        if not check.scored and not check.expect and not verdict.passed:
            yield f"/turns/{task.nth}/checks/{at}/adopted"


def contradictions(task: Posed) -> Iterator[str]:
    """Yield whether what is active contradicts itself, or what is said to contradict itself is not proved to."""
    asked = [check.constraint for check in active(task)]
    pair = [check.constraint for check in disputed(task)]
    if not pair:
        if conflict(asked) is not None:
            yield f"/turns/{task.nth}/checks"
        return
    if len(pair) != 2 or parameter_conflict(pair) is None:
        yield f"/turns/{task.nth}/conflict"
    for one in pair:
        if conflict([other for other in asked if other is not one]) is not None:
            yield f"/turns/{task.nth}/checks"


def types_of(task: Posed) -> list[str]:
    """Return the ids that the splits look at: all but the quoted ones, each once."""
    return sorted({check.constraint.id for check in task.turn.checks if check.scored or check.expect})


# The course of a script ----------------------------------------------------------------------------------------------


def course_faults(turns: Sequence[Posed], most: int) -> Iterator[str]:
    """Yield where a script does not follow from one turn to the next.

    Args:
        most: K, the number of requirements active at the height.
    """
    if not FEWEST_TURNS <= len(turns) <= MOST_TURNS:
        yield "/turns"
    if max(len(active(task)) for task in turns) != most:
        yield "/constraints"
    if disputed(turns[-1]):
        yield f"/turns/{len(turns)}/conflict"
    if revoked(turns[0]) or disputed(turns[0]):
        yield "/turns/1/checks"
    for before, task in pairwise(turns):
        yield from (f"/turns/{task.nth}/{fault}" for fault in _step_faults(before, task))
    for task in turns:
        yield from (f"/turns/{task.nth}/{fault}" for fault in _order_faults(task))
        yield from (f"/turns/{task.nth}/{fault}" for fault in _block_faults(task))
        yield from (f"/turns/{task.nth}/{fault}" for fault in _pattern_faults(turns, task))
        yield from (f"/turns/{task.nth}/{fault}" for fault in _text_faults(turns, task))
    yield from _label_faults(turns)


def _step_faults(before: Posed, task: Posed) -> Iterator[str]:
    """Yield what does not follow: requirements that go without a word, come from nowhere, or are not restored."""
    had, has = set(map(known, active(before))), set(map(known, active(task)))
    gone, left = set(map(known, revoked(before))), set(map(known, revoked(task)))
    pair = [known(check) for check in disputed(before)]
    withdrawn = {one for one in pair if one.since == before.nth}
    if had - has != (left - gone) | withdrawn:
        yield "gone"
    if any(one.since != task.nth for one in has - had):
        yield "new"
    if [known(check) for check in active(before) if known(check) in has] != [
        known(check) for check in active(task) if known(check) in had
    ]:
        yield "order"
    if gone - left or not left - gone <= had:
        yield "revoked"
    if pair and (len(withdrawn) != 1 or not {one for one in pair if one not in withdrawn} <= has):
        yield "restored"
    if pair and disputed(task):
        yield "conflict"
    if any(known(check) in pair for check in (*revoked(task), *disputed(task))):
        yield "restored"


def _order_faults(task: Posed) -> Iterator[str]:
    since = [check.since_turn for check in active(task)]
    if since != sorted(since) or max(since) > task.nth:
        yield "order"
    if any(check.since_turn != task.nth for check in quoted(task)):
        yield "quoted"
    if len({known(check) for check in active(task)}) != len(since):
        yield "twice"


def _block_faults(task: Posed) -> Iterator[str]:
    """Yield whether an audit or a restatement speaks of anything but what is active now."""
    for check in active(task):
        others = [other for other in active(task) if other is not check]
        match check.constraint:
            case SelfAudit(labels=labels) if list(labels) != [other.label for other in others]:
                yield "labels"
            case Restate(requirements=told) if list(told) != [other.requirement for other in others]:
                yield "restated"


def _label_faults(turns: Sequence[Posed]) -> Iterator[str]:
    """Yield labels that are not R1, R2, ... in the order in which requirements first stood beside an audit."""
    labels: dict[Known, str] = {}
    for task in turns:
        asked = [check for check in active(task) if not isinstance(check.constraint, SelfAudit)]
        if len(asked) < len(active(task)):
            for check in asked:
                labels.setdefault(known(check), f"R{len(labels) + 1}")
        for at, check in enumerate(task.turn.checks):
            own = check.scored or check.expect
            if check.label != (labels.get(known(check)) if own else None):
                yield f"/turns/{task.nth}/checks/{at}/label"


# Patterns and texts --------------------------------------------------------------------------------------------------


def heard(turns: Sequence[Posed], check: Check, nth: int) -> int:
    """Return the last turn up to `nth` in which the user said a requirement; the one that set it, if none did."""
    return max((task.nth for task in turns[:nth] if check.requirement in task.said), default=check.since_turn)


def _pattern_faults(turns: Sequence[Posed], task: Posed) -> Iterator[str]:
    before = [known(check) for check in disputed(turns[task.nth - 2])] if task.nth > 1 else []
    for at, check in enumerate(task.turn.checks):
        if sorted(check.patterns) != sorted(_patterns(turns, task, check, before)):
            yield f"checks/{at}/patterns"


def _patterns(turns: Sequence[Posed], task: Posed, check: Check, before: Sequence[Known]) -> set[Pattern]:
    """Return the patterns that a check bears, by what they mean."""
    if not check.expect:
        return {"revocation"} if check.scored else {"distractor"}
    found: set[Pattern] = set()
    if task.nth > 1:
        found.add("persistence" if check.since_turn == 1 else "addition")
    if not check.scored or known(check) in before:
        found.add("contradiction")
    if check.scored and task.nth > GAP and task.nth - heard(turns, check, task.nth) >= GAP:
        found.add("long_gap")
    return found


def _text_faults(turns: Sequence[Posed], task: Posed) -> Iterator[str]:
    """Yield changes that the text does not tell, and reminders of what merely stays."""
    had = set(map(known, revoked(turns[task.nth - 2]))) if task.nth > 1 else set()
    for check in revoked(task):
        if known(check) not in had and not _names(task.said, check.constraint):
            yield "text/revoked"
    before = disputed(turns[task.nth - 2]) if task.nth > 1 else []
    if not all(check.requirement in task.said for check in (*before, *quoted(task))):
        yield "text/told"
    retold = {known(check) for check in before}
    listed = any(isinstance(check.constraint, SelfAudit) and check.since_turn == task.nth for check in active(task))
    for check in active(task):
        fresh = check.since_turn == task.nth or known(check) in retold
        if not fresh and (check.requirement in task.said) != (listed and check.label is not None):
            yield "text/listed" if listed else "text/reminded"


def _names(said: str, constraint: Constraint) -> bool:
    """Whether a text speaks of dropping something, by the words of the constraint."""
    told = said.casefold()
    if not any(word in told for word in ("no longer", "leave", "stop")):
        return False
    if isinstance(constraint, SelfAudit | Restate):
        return ("self-audit" if isinstance(constraint, SelfAudit) else "requirements") in told
    words = {f"/params/{name}" for name, value in constraint.params.items() if isinstance(value, str)}
    return words.isdisjoint(unspoken(constraint, said))
