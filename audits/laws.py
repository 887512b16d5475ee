"""Draws under a law of the audit's own, beside those of the generator as it ships.

The neutral law is the generator's prior cut to a label: systems are drawn as they come, at indices whose parity has
nothing to do with the label, and kept when they have the label that a shuffled list wants. Further laws cut the prior
once more; they make planted generators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from audits.draws import Draws, table
from engine.errors import GenerationError
from engine.hidden_systems.program.draw import Draw, draw_system
from engine.hidden_systems.program.exact import label_of, outside_margin
from engine.hidden_systems.program.generate import MOST_ATTEMPTS, holds_out
from engine.hidden_systems.program.skeleton import BehaviorSkeleton, build_skeleton, query_probability
from engine.randomness import Stream, derive

Law = Callable[[Draw, bool], bool]
"""Whether a drawn system with this label (True: PRESENT) is kept."""
LARGEST_INDEX = 1 << 40


def neutral(draw: Draw, present: bool) -> bool:
    """Keep every system."""
    return True


def draw_by(
    law: Law,
    complexity: int,
    count: int,
    seed: int,
    track: Callable[[Iterable[int]], Iterable[int]] = iter,
    *,
    texts: bool = False,
) -> Draws:
    """Draw puzzles of one complexity under a law, labels half and half in shuffled order."""
    own = derive("audits/laws", complexity, seed)
    wanted = Stream("audits/law labels", own).shuffled([nth % 2 == 0 for nth in range(count)])
    return table(complexity, seed, _skeletons(law, complexity, own, wanted, track), texts=texts)


def _skeletons(
    law: Law, complexity: int, own: int, wanted: list[bool], track: Callable[[Iterable[int]], Iterable[int]]
) -> Iterator[BehaviorSkeleton]:
    stream = Stream("audits/law indices", own)
    for nth in track(range(len(wanted))):
        yield _skeleton(law, complexity, own, stream, wanted[nth])


def _skeleton(law: Law, complexity: int, own: int, stream: Stream, wanted: bool) -> BehaviorSkeleton:
    """Draw, each time at an index of random parity, until the label and the law fit."""
    for attempt in range(MOST_ATTEMPTS):
        index = stream.below(LARGEST_INDEX)
        draw = draw_system(complexity, own, index, attempt)
        probability = query_probability(draw)
        if outside_margin(probability) and (label_of(probability) == "PRESENT") is wanted and law(draw, wanted):
            skeleton = build_skeleton(draw, probability, own, index)
            if holds_out(skeleton.payload):
                return skeleton
    raise GenerationError(f"no system of complexity {complexity} keeps to the audit's law in {MOST_ATTEMPTS} draws")
