"""Paragraphs as rows of lines: how many words each may have, and how they are cut into sentences.

Paragraph sizes come first (they carry the order constraints and the total), then sentence counts, then the size of each
sentence. The paragraph in another language is given: its sentences cannot be cut to size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from engine.instruction_adherence.arithmetic import sizes_of
from engine.instruction_adherence.demands import MANY, Demands, Range
from engine.randomness import Stream

USUAL = 9
"""Words of a sentence where nothing says otherwise."""


class Literals(NamedTuple):
    """How much room required texts need."""

    words: int
    """All of them together."""
    longest: int
    """Words of the longest one that must stand in one sentence."""
    opening: int
    """Words with which the final paragraph begins."""
    sentences: int
    """English sentences over which one required word must be spread."""
    outside: int
    """Words of a phrase that can stand in no sentence, only in a title or heading."""


class Foreign(NamedTuple):
    """Sentences for the paragraph in another language, by line."""

    lines: tuple[tuple[str, ...], ...]

    @property
    def sizes(self) -> list[list[int]]:
        return [[len(sentence.split()) for sentence in line] for line in self.lines]


ForeignDraw = Callable[[Sequence[Range], Range, int], "Foreign | None"]
"""Draws the foreign paragraph: words of each line, words of all, most sentences."""


@dataclass
class Grid:
    """Paragraphs as rows of lines, each with the words that it may have."""

    demands: Demands
    sentences: Range
    """Of all prose."""
    lines: list[list[Range]]
    stream: Stream
    fixed: tuple[int, Foreign] | None = None

    @classmethod
    def draw(cls, demands: Demands, count: int, sentences: Range, stream: Stream) -> Grid | None:
        if demands.lines is None:
            return cls(demands, sentences, [[Range(1, MANY)] for _ in range(count)], stream)
        fewest, long, short = demands.lines
        spread = _partition(max(fewest, count), count, sentences.high, stream)
        rows: list[list[Range]] = []
        index = 0
        for size in spread:
            rows.append([Range(1, short) if i % 2 else Range(long, MANY) for i in range(index, index + size)])
            index += size
        return cls(demands, sentences, rows, stream)

    def bounds(self) -> list[Range] | None:
        """Return the words of each paragraph under the order of sizes."""
        each = self.demands.paragraph_words
        bases = [each.meet(sum(r.low for r in row), min(sum(r.high for r in row), MANY)) for row in self.lines]
        if self.fixed is not None:
            nth, foreign = self.fixed
            size = sum(map(sum, foreign.sizes))
            bases[nth] = bases[nth].meet(size, size)
        return sizes_of(self.demands, len(bases), bases)

    def settle_foreign(self, draw_foreign: ForeignDraw) -> Foreign | None:
        """Draw the sentences of the foreign paragraph, within the sizes that the others leave to it."""
        if self.demands.foreign is None:
            return None
        nth = self.demands.foreign.paragraph - 1
        bounds = self.bounds()
        if bounds is None:
            return None
        most = self.sentences.high - sum(map(len, self.lines)) + len(self.lines[nth])
        if self.sentences.high < MANY:
            share = min(most, max(len(self.lines[nth]), self.sentences.high // len(self.lines)))
            most = share if self.stream.chance(1, 2) else self.stream.between(len(self.lines[nth]), max(most, share))
        elif self.stream.chance(1, 3):
            most = len(self.lines[nth])
        foreign = draw_foreign(self.lines[nth], bounds[nth], most)
        if foreign is not None:
            self.fixed = (nth, foreign)
        return foreign

    def sizes(self, total: Range, needed: int) -> list[int] | None:
        """Return the words of each paragraph; None if their sum exceeds `total`, which may also not be reached."""
        bounds = self.bounds()
        if bounds is None:
            return None
        sizes = [bound.low for bound in bounds]
        highs = [min(b.high, self._most(i, len(bounds))) for i, b in enumerate(bounds)]
        if sum(sizes) > total.high or not self._valid(sizes, total.high):
            return None
        least = sum(sizes) + sum(self.stream.below(5) for _ in sizes)
        goal = min(max(self._goal(total, needed, len(sizes)), total.low, least), total.high)
        misses = 0
        while (short := goal - sum(sizes)) > 0 and misses < 40:
            index = self.stream.below(len(sizes))
            step = min(self.stream.between(1, max(1, short // 2)), short) if misses < 20 else 1
            changed = [*sizes[:index], sizes[index] + step, *sizes[index + 1 :]]
            if changed[index] <= highs[index] and self._valid(changed, total.high):
                sizes, misses = changed, 0
            else:
                misses += 1
        return self._raised_together(sizes, highs, total)

    def _raised_together(self, sizes: list[int], highs: list[int], total: Range) -> list[int] | None:
        """Raise what single steps could not: all paragraphs at once, which keeps their order."""
        while sum(sizes) < max(total.low, min(self.sentences.low, MANY)):
            changed = [size + 1 if size < high else size for size, high in zip(sizes, highs, strict=True)]
            if changed == sizes or not self._valid(changed, total.high):
                break
            sizes = changed
        return sizes

    def _goal(self, total: Range, needed: int, count: int) -> int:
        sentence = min(self.stream.between(6, USUAL + 3), max(self.demands.sentence_words.high - 1, 1))
        sentences = max(count, self.sentences.low)
        if self.sentences.high - self.sentences.low > 40:
            sentences += self.stream.between(count, 2 * count + 3)
        usual = sentence * min(sentences, self.sentences.high)
        room = needed + sentences + 2 * count
        if total.high < MANY // 2:
            usual = max(usual, (2 * total.low + total.high) // 3)
        return max(usual, room)

    def _most(self, index: int, count: int) -> int:
        """Return the words that one paragraph can have at most if every other is a single sentence."""
        per_sentence = self.demands.sentence_words.high
        return min(MANY, (self.sentences.high - count + 1) * per_sentence)

    def _valid(self, sizes: list[int], most: int) -> bool:
        if sum(sizes) > most:
            return False
        bounds = zip(sizes, self.lines, strict=True)
        if sum(self._fewest_sentences(i, size, row) for i, (size, row) in enumerate(bounds)) > self.sentences.high:
            return False
        demands = self.demands
        if demands.rising and any(a >= b for a, b in pairwise(sizes)):
            return False
        if any(sizes.count(sizes[nth]) > 1 or max(sizes) > sizes[nth] for nth in demands.longest):
            return False
        return not any(sizes.count(sizes[nth]) > 1 or min(sizes) < sizes[nth] for nth in demands.shortest)

    def _fewest_sentences(self, index: int, size: int, row: list[Range]) -> int:
        if self.fixed is not None and self.fixed[0] == index:
            return sum(map(len, self.fixed[1].lines))
        per_sentence = self.demands.sentence_words.high
        if len(row) == 1:
            return -(-size // per_sentence)
        spare = size - sum(line.low for line in row)
        counts = [-(-line.low // per_sentence) for line in row]
        return sum(counts) + min(
            -(-(line.low + spare) // per_sentence) - count for line, count in zip(row, counts, strict=True)
        )

    def cut(self, sizes: list[int], room: Literals) -> tuple[tuple[tuple[int, ...], ...], ...] | None:
        """Cut paragraphs of these sizes into lines and sentences."""
        flat: list[tuple[int, int]] = []
        for index, (size, row) in enumerate(zip(sizes, self.lines, strict=True)):
            words = self._line_words(index, size, row)
            if words is None:
                return None
            flat += [(index, line) for line in words]
        counts = self._sentence_counts(flat, room.sentences)
        if counts is None:
            return None
        paragraphs: list[list[tuple[int, ...]]] = [[] for _ in sizes]
        for (index, words_of_line), count in zip(flat, counts, strict=True):
            if self.fixed is not None and self.fixed[0] == index:
                line = self.fixed[1].sizes[len(paragraphs[index])]
            else:
                line = self._split(words_of_line, count)
            paragraphs[index].append(tuple(line))
        return self._with_room(paragraphs, room)

    def _line_words(self, index: int, size: int, row: list[Range]) -> list[int] | None:
        if self.fixed is not None and self.fixed[0] == index:
            return [sum(line) for line in self.fixed[1].sizes]
        words = [line.low for line in row]
        spare = size - sum(words)
        while spare > 0:
            open_lines = [i for i, line in enumerate(row) if words[i] < line.high]
            if not open_lines:
                return None
            i = self.stream.choice(open_lines)
            step = min(spare, row[i].high - words[i], self.stream.between(1, 3))
            words[i] += step
            spare -= step
        return words if spare == 0 else None

    def _sentence_counts(self, flat: list[tuple[int, int]], spread: int) -> list[int] | None:
        """Return the sentences of each line: their sum keeps to the range of all prose."""
        per_sentence = self.demands.sentence_words.high
        lows = [-(-words // per_sentence) for _, words in flat]
        highs = [words for _, words in flat]
        if self.fixed is not None:
            nth, foreign = self.fixed
            for position, line in zip((i for i, (p, _) in enumerate(flat) if p == nth), foreign.lines, strict=True):
                lows[position] = highs[position] = len(line)
        usual = min(self.stream.between(6 if self.stream.chance(2, 3) else 3, USUAL + 3), max(per_sentence - 1, 1))
        counts = [min(max(low, words // usual), high) for low, high, (_, words) in zip(lows, highs, flat, strict=True)]
        while sum(counts) > self.sentences.high:
            reducible = [i for i, count in enumerate(counts) if count > lows[i]]
            if not reducible:
                return None
            counts[self.stream.choice(reducible)] -= 1
        given = sum(map(len, self.fixed[1].lines)) if self.fixed is not None else 0
        while sum(counts) < max(self.sentences.low, min(spread + given, self.sentences.high)):
            spare = [(words / (counts[i] + 1), i) for i, (_, words) in enumerate(flat) if counts[i] < highs[i]]
            if not spare:
                return counts if sum(counts) >= self.sentences.low else None
            counts[max(spare)[1]] += 1
        return counts

    def _split(self, words: int, count: int) -> list[int]:
        """Split words into sentences of similar sizes."""
        sizes = [words // count + (i < words % count) for i in range(count)]
        for _ in range(count):
            taken, given = self.stream.below(count), self.stream.below(count)
            step = self.stream.below(max(1, sizes[taken] // 3))
            if taken != given and sizes[given] + step <= self.demands.sentence_words.high:
                sizes[taken] -= step
                sizes[given] += step
        return self.stream.shuffled(sizes)

    def _with_room(
        self, paragraphs: list[list[tuple[int, ...]]], room: Literals
    ) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Make a sentence long enough for the longest required text, and the last paragraph's first for its opening."""
        most = self.demands.sentence_words.high
        native = [i for i in range(len(paragraphs)) if self.fixed is None or self.fixed[0] != i]
        if room.opening and native[-1:] == [len(paragraphs) - 1]:
            paragraphs[-1][0] = _grown(paragraphs[-1][0], 0, min(room.opening + 1, most))
        if room.longest and not any(
            size > room.longest for i in native for line in paragraphs[i] for size in line[1 if len(line) > 1 else 0 :]
        ):
            spare = [(sum(line) - len(line), i, k) for i in native for k, line in enumerate(paragraphs[i])]
            if spare:
                _, i, k = max(spare)
                line = paragraphs[i][k]
                paragraphs[i][k] = _grown(line, len(line) - 1, min(room.longest + 1, most))
        return tuple(map(tuple, paragraphs))


def _grown(line: tuple[int, ...], index: int, size: int) -> tuple[int, ...]:
    """Return the line with one sentence of at least this size, at the cost of the others."""
    sizes = list(line)
    for other in range(len(sizes)):
        if other != index and sizes[index] < size:
            step = min(size - sizes[index], sizes[other] - 1)
            sizes[other] -= step
            sizes[index] += step
    return tuple(sizes)


def _partition(lines: int, paragraphs: int, most: int, stream: Stream) -> list[int]:
    """Return how many of the alternating lines each paragraph has; pairs where the number of sentences allows it."""
    if most >= 2 * paragraphs and stream.chance(3, 4):
        lines = max(lines, 2 * paragraphs)
        lines += lines % 2 if most > lines else 0
        sizes = [2] * paragraphs
    else:
        sizes = [1] * paragraphs
    while (spare := lines - sum(sizes)) > 0:
        sizes[stream.below(paragraphs)] += min(2 if sizes[0] > 1 else 1, spare)
    return sizes
