"""Wrong texts made from right ones: what F02 and F03 must not let through.

An operator changes the blocks of a right text in one way and returns nothing where that way does not exist, or where
the same edit of the record would leave it as it is (two equal counts swapped). Operators know names and numbers and
where they stand, not the frames of a domain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from engine.hidden_systems.behavior import PublicPayload
from engine.public import Legend
from engine.randomness import Stream

Kind = Literal["event", "attribute", "value", "outcome", "number"]
Group = Literal["N", "A", "E", "B", "O", "Q"]


class Mark(NamedTuple):
    """A name or number in a block."""

    kind: Kind
    text: str
    start: int
    end: int
    attribute: str = ""
    """For a value name, its attribute's."""


@dataclass(frozen=True, kw_only=True)
class Right:
    """A right text, cut into blocks."""

    payload: PublicPayload
    legend: Legend
    blocks: tuple[str, ...]


Blocks = tuple[str, ...]
Operator = Callable[[Right, Stream], "Blocks | None"]


def marks(block: str, legend: Legend) -> list[Mark]:
    """Return the names and numbers of a block in order of mention."""
    words = _words(legend)
    found = []
    for match in words.pattern.finditer(block):
        kind, attribute = words.kinds.get(match.group().lower(), ("number", ""))
        found.append(Mark(kind, match.group(), *match.span(), attribute))
    return found


class _Words(NamedTuple):
    pattern: re.Pattern[str]
    kinds: Mapping[str, tuple[Kind, str]]


@lru_cache(maxsize=256)
def _words(legend: Legend) -> _Words:
    kinds: dict[str, tuple[Kind, str]] = {item.name: ("event", "") for item in legend.events}
    kinds |= {item.name: ("outcome", "") for item in legend.outcomes}
    for attribute in legend.attributes:
        kinds[attribute.name] = ("attribute", "")
        kinds |= {value.name: ("value", attribute.name) for value in attribute.values}
    names = "|".join(rf"\b{re.escape(name)}\b" for name in sorted(kinds, key=len, reverse=True))
    return _Words(re.compile(rf"(?i:{names})|\d+"), kinds)


def settings(block: str, legend: Legend) -> list[tuple[Mark, Mark]]:
    """Return attribute and value of each setting of a block, as they stand."""
    numeric = {attribute.name for attribute in legend.attributes if not attribute.values}
    found = marks(block, legend)
    pairs = []
    for at, mark in enumerate(found):
        if mark.kind == "attribute" and mark.text.lower() in numeric:
            pairs.append((mark, found[at + 1]))
        elif mark.kind == "attribute":
            beside = [found[place] for place in (at - 1, at + 1) if 0 <= place < len(found)]
            pairs.append((mark, next(one for one in beside if one.attribute == mark.text.lower())))
    return pairs


def tallies(block: str, legend: Legend) -> list[Mark]:
    """Return the numbers of a case block that are no attribute values: trials, then the two counts as told."""
    taken = {value.start for _, value in settings(block, legend)}
    return [mark for mark in marks(block, legend) if mark.kind == "number" and mark.start not in taken]


def _events(block: str, legend: Legend) -> list[Mark]:
    return [mark for mark in marks(block, legend) if mark.kind == "event"]


# Edits --------------------------------------------------------------------------------------------------------------


def _put(block: str, edits: Sequence[tuple[Mark, str]]) -> str:
    """Replace marks by texts."""
    for mark, text in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        block = block[: mark.start] + text + block[mark.end :]
    return block


def _exchanged(block: str, one: Mark, other: Mark) -> str:
    return _put(block, [(one, other.text), (other, one.text)])


def _with(blocks: Blocks, at: int, block: str) -> Blocks:
    return (*blocks[:at], block, *blocks[at + 1 :])


def _any_case(right: Right, stream: Stream) -> int:
    return 1 + stream.below(len(right.payload.support_cases))


def _on_case(edit: Callable[[str, Right, Stream], str | None]) -> Operator:
    """Return the operator that edits one random case block."""

    def operate(right: Right, stream: Stream) -> Blocks | None:
        at = _any_case(right, stream)
        block = edit(right.blocks[at], right, stream)
        return None if block is None else _with(right.blocks, at, block)

    return operate


def _on_query(edit: Callable[[str, Right, Stream], str | None]) -> Operator:
    def operate(right: Right, stream: Stream) -> Blocks | None:
        block = edit(right.blocks[-1], right, stream)
        return None if block is None else _with(right.blocks, len(right.blocks) - 1, block)

    return operate


