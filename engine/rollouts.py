"""What the replies of a rollout are worth, for evaluation loops outside of clew.

The verifiers packages under `environments/` stand on this module and hold no scoring of their own. A puzzle is named by
its id; the sealed file that has it is opened for the moment of scoring. A failure to score is an error of its own and
never a reward of 0. Specification, "Rewards". PRIVATE: a solver must never import this.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from engine.errors import ScoringError, StoreError, counted, place_of, quoted
from engine.hidden_systems.surface.prompt import labels_of
from engine.instruction_adherence.packing import sealed_turns
from engine.instruction_adherence.rewards import WEIGHTS, diagnostic_names, score_turns
from engine.kept_packs import holding, shown_system
from engine.models.parsing import hear, parse
from engine.store.pack import Pack
from engine.store.places import PACK_NAME, SEALED_NAME
from engine.store.sealed import Sealed

CORRECT = "correct"
STATUSES = ("read", "ambiguous", "unparsable", "empty", "truncated")
"""Whether a reply gives a label, and if not, why; exactly one of them is 1."""
CUT = "length"
"""The finish reason of a reply that met its length limit."""
TOTAL = "reward"
GATES = ("content_floor", "episode_all_satisfied")
MARKS = "marks"
"""Key of the marks in a state while it is scored."""
REMEMBERED = 64
"""Rollouts whose marks are kept, because each reward of one asks for them."""
State: TypeAlias = MutableMapping[str, Any]
"""The record of a rollout in the v0 line of verifiers: an open mapping."""


@dataclass(frozen=True, kw_only=True)
class Marks:
    """What the replies to one puzzle are worth."""

    rewards: Mapping[str, float]
    """In [0, 1], by name; one that does not apply is not there."""
    metrics: Mapping[str, float]
    """Gates, counts and the like, which add nothing to the reward."""


Mark: TypeAlias = Callable[[str, tuple[str, ...], bool], Marks]
"""Gives marks to the replies to a puzzle: its id, one reply a turn, whether one was cut by its length limit."""


# Scoring --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=REMEMBERED)
def writing_marks(puzzle_id: str, replies: tuple[str, ...], cut: bool = False) -> Marks:
    """Return the rewards, gates and diagnostics of the replies to a writing task, one a turn.

    Raises:
        ScoringError: there are more or fewer replies than turns.
        StoreError: no kept pack has the task.
    """
    with Sealed.open(holding(puzzle_id) / SEALED_NAME) as sealed:
        turns = sealed_turns(sealed.task(puzzle_id))
    if len(replies) != len(turns):
        raise ScoringError(f"{counted(len(replies), 'reply', 'replies')} to {counted(len(turns), 'turn')}; one a turn")
    document = score_turns(turns, [hear(reply).text for reply in replies]).document()
    numbers = {name: float(value) for name, value in document.items() if isinstance(value, int | float)}
    return Marks(
        rewards={name: value for name, value in numbers.items() if name in WEIGHTS},
        metrics={name: value for name, value in numbers.items() if name not in WEIGHTS and name != TOTAL},
    )


@lru_cache(maxsize=REMEMBERED)
def system_marks(puzzle_id: str, replies: tuple[str, ...], cut: bool = False, domain: str | None = None) -> Marks:
    """Return whether the label in the one reply is right, and whether it could be read at all.

    Args:
        domain: the surface domain that the puzzle was told in; None for the one drawn for it.

    Raises:
        ScoringError: there is not exactly one reply.
        StoreError: no kept pack has the puzzle.
    """
    if len(replies) != 1:
        raise ScoringError(f"{counted(len(replies), 'reply', 'replies')}; exactly one is right")
    folder = holding(puzzle_id)
    with Pack.open(folder / PACK_NAME) as pack, Sealed.open(folder / SEALED_NAME) as sealed:
        labels = labels_of(shown_system(pack, puzzle_id, domain).legend)
        gold = sealed.record(puzzle_id).gold
    heard = hear(replies[0], finish_reason=CUT if cut else None)
    parsed = parse(heard.text, labels)
    status = parsed.status if heard.status == "answered" else heard.status
    correct = status == "read" and parsed.label == gold
    return Marks(rewards={CORRECT: float(correct)}, metrics={name: float(name == status) for name in STATUSES})


def writing_weights() -> dict[str, float]:
    """Return the weight of every reward and metric of a writing task by name, in a fixed order; metrics weigh 0."""
    metrics = (*GATES, *diagnostic_names())
    return {name: float(weight) for name, weight in WEIGHTS.items()} | dict.fromkeys(metrics, 0.0)


def system_weights() -> dict[str, float]:
    """Return the same for a hidden system."""
    return {CORRECT: 1.0} | dict.fromkeys(STATUSES, 0.0)


def checked_marks(mark: Mark, puzzle_id: str, replies: Sequence[str], cut: bool) -> Marks:
    """Return the marks of a rollout.

    Raises:
        ScoringError: they could not be made, whatever the cause; it quotes nothing of the puzzle.
    """
    try:
        return mark(puzzle_id, tuple(replies), cut)
    except (ScoringError, StoreError) as error:
        told = error.line()
    except Exception as error:
        told = place_of(error)
    # Raised out here, so that it carries no cause: results files print causes, and one might quote a sealed value.
    raise ScoringError(f"puzzle {quoted(puzzle_id)} was not scored: {told}")


# States of the v0 line ------------------------------------------------------------------------------------------------


async def score_state(state: State, mark: Mark, score: Callable[[State], Awaitable[None]]) -> None:
    """Score one rollout with the library's own `score`, once its marks are in the state; else say why not there."""
    if _put_marks(state, mark):
        await score(state)
        _drop_inapplicable(state)


async def score_states(states: list[State], mark: Mark, score: Callable[[list[State]], Awaitable[None]]) -> None:
    """Score the rollouts of one puzzle together; those without marks take no part."""
    marked = [state for state in states if _put_marks(state, mark)]
    if marked:
        await score(marked)
    for state in marked:
        _drop_inapplicable(state)


def replies(messages: Iterable[Mapping[str, Any]] | None) -> tuple[str, ...]:
    """Return the texts of the assistant's messages, byte for byte; a message without text is an empty one."""
    return tuple(message["content"] or "" for message in messages or () if message["role"] == "assistant")


def state_mark(state: State, name: str) -> float:
    """Return one reward or metric from a state; 0 for one that does not apply."""
    marks: Marks = state[MARKS]
    return marks.rewards.get(name, marks.metrics.get(name, 0.0))


def _put_marks(state: State, mark: Mark) -> bool:
    """Put the marks of a rollout into its state, or the reason why there are none; say whether there are."""
    if state.get("error") is None:
        try:
            told = replies(state["completion"])
            state[MARKS] = checked_marks(mark, state["info"]["uid"], told, state.get("is_truncated", False))
            return True
        except ScoringError as error:
            state["error"] = error
    # The library adds rewards up, so the row must have a number; `error` says that it means nothing.
    state.update(reward=0.0, metrics={}, advantage=0.0)
    return False


def _drop_inapplicable(state: State) -> None:
    """Leave out what does not apply, so that means over rows are means over the rows it applies to."""
    marks: Marks = state.pop(MARKS)
    absent = WEIGHTS.keys() - marks.rewards.keys()
    state["metrics"] = {name: value for name, value in state["metrics"].items() if name not in absent}
