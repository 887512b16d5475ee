"""A JSON object as a witness: keys as asked, values filled with words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engine.instruction_adherence.constraint import Constraint, nfc
from engine.instruction_adherence.constraints.lexical import ExactPhrase, WordExactK
from engine.instruction_adherence.demands import Demands, of_kind
from engine.instruction_adherence.filling import Filler
from engine.instruction_adherence.layout import FEWEST_WORDS
from engine.instruction_adherence.placing import NoRoom
from engine.instruction_adherence.text import Reading, folded
from engine.randomness import Stream


def object_text(
    constraints: Sequence[Constraint], demands: Demands, keywords: Sequence[str], filler: Filler, stream: Stream
) -> str:
    """Return the object; its words keep to the range, and every required text is in one of the values.

    Raises:
        NoRoom: the required texts are too long.
    """
    in_keys = Reading("\n".join(demands.keys)).words
    chunks = _chunks(constraints, keywords, in_keys)
    used = len(in_keys) + sum(len(Reading(chunk).words) for chunk in chunks)
    if used > demands.words.high:
        raise NoRoom("keys")
    low = max(demands.words.low, FEWEST_WORDS, used)
    goal = min(low + stream.below(12), demands.words.high)
    chunks += [filler.take() for _ in range(max(goal - used, len(demands.keys) - len(chunks), 0))]
    values: list[list[str]] = [[] for _ in demands.keys]
    for index, chunk in enumerate(stream.shuffled(chunks)):
        values[index % len(values)].append(chunk)
    return json.dumps(
        {key: " ".join(value) for key, value in zip(demands.keys, values, strict=True)}, ensure_ascii=False
    )


def _chunks(constraints: Sequence[Constraint], keywords: Sequence[str], in_keys: Sequence[str]) -> list[str]:
    phrases = [nfc(c.phrase) for c in of_kind(constraints, ExactPhrase)]
    present = [*in_keys, *(word for phrase in phrases for word in Reading(phrase).words)]
    counted = {folded(c.word): c.k for c in of_kind(constraints, WordExactK)}
    found = list(phrases)
    for word, uses in counted.items():
        if present.count(word) > uses:
            raise NoRoom(word)
        found += [word] * (uses - present.count(word))
    return found + [word for word in keywords if word not in counted and word not in present]
