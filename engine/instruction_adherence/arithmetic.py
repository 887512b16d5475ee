"""Counts that cannot be met together: bounds on words, sentences, paragraphs and lines that leave no shape.

Everything here is a relaxation: it allows at least what is possible, so "nothing fits" is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.instruction_adherence.demands import MANY, Demands, Range

MOST_TRIED = 40
"""Numbers of paragraphs looked at from the lowest legal one; more paragraphs never need fewer words or sentences."""

MOST_PARAGRAPHS = 400
"""Paragraphs that are looked at one by one."""


def shapeless(demands: Demands) -> str | None:
    """Return why no number of paragraphs, sentences and words fits; None if one may."""
    if demands.keys:
        return _object_fault(demands)
    named = {
        "paragraphs": demands.paragraphs, "sentences": demands.sentences, "words": demands.words,
        "words in each paragraph": demands.paragraph_words, "words in each sentence": demands.sentence_words,
    }  # fmt: skip
    for name, bounds in named.items():
        if bounds.low > bounds.high:
            return f"at least {bounds.low} {name} and at most {bounds.high} are asked"
    if demands.paragraphs.low > MOST_PARAGRAPHS:
        return _crowded(demands)
    faults = (_fault(demands, count) for count in _counts(demands))
    reasons = []
    for fault in faults:
        if fault is None:
            return None
        reasons.append(fault)
    return reasons[0]


def _crowded(demands: Demands) -> str | None:
    """Return why so many paragraphs cannot be, without looking at each."""
    count = demands.paragraphs.low
    words = count * demands.paragraph_words.low
    if words > demands.words.high or count + demands.items > demands.sentences.high:
        return f"{count} paragraphs need at least {words} words and {count + demands.items} sentences"
    return None


def _object_fault(demands: Demands) -> str | None:
    low, high = demands.words
    return f"at least {low} and at most {high} words are asked" if low > high else None


def _counts(demands: Demands) -> Iterator[int]:
    low, high = demands.paragraphs
    yield from range(low, min(high, low + MOST_TRIED) + 1)


def fits(demands: Demands, count: int) -> bool:
    """Whether this number of paragraphs may be part of a shape."""
    return demands.paragraphs.low <= count <= demands.paragraphs.high and _fault(demands, count) is None


def _fault(demands: Demands, count: int) -> str | None:
    """Return why this number of paragraphs is part of no shape."""
    prefix = f"with {count} paragraph{'s' if count > 1 else ''} "
    if fault := _order_fault(demands, count):
        return prefix + fault
    sizes = sizes_of(demands, count)
    if sizes is None:
        return f"{prefix}of {_words(demands.paragraph_words)} each, the asked order of their sizes is impossible"
    needed = sum(size.low for size in sizes)
    per_sentence = demands.sentence_words.high
    sentences = sum(-(-size.low // per_sentence) for size in sizes)
    if demands.lines is not None:
        needed, sentences = _with_lines(demands, count, needed, sentences)
    words = needed + demands.items + demands.heading_words + demands.titled
    if words > demands.words.high:
        return f"{prefix}at least {words} words are needed; {demands.words.high} are the most"
    if sentences + demands.items > demands.sentences.high:
        parts = f"{sentences} in paragraphs and {demands.items} in lists"
        return f"{prefix}at least {sentences + demands.items} sentences are needed ({parts}); " + (
            f"{demands.sentences.high} are the most"
        )
    return _line_fault(demands, count, prefix)


def _order_fault(demands: Demands, count: int) -> str | None:
    longest, shortest = demands.longest, demands.shortest
    if len(longest) > 1 or len(shortest) > 1:
        return "two different ones would be strictly the longest or shortest"
    if set(longest) & set(shortest) or any(nth >= count for nth in (*longest, *shortest)):
        return "the longest or shortest one is not there or would be both"
    if demands.rising and ((longest and longest[0] != count - 1) or (shortest and shortest[0] != 0)):
        return "rising in size, the longest can only be the last and the shortest only the first"
    return None


def sizes_of(demands: Demands, count: int, bases: list[Range] | None = None) -> list[Range] | None:
    """Return the words that each paragraph may have, from the range of each alone and their order; None if none fit."""
    sizes = bases or [demands.paragraph_words] * count
    if bases is None and demands.lines is not None:
        sizes = [sizes[0].meet(demands.lines.long), *sizes[1:]]
    lows, highs = [size.low for size in sizes], [size.high for size in sizes]
    for _ in range(2):
        for index in range(1, count if demands.rising else 0):
            lows[index] = max(lows[index], lows[index - 1] + 1)
            highs[-index - 1] = min(highs[-index - 1], highs[-index] - 1)
        for nth in demands.shortest:
            lows = [low if i == nth else max(low, lows[nth] + 1) for i, low in enumerate(lows)]
            highs[nth] = min(highs[nth], min((high for i, high in enumerate(highs) if i != nth), default=MANY) - 1)
        for nth in demands.longest:
            lows[nth] = max(lows[nth], max((low for i, low in enumerate(lows) if i != nth), default=0) + 1)
            highs = [high if i == nth else min(high, highs[nth] - 1) for i, high in enumerate(highs)]
    found = [Range(low, high) for low, high in zip(lows, highs, strict=True)]
    return found if all(size.low <= size.high for size in found) else None


def _with_lines(demands: Demands, count: int, words: int, sentences: int) -> tuple[int, int]:
    """Return the fewest words and sentences where lines alternate."""
    assert demands.lines is not None
    fewest = max(demands.lines.fewest, count)
    long, short = (fewest + 1) // 2, fewest // 2
    in_long = -(-demands.lines.long // demands.sentence_words.high)
    return max(words, long * demands.lines.long + short), max(sentences, long * in_long + short)


def _line_fault(demands: Demands, count: int, prefix: str) -> str | None:
    if demands.lines is None:
        return None
    fewest = max(demands.lines.fewest, count)
    words = (fewest + 1) // 2 * demands.lines.long + fewest // 2
    if words > count * demands.paragraph_words.high:
        return f"{prefix}of {_words(demands.paragraph_words)} each, {fewest} alternating lines do not fit"
    return None


def _words(bounds: Range) -> str:
    return f"{bounds.low} to {bounds.high} words" if bounds.high < MANY else f"{bounds.low} or more words"
