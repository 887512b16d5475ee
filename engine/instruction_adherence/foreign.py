"""Sentences for the paragraph in another language, drawn from its bank under all that applies to them.

Sentences of the bank may be joined into longer ones where few sentences must hold many words. Words that the paragraph
must have in spite of its language are joined to its first sentence, which stays in its language as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from engine.instruction_adherence.compat import PROHIBITIONS
from engine.instruction_adherence.constraint import Constraint
from engine.instruction_adherence.constraints.language import JUDGED_WORDS
from engine.instruction_adherence.demands import MANY, Demands, Range
from engine.instruction_adherence.grid import Foreign
from engine.instruction_adherence.lexicon import banks
from engine.instruction_adherence.text import Reading, folded
from engine.instruction_adherence.usage import cap_of_others, free_words
from engine.randomness import Stream

MOST_STEPS = 120
"""Pieces tried for one paragraph."""


class Piece(NamedTuple):
    """A sentence of the bank, or a few words."""

    text: str
    words: tuple[str, ...]
    letter: str


@lru_cache(maxsize=1024)
def piece(text: str) -> Piece:
    words = tuple(map(folded, text.split()))
    return Piece(text, words, Reading(text).first_letter(0) or "?")


def usable(language: str, constraints: Sequence[Constraint]) -> tuple[str, ...]:
    """Return the pieces of a language's bank that break no prohibition, sentences first."""
    bank = banks()[language]
    against = [c for c in constraints if isinstance(c, PROHIBITIONS)]
    return tuple(
        text
        for text in (*bank.sentences, *bank.short)
        if all(constraint.check(reading).passed for reading in [Reading(text)] for constraint in against)
    )


@dataclass
class ForeignDraw:
    """Draws the paragraph for a layout."""

    demands: Demands
    constraints: Sequence[Constraint]
    taken: frozenset[str]
    """Letters that other sentences begin with, where all must differ."""
    avoided: frozenset[str]
    """Words that the paragraph must not use."""
    opening: str
    """Words with which the paragraph must begin; empty for none."""
    forced: tuple[str, ...]
    """Further words that it must have."""
    stream: Stream
    _pieces: tuple[Piece, ...] = ()
    _uses: Counter[str] = field(default_factory=Counter)
    _chosen: list[list[list[Piece]]] = field(default_factory=list)
    """Line, sentence, pieces joined in it."""
    _steps: int = 0
    _short_allowed: bool = False

    def __post_init__(self) -> None:
        if self.demands.foreign is None:
            return
        found = map(piece, usable(self.demands.foreign.language, self.constraints))
        most = self.demands.sentence_words.high
        self._pieces = tuple(p for p in found if len(p.words) <= most and self.avoided.isdisjoint(p.words))
        self._most, self._free = cap_of_others(self.constraints), free_words(self.constraints)
        acrostic = self.demands.acrostic
        self._head = acrostic[self.demands.foreign.paragraph - 1] if acrostic else ""

    def __call__(self, lines: Sequence[Range], total: Range, most: int) -> Foreign | None:
        goal = max(total.low, self.stream.between(10, 16) if most > 1 else JUDGED_WORDS)
        for low in dict.fromkeys((min(goal, total.high), total.low)):
            self._chosen = [[] for _ in lines]
            self._uses, self._steps = Counter(), 0
            self._short_allowed = len(lines) > 1 or low < 2 * JUDGED_WORDS
            if self._extend(lines, Range(low, total.high), most, self.stream.shuffled(self._pieces)):
                return Foreign(tuple(tuple(_joined(sentence) for sentence in line) for line in self._chosen))
        return None

    def _sizes(self) -> list[int]:
        return [sum(len(p.words) for sentence in line for p in sentence) for line in self._chosen]

    def _extend(self, lines: Sequence[Range], total: Range, most: int, pieces: list[Piece]) -> bool:
        """Add pieces to the first line that is too short, then to the last open one, until the words suffice."""
        sizes, count = self._sizes(), sum(map(len, self._chosen))
        words = sum(sizes)
        unmet = [i for i, (size, line) in enumerate(zip(sizes, lines, strict=True)) if size < line.low]
        if not unmet and total.low <= words <= total.high:
            return True
        open_lines = unmet[:1] or [
            i for i, (size, line) in enumerate(zip(sizes, lines, strict=True)) if size < line.high
        ]
        if not open_lines or words >= total.high:
            return False
        index = open_lines[-1]
        room = min(lines[index].high - sizes[index], total.high - words)
        empty = sum(not line for line in self._chosen)
        join = bool(self._chosen[index]) and count + empty >= most
        for option in pieces:
            if self._steps >= MOST_STEPS:
                return False
            if self._fits(option, room, index, join):
                self._steps += 1
                if self._with(option, index, join, lines, total, most, pieces):
                    return True
        return False

    def _with(
        self,
        option: Piece,
        index: int,
        join: bool,
        lines: Sequence[Range],
        total: Range,
        most: int,
        pieces: list[Piece],
    ) -> bool:
        """Try one piece, taken back if nothing comes of it."""
        line = self._chosen[index]
        added = [option]
        if not any(self._chosen):
            added = [*map(piece, filter(None, [self.opening])), option, *map(piece, self.forced)]
        if join:
            line[-1] += added
        else:
            line.append(added)
        self._uses.update(word for p in added for word in p.words)
        if self._extend(lines, total, most, pieces):
            return True
        self._uses.subtract(Counter(word for p in added for word in p.words))
        if join:
            del line[-1][-1]
        else:
            line.pop()
        return False

    def _fits(self, option: Piece, room: int, index: int, join: bool) -> bool:
        size, first = len(option.words), not any(self._chosen)
        if size > room or (size < JUDGED_WORDS and ((room > 5 and not self._short_allowed) or first)):
            return first and size <= room <= 5 and self._begins(option, first) and self._may_repeat(option)
        if any(option in sentence for line in self._chosen for sentence in line):
            return False
        if join:
            within = sum(len(p.words) for p in self._chosen[index][-1])
            return within + size <= self.demands.sentence_words.high and self._may_repeat(option)
        return self._begins(option, first) and self._may_repeat(option)

    def _begins(self, option: Piece, first: bool) -> bool:
        """Whether a sentence of the paragraph may begin with this piece."""
        if first and self.opening:
            return True
        if first and self._head and option.letter != self._head:
            return False
        begun = {sentence[0].letter for line in self._chosen for sentence in line}
        return not self.demands.distinct or option.letter not in self.taken | begun

    def _may_repeat(self, option: Piece) -> bool:
        if self._most == MANY:
            return True
        new = Counter(option.words)
        return all(self._uses[word] + uses <= self._most or word in self._free for word, uses in new.items())


def _joined(sentence: list[Piece]) -> str:
    return " ".join(p.text for p in sentence)