def _number_changed(which: int, by: int) -> Callable[[str, Right, Stream], str]:
    def edit(block: str, right: Right, stream: Stream) -> str:
        mark = tallies(block, right.legend)[which]
        return _put(block, [(mark, str(abs(int(mark.text) + by)))])

    return edit


def _count_shifted(block: str, right: Right, stream: Stream) -> str:
    """Move one trial from one outcome to the other: the sum still holds."""
    _, one, other = tallies(block, right.legend)
    less, more = (one, other) if int(one.text) else (other, one)
    return _put(block, [(less, str(int(less.text) - 1)), (more, str(int(more.text) + 1))])


def _counts_swapped(block: str, right: Right, stream: Stream) -> str | None:
    _, one, other = tallies(block, right.legend)
    return None if one.text == other.text else _exchanged(block, one, other)


def _digit_dropped(block: str, right: Right, stream: Stream) -> str | None:
    long = [mark for mark in tallies(block, right.legend) if len(mark.text) > 1]
    if not long:
        return None
    mark = stream.choice(long)
    return _put(block, [(mark, mark.text[:-1])])


def _count_in_words(block: str, right: Right, stream: Stream) -> str:
    return _put(block, [(tallies(block, right.legend)[1], "several")])


def _counts_between_blocks(right: Right, stream: Stream) -> Blocks | None:
    one, other = stream.sample(range(1, len(right.blocks) - 1), 2)
    left, side = (tallies(right.blocks[at], right.legend)[1:] for at in (one, other))
    if [mark.text for mark in left] == [mark.text for mark in side]:
        return None
    blocks = _with(right.blocks, one, _put(right.blocks[one], [(m, s.text) for m, s in zip(left, side, strict=True)]))
    return _with(blocks, other, _put(right.blocks[other], [(s, m.text) for m, s in zip(left, side, strict=True)]))


def _value_changed(block: str, right: Right, stream: Stream) -> str:
    """Set one attribute to another value of its range."""
    name, value = stream.choice(settings(block, right.legend))
    return _put(block, [(value, stream.choice(_other_values(name, value, right)))])


def _other_values(name: Mark, value: Mark, right: Right) -> list[str]:
    [attribute] = [item for item in right.legend.attributes if item.name == name.text.lower()]
    [attribute_range] = [item for item in right.payload.attribute_vocabulary if item.name == attribute.code]
    told = [item.name for item in attribute.values] or [str(number) for number in attribute_range.values]
    return [one for one in told if one != value.text.lower()]


def _setting_omitted(block: str, right: Right, stream: Stream) -> str:
    return _put(block, [(mark, "") for mark in stream.choice(settings(block, right.legend))])


def _value_between_blocks(right: Right, stream: Stream) -> Blocks | None:
    one, other = stream.sample(range(1, len(right.blocks) - 1), 2)
    (name, value), *_ = settings(right.blocks[one], right.legend)
    for twin, elsewhere in settings(right.blocks[other], right.legend):
        if twin.text.lower() == name.text.lower() and elsewhere.text.lower() != value.text.lower():
            blocks = _with(right.blocks, one, _put(right.blocks[one], [(value, elsewhere.text)]))
            return _with(blocks, other, _put(right.blocks[other], [(elsewhere, value.text)]))
    return None


def _neighbours_swapped(block: str, right: Right, stream: Stream) -> str | None:
    told = _events(block, right.legend)
    if len(told) < 2:
        return None
    at = stream.below(len(told) - 1)
    return _exchanged(block, told[at], told[at + 1])


def _reversed(block: str, right: Right, stream: Stream) -> str | None:
    told = _events(block, right.legend)
    if len(told) < 2:
        return None
    return _put(block, [(mark, other.text) for mark, other in zip(told, reversed(told), strict=True)])


def _event_omitted(block: str, right: Right, stream: Stream) -> str:
    return _put(block, [(stream.choice(_events(block, right.legend)), "")])


def _event_duplicated(block: str, right: Right, stream: Stream) -> str:
    mark = stream.choice(_events(block, right.legend))
    return _put(block, [(mark, f"{mark.text}, {mark.text}")])


def _event_replaced(block: str, right: Right, stream: Stream) -> str:
    mark = stream.choice(_events(block, right.legend))
    others = [item.name for item in right.legend.events if item.name != mark.text.lower()]
    return _put(block, [(mark, stream.choice(others))])


def _block_omitted(right: Right, stream: Stream) -> Blocks:
    at = _any_case(right, stream)
    return (*right.blocks[:at], *right.blocks[at + 1 :])


