"""More wrong texts, beside those of `mutants`: what F01, F04 and F05 must not let through, and the rest of F02's.

Edits of a text change its blocks; edits of a legend change what its codes are called, and the text with it. An operator
returns nothing where it does not apply, or where the same edit of the record would leave it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import msgspec

from audits import mutants
from audits.mutants import Mark, Right, marks, settings, tallies
from engine.public import Legend
from engine.randomness import Stream

Group = Literal["N", "A", "E", "B", "O", "Q", "T", "L"]
Blocks = tuple[str, ...]
Edit = Callable[[str, Right, Stream], "str | None"]


class Mutant(NamedTuple):
    """A wrong text."""

    group: Group
    operator: str
    rule: str
    """The rule that must find it."""
    blocks: Blocks
    legend: Legend


def _any_case(right: Right, stream: Stream) -> int:
    return 1 + stream.below(len(right.blocks) - 2)


def _with(blocks: Blocks, at: int, block: str) -> Blocks:
    return (*blocks[:at], block, *blocks[at + 1 :])


def _put(block: str, mark: Mark, text: str) -> str:
    return block[: mark.start] + text + block[mark.end :]


def _of_kind(block: str, legend: Legend, kind: str) -> list[Mark]:
    return [mark for mark in marks(block, legend) if mark.kind == kind]


# Numbers, attributes, events, blocks ----------------------------------------------------------------------------------


def _trials_less(block: str, right: Right, stream: Stream) -> str:
    mark = tallies(block, right.legend)[0]
    return _put(block, mark, str(int(mark.text) - 1))


def _digits_transposed(block: str, right: Right, stream: Stream) -> str | None:
    long = [mark for mark in tallies(block, right.legend) if len(mark.text) > 1 and mark.text[0] != mark.text[1]]
    if not long:
        return None
    mark = stream.choice(long)
    return _put(block, mark, mark.text[1] + mark.text[0] + mark.text[2:])


def _value_one_more(block: str, right: Right, stream: Stream) -> str | None:
    numeric = [value for _, value in settings(block, right.legend) if value.kind == "number"]
    if not numeric:
        return None
    mark = stream.choice(numeric)
    return _put(block, mark, str(int(mark.text) + stream.choice((-1, 1))))


def _values_swapped(block: str, right: Right, stream: Stream) -> str | None:
    pairs = [value for _, value in settings(block, right.legend)]
    unequal = [(a, b) for a in pairs for b in pairs if a.start < b.start and a.text.lower() != b.text.lower()]
    if not unequal:
        return None
    one, other = stream.choice(unequal)
    return _put(_put(block, other, one.text), one, other.text)


def _attribute_renamed(block: str, right: Right, stream: Stream) -> str:
    name, _ = stream.choice(settings(block, right.legend))
    return _put(block, name, "thing")


def _turned_by_a_cue(block: str, right: Right, stream: Stream) -> str | None:
    """Tell two neighbours the other way round with "after" between them: the order of mention lies."""
    told = _of_kind(block, right.legend, "event")
    if len(told) < 2:
        return None
    one, other = told[-2], told[-1]
    return block[: one.start] + f"{other.text} after {one.text}" + block[other.end :]


def _sentence_over_the_border(right: Right, stream: Stream) -> Blocks:
    """Move the end of one block to the front of the next."""
    at = _any_case(right, stream)
    head, space, tail = right.blocks[at].rpartition(" ")
    return _with(_with(right.blocks, at, head), at + 1, f"{tail}{space}{right.blocks[at + 1]}")


# The query told as history --------------------------------------------------------------------------------------------


def _as_history(right: Right, stream: Stream, *, shuffled: bool) -> Blocks:
    """Tell the query, in its order or another, as if it had been tried, in place of a case."""
    at = _any_case(right, stream)
    query, block = right.payload.query_case, right.blocks[at]
    names = {item.code: item.name for item in right.legend.events}
    events = stream.shuffled(query.events) if shuffled else query.events
    told = _of_kind(block, right.legend, "event")
    block = block[: told[0].start] + " then ".join(names[event] for event in events) + block[told[-1].end :]
    return _with(right.blocks, at, _at_query_values(block, right))


def _at_query_values(block: str, right: Right) -> str:
    """Set every attribute of a block to the query's value."""
    asked = {setting.name: setting.value for setting in right.payload.query_case.attributes}
    named = {item.name: item for item in right.legend.attributes}
    for name, value in sorted(settings(block, right.legend), key=lambda pair: pair[1].start, reverse=True):
        item = named[name.text.lower()]
        words = {one.code: one.name for one in item.values}
        block = _put(block, value, words.get(str(asked[item.code]), str(asked[item.code])))
    return block


