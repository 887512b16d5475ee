"""A constraint that contradicts another one, by proof, and nothing else that is asked for.

The proof is a rule of layer 2 that refuses the two together: no response passes both checkers. Types that are only
declared incompatible would be no contradiction to somebody who reads the two requirements. Specification, "Multi-turn
scripts" (contradiction) and "Sampling and contradiction avoidance".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

from engine.instruction_adherence.compat import conflict, parameter_conflict, required_texts
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.lexical import ForbiddenWords, Lipogram, WordOrder
from engine.instruction_adherence.constraints.meta import Restate, SelfAudit
from engine.instruction_adherence.constraints.positional import TopicOrder
from engine.instruction_adherence.constraints.registry import ALL
from engine.instruction_adherence.constraints.structure import JsonKeys
from engine.instruction_adherence.demands import required_words
from engine.instruction_adherence.drafts import ConstraintType
from engine.instruction_adherence.inflection import is_known
from engine.randomness import Stream

NEVER = (JsonKeys, SelfAudit, Restate)
"""Types that are never in dispute: an object contradicts nearly everything, and the two blocks nothing."""
SAMPLES = 2
"""Parameters drawn for each other type."""
PARTNERS = 12
"""Types tried against one constraint."""


def clashes(one: Constraint, other: Constraint) -> bool:
    """Whether no response can keep to both, by proof."""
    return parameter_conflict((one, other)) is not None


def rival(
    target: Constraint, others: Sequence[Constraint], kinds: Sequence[ConstraintType], stream: Stream
) -> Constraint | None:
    """Return a constraint that clashes with `target` and goes with all `others`; None if none was found.

    Args:
        kinds: types that it may be of, beside the target's own.
    """
    for option in _options(target, kinds, stream):
        if option != target and clashes(target, option) and conflict((*others, option)) is None:
            return option
    return None


def _options(target: Constraint, kinds: Sequence[ConstraintType], stream: Stream) -> Iterator[Constraint]:
    """Yield constraints that may clash: of the same type, of one that bans what is required, of any other."""
    sources = [_same(target, stream), _bans(target, kinds, stream), _any(kinds, stream)]
    for source in stream.shuffled(sources):
        yield from source


def _same(target: Constraint, stream: Stream) -> Iterator[Constraint]:
    """Yield constraints of the target's type with other numbers, or with its words in another order."""
    kind = type(target)
    if isinstance(target, WordOrder | TopicOrder):
        yield replace(target, first=target.second, second=target.first)
    words: dict[str, Any] = {
        field.name: getattr(target, field.name)
        for field in fields(target)
        if not isinstance(getattr(target, field.name), int)
    }
    for _ in range(SAMPLES):
        sampled = kind.sample(stream)
        yield sampled
        yield replace(sampled, **words)


def _bans(target: Constraint, kinds: Sequence[ConstraintType], stream: Stream) -> Iterator[Constraint]:
    """Yield prohibitions of what the target requires."""
    known = [word for word in required_words(target) if is_known(word)]
    if known and ForbiddenWords in kinds:
        sampled = ForbiddenWords.sample(stream)
        yield replace(sampled, words=tuple(stream.shuffled([*sampled.words[:2], stream.choice(known)])))
    text = "".join(literal.text for literal in required_texts([target])).upper()
    letters = sorted(set(text) & set("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    if letters and Lipogram in kinds:
        yield Lipogram(letter=stream.choice(letters))


def _any(kinds: Sequence[ConstraintType], stream: Stream) -> Iterator[Constraint]:
    for kind in stream.sample(kinds, PARTNERS):
        for _ in range(SAMPLES):
            yield kind.sample(stream)


def disputable(constraints: Sequence[Constraint], *, evaluation: bool) -> list[ConstraintType]:
    """Return the types, other than those of these constraints, that may be set against one of them, in a fixed order.

    Args:
        evaluation: whether types for evaluation only are among them.
    """
    taken = {*NEVER, *map(type, constraints)}
    return [kind for kind in ALL if kind not in taken and (evaluation or not kind.eval_only)]