def _block_duplicated(right: Right, stream: Stream) -> Blocks:
    at = _any_case(right, stream)
    return (*right.blocks[:at], right.blocks[at], *right.blocks[at:])


def _blocks_swapped(right: Right, stream: Stream) -> Blocks | None:
    one, other = stream.sample(range(1, len(right.blocks) - 1), 2)
    said = [_record(right, at) for at in (one, other)]
    if said[0] == said[1]:
        return None
    return _with(_with(right.blocks, one, right.blocks[other]), other, right.blocks[one])


def _record(right: Right, at: int) -> tuple[object, ...]:
    case = right.payload.support_cases[at - 1]
    return (case.events, case.attributes, case.observed_present)


def _blocks_merged(right: Right, stream: Stream) -> Blocks:
    at = 1 + stream.below(len(right.payload.support_cases) - 1)
    return (*right.blocks[:at], f"{right.blocks[at]} {right.blocks[at + 1]}", *right.blocks[at + 2 :])


def _outcomes_exchanged(block: str, right: Right, stream: Stream) -> str | None:
    told = [mark for mark in marks(block, right.legend) if mark.kind == "outcome"]
    counts = tallies(block, right.legend)[1:]
    if counts and counts[0].text == counts[1].text:
        return None
    words = {
        item.name: other.name for item, other in zip(right.legend.outcomes, right.legend.outcomes[::-1], strict=True)
    }
    return _put(block, [(mark, words[mark.text.lower()]) for mark in told])


def _outcomes_exchanged_throughout(right: Right, stream: Stream) -> Blocks:
    edited = [_outcomes_exchanged(block, right, stream) or block for block in right.blocks[1:-1]]
    return (right.blocks[0], *edited, right.blocks[-1])


def _number_added(block: str, right: Right, stream: Stream) -> str:
    return f"{block} It was noted {1 + stream.below(60)} times."


def _outcome_lost(block: str, right: Right, stream: Stream) -> str:
    word = stream.choice(right.legend.outcomes).name
    return _put(block, [(mark, "so") for mark in marks(block, right.legend) if mark.text.lower() == word])


OPERATORS: tuple[tuple[Group, str, Operator], ...] = (
    ("N", "count + 1", _on_case(_number_changed(1, 1))),
    ("N", "count - 1", _on_case(_number_changed(2, -1))),
    ("N", "one trial moved to the other outcome", _on_case(_count_shifted)),
    ("N", "outcome counts swapped in a block", _on_case(_counts_swapped)),
    ("N", "counts swapped between blocks", _counts_between_blocks),
    ("N", "trials + 1", _on_case(_number_changed(0, 1))),
    ("N", "digit dropped", _on_case(_digit_dropped)),
    ("N", "count replaced by a word", _on_case(_count_in_words)),
    ("A", "attribute value changed", _on_case(_value_changed)),
    ("A", "attribute omitted", _on_case(_setting_omitted)),
    ("A", "value swapped between blocks", _value_between_blocks),
    ("E", "neighbours swapped", _on_case(_neighbours_swapped)),
    ("E", "sequence reversed", _on_case(_reversed)),
    ("E", "event omitted", _on_case(_event_omitted)),
    ("E", "event duplicated", _on_case(_event_duplicated)),
    ("E", "event replaced", _on_case(_event_replaced)),
    ("B", "block omitted", _block_omitted),
    ("B", "block duplicated", _block_duplicated),
    ("B", "blocks swapped", _blocks_swapped),
    ("B", "blocks merged", _blocks_merged),
    ("O", "outcome words exchanged in one block", _on_case(_outcomes_exchanged)),
    ("O", "outcome words exchanged throughout", _outcomes_exchanged_throughout),
    ("Q", "query order changed", _on_query(_neighbours_swapped)),
    ("Q", "query attribute changed", _on_query(_value_changed)),
    ("Q", "query attribute omitted", _on_query(_setting_omitted)),
    ("Q", "query event omitted", _on_query(_event_omitted)),
    ("Q", "number added to the query", _on_query(_number_added)),
    ("Q", "outcome word lost from the query", _on_query(_outcome_lost)),
)
"""The frozen list; one more for each real miss, none ever less."""


def mutants(right: Right, stream: Stream) -> Iterator[tuple[Group, str, Blocks]]:
    """Yield one mutant an operator, where the operator applies."""
    for group, name, operate in OPERATORS:
        blocks = operate(right, stream)
        if blocks is not None:
            yield group, name, blocks