def _history_in_the_introduction(right: Right, stream: Stream) -> Blocks:
    names = {item.code: item.name for item in right.legend.events}
    told = " then ".join(names[event] for event in right.payload.query_case.events)
    return _with(right.blocks, 0, f"{right.blocks[0]} The book lists {told}.")


# Texts that say more --------------------------------------------------------------------------------------------------

LAWS = (
    "It always ends alike.",
    "The one prevents the other.",
    "This must cause it.",
    "That happens only if both are set.",
)
HEDGES = ("reliably", "usually", "mostly", "rarely", "almost")
SHARES = ("That is 50 percent.", "The probability is small.", "So the chance is even.", "That makes 90 %.")
INTERNALS = ("A flag was set.", "This trips a veto.", "The hidden rule holds.", "It is a trigger.")
WORLDLY = ("Metal expands in warm air.", "Such birds sleep in winter.", "Everybody knows that salt melts ice.")
EMPHASIS = ("Watch this closely!", "NOTE the odd ones.", "Pay heed to *some* entries.", "Mind the surprising entries.")
CERTAIN = ("In every single run it was so.", "It never failed to.", "Each time it was the same.")


def _appended(texts: tuple[str, ...]) -> Edit:
    return lambda block, right, stream: f"{block} {stream.choice(texts)}"


def _law_in_place(block: str, right: Right, stream: Stream) -> str:
    """Put a law where the block's own words were."""
    name = stream.choice(_of_kind(block, right.legend, "event"))
    return _put(block, name, f"{name.text}, which causes it,")


def _hedge_beside_a_count(block: str, right: Right, stream: Stream) -> str:
    mark = stream.choice(tallies(block, right.legend)[1:])
    return _put(block, mark, f"{stream.choice(HEDGES)} {mark.text}")


def _collapsed(block: str, right: Right, stream: Stream) -> str:
    """Turn a repeated experiment into one certain sentence."""
    told = ", then ".join(mark.text for mark in _of_kind(block, right.legend, "event"))
    return f"With {told} {right.legend.record} is {stream.choice(right.legend.outcomes).name}."


def _answer_stated(right: Right, stream: Stream) -> Blocks:
    at = stream.choice((0, len(right.blocks) - 1))
    word = stream.choice(right.legend.outcomes).name
    return _with(right.blocks, at, f"{right.blocks[at]} Here {right.legend.record} is {word}.")


def _emphasis(right: Right, stream: Stream) -> Blocks:
    return _with(right.blocks, 0, f"{right.blocks[0]} {stream.choice(EMPHASIS)}")


def _phrase_changed(right: Right, stream: Stream) -> Blocks:
    """Call one event otherwise in one block."""
    at = _any_case(right, stream)
    name = stream.choice(_of_kind(right.blocks[at], right.legend, "event"))
    return _with(right.blocks, at, _put(right.blocks[at], name, f"{name.text}like"))


def _on_case(edit: Edit) -> Callable[[Right, Stream], Blocks | None]:
    def operate(right: Right, stream: Stream) -> Blocks | None:
        at = _any_case(right, stream)
        block = edit(right.blocks[at], right, stream)
        return None if block is None else _with(right.blocks, at, block)

    return operate


TEXTS: tuple[tuple[Group, str, str, Callable[[Right, Stream], Blocks | None]], ...] = (
    ("N", "trials - 1", "F02", _on_case(_trials_less)),
    ("N", "digits transposed", "F02", _on_case(_digits_transposed)),
    ("A", "numeric value one more or less", "F02", _on_case(_value_one_more)),
    ("A", "two values swapped in a block", "F02", _on_case(_values_swapped)),
    ("A", "attribute phrase replaced", "F02", _on_case(_attribute_renamed)),
    ("E", "order turned by a cue", "F05", _on_case(_turned_by_a_cue)),
    ("B", "end of a block moved over its border", "F02", _sentence_over_the_border),
    ("Q", "query told as history", "F04", lambda right, stream: _as_history(right, stream, shuffled=False)),
    ("Q", "query's events told as history in another order", "F04",
     lambda right, stream: _as_history(right, stream, shuffled=True)),
    ("Q", "query told as history in the introduction", "F04", _history_in_the_introduction),
    ("T", "law appended", "F05", _on_case(_appended(LAWS))),
    ("T", "law in place", "F05", _on_case(_law_in_place)),
    ("T", "hedge beside a count", "F05", _on_case(_hedge_beside_a_count)),
    ("T", "probability or percent", "F05", _on_case(_appended(SHARES))),
    ("T", "internal name", "F05", _on_case(_appended(INTERNALS))),
    ("T", "real-world claim", "F05", _on_case(_appended(WORLDLY))),
    ("T", "emphasis in the introduction", "F05", _emphasis),
    ("T", "answer stated", "F05", _answer_stated),
    ("T", "certainty appended", "F05", _on_case(_appended(CERTAIN))),
    ("T", "repetition collapsed to a certain sentence", "F02", _on_case(_collapsed)),
    ("L", "phrase changed in one block", "F05", _phrase_changed),
)  # fmt: skip
"""Group, operator, rule that must find it. One more for each real miss, none ever less."""


# Legends --------------------------------------------------------------------------------------------------------------

HINTS = ("starter", "blocker", "final", "opener", "second", "remover", "lucky", "weak")


def _renamed_event(legend: Legend, at: int, name: str) -> Legend:
    item = msgspec.structs.replace(legend.events[at], name=name)
    return msgspec.structs.replace(legend, events=(*legend.events[:at], item, *legend.events[at + 1 :]))


def _one_phrase_for_two(legend: Legend, stream: Stream) -> Legend:
    one, other = stream.sample(range(len(legend.events)), 2)
    return _renamed_event(legend, one, legend.events[other].name)


def _phrase_in_phrase(legend: Legend, stream: Stream) -> Legend:
    one, other = stream.sample(range(len(legend.events)), 2)
    return _renamed_event(legend, one, f"{legend.events[other].name}{stream.choice(('s', ' bar', 'let'))}")


def _hinting_name(legend: Legend, stream: Stream) -> Legend:
    return _renamed_event(legend, stream.below(len(legend.events)), stream.choice(HINTS))


def _name_with_a_digit(legend: Legend, stream: Stream) -> Legend:
    at = stream.below(len(legend.events))
    return _renamed_event(legend, at, f"{legend.events[at].name} {1 + stream.below(9)}")


def _law_as_outcome(legend: Legend, stream: Stream) -> Legend:
    present, absent = legend.outcomes
    word = stream.choice(("prevented", "caused", "always on", "vetoed"))
    return msgspec.structs.replace(legend, outcomes=(msgspec.structs.replace(present, name=word), absent))


def _code_left_out(legend: Legend, stream: Stream) -> Legend:
    at = stream.below(len(legend.events))
    return msgspec.structs.replace(legend, events=(*legend.events[:at], *legend.events[at + 1 :]))


LEGENDS: tuple[tuple[str, Callable[[Legend, Stream], Legend]], ...] = (
    ("two codes, one phrase", _one_phrase_for_two),
    ("phrase inside another", _phrase_in_phrase),
    ("hint at a role, order or valence", _hinting_name),
    ("digit in a phrase", _name_with_a_digit),
    ("law as an outcome", _law_as_outcome),
    ("code without a phrase", _code_left_out),
)


def all_mutants(right: Right, stream: Stream) -> Iterator[Mutant]:
    """Yield one mutant an operator, of both lists, where the operator applies."""
    for group, name, blocks in mutants.mutants(right, stream):
        yield Mutant(group, name, "F03" if group == "Q" else "F02", blocks, right.legend)
    for kind, name, rule, operate in TEXTS:
        edited = operate(right, stream)
        if edited is not None and edited != right.blocks:
            yield Mutant(kind, name, rule, edited, right.legend)
    for name, spoil in LEGENDS:
        yield Mutant("L", name, "F01", right.blocks, spoil(right.legend, stream))


def operators() -> list[tuple[Group, str]]:
    """Return every operator of both lists."""
    listed: list[tuple[Group, str]] = [(group, name) for group, name, _ in mutants.OPERATORS]
    return [*listed, *((group, name) for group, name, _, _ in TEXTS), *(("L", name) for name, _ in LEGENDS)]
