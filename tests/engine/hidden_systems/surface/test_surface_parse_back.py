"""Reading a rendering back: the identity on renderings, and what is noticed on all other texts."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import FidelityError
from engine.hidden_systems.behavior import AttributeSetting, PublicPayload
from engine.hidden_systems.surface.domain import domain_names
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.template import BORDER, Rendering, render
from engine.public import Legend, Name

Edit = Callable[[list[str], Legend], list[str]]


@given(data=st.data())
@settings(deadline=None)
def test_every_rendering_reads_back_to_its_payload(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        rendering = render(payload, name)
        assert parse_back(rendering.text, rendering.legend) == payload


def swap_words(text: str, one: str, other: str) -> str:
    """Exchange two words, whatever case they stand in."""
    marked = re.sub(rf"\b{one}\b", "\0", text, flags=re.IGNORECASE)
    return re.sub(rf"\b{other}\b", one, marked, flags=re.IGNORECASE).replace("\0", other)


def replace_word(text: str, old: str, new: str) -> str:
    return re.sub(rf"(?<!\w){old}(?!\w)", new, text, count=1, flags=re.IGNORECASE)


def event(legend: Legend, code: str) -> str:
    return next(item.name for item in legend.events if item.code == code)


def value(legend: Legend, code: str) -> str:
    return next(item.name for item in legend.attributes[1].values if item.code == code)


def outcomes_exchanged(text: str, legend: Legend) -> str:
    return swap_words(text, legend.outcomes[0].name, legend.outcomes[1].name)


def outcome_lost(word: str) -> Callable[[str, Legend], str]:
    """Return an edit that puts a word for the outcome word of PRESENT; ABSENT stands for the other outcome word."""

    def edited(text: str, legend: Legend) -> str:
        present, absent = (item.name for item in legend.outcomes)
        return re.sub(rf"\b{present}\b", absent if word == "ABSENT" else word, text, flags=re.IGNORECASE)

    return edited


def in_block(at: int, edit: Callable[[str, Legend], str]) -> Edit:
    """Return an edit of one block; -1 is the question."""

    def edited(blocks: list[str], legend: Legend) -> list[str]:
        place = at % len(blocks)
        return [*blocks[:place], edit(blocks[place], legend), *blocks[place + 1 :]]

    return edited


def words_to(*pairs: tuple[str, str]) -> Callable[[str, Legend], str]:
    def edited(text: str, legend: Legend) -> str:
        for old, new in pairs:
            text = replace_word(text, old, new)
        return text

    return edited


def event_to(old: str, *new: str) -> Callable[[str, Legend], str]:
    return lambda text, legend: replace_word(text, event(legend, old), ", ".join(event(legend, code) for code in new))


def events_swapped(one: str, other: str) -> Callable[[str, Legend], str]:
    return lambda text, legend: swap_words(text, event(legend, one), event(legend, other))


def value_to(old: str, new: str) -> Callable[[str, Legend], str]:
    """Return an edit that puts another value's name, or a word that is none, for a value's name."""
    return lambda text, legend: replace_word(text, value(legend, old), value(legend, new) if new[0] == "V" else new)


def counts_swapped(text: str, legend: Legend) -> str:
    return swap_words(text, "12", "36")


EDITS: dict[str, Edit] = {
    "count plus one": in_block(1, words_to(("12", "13"))),
    "other count minus one": in_block(1, words_to(("36", "35"))),
    "both counts moved": in_block(1, words_to(("12", "13"), ("36", "35"))),
    "counts swapped": in_block(1, counts_swapped),
    "trials plus one": in_block(1, words_to(("48", "49"))),
    "trials and count plus one": in_block(1, words_to(("48", "49"), ("12", "13"))),
    "digit dropped": in_block(1, words_to(("36", "6"))),
    "count in vague words": in_block(1, words_to(("12", "dozens"))),
    "outcomes exchanged in a block": in_block(1, outcomes_exchanged),
    "outcomes exchanged throughout": lambda blocks, legend: [outcomes_exchanged(block, legend) for block in blocks],
    "outcome word twice": in_block(1, outcome_lost("ABSENT")),
    "block omitted": lambda blocks, legend: [*blocks[:2], *blocks[3:]],
    "block duplicated": lambda blocks, legend: [*blocks[:2], *blocks[1:]],
    "blocks swapped": lambda blocks, legend: [blocks[0], blocks[2], blocks[1], *blocks[3:]],
    "blocks merged": lambda blocks, legend: [blocks[0], f"{blocks[1]} {blocks[2]}", *blocks[3:]],
    "block told for another": lambda blocks, legend: [blocks[0], blocks[1], blocks[1], *blocks[3:]],
    "blocks merged unannounced": lambda blocks, legend: [
        replace_word(blocks[0], "4", "3"), f"{blocks[1]} {blocks[2]}", *blocks[3:]
    ],
    "intro omitted": lambda blocks, legend: blocks[1:],
    "question omitted": lambda blocks, legend: blocks[:-1],
    "question told as history": lambda blocks, legend: [*blocks, blocks[-1]],
    "number changed": in_block(1, words_to(("7", "9"))),
    "number outside the range": in_block(1, words_to(("7", "8"))),
    "number omitted": in_block(1, words_to(("7", ""))),
    "value name changed": in_block(1, value_to("V1", "V2")),
    "value name unknown": in_block(1, value_to("V1", "plaid")),
    "second value added": in_block(1, lambda text, legend: f"{text} It was {value(legend, 'V2')}."),
    "attribute omitted": in_block(1, lambda text, legend: replace_word(text, legend.attributes[0].name, "")),
    "attributes exchanged": in_block(
        1, lambda text, legend: swap_words(text, legend.attributes[0].name, legend.attributes[1].name)
    ),
    "neighbours swapped": in_block(2, events_swapped("E2", "E3")),
    "event omitted": in_block(2, event_to("E2")),
    "only event omitted": in_block(1, event_to("E1")),
    "event replaced": in_block(1, event_to("E1", "E4")),
    "event duplicated": in_block(1, event_to("E1", "E1", "E1")),
    "question order changed": in_block(-1, events_swapped("E4", "E1")),
    "question attribute changed": in_block(-1, words_to(("5", "7"))),
    "number added to the question": in_block(-1, lambda text, legend: f"{text} It was seen 12 times."),
    "number word added to the question": in_block(-1, lambda text, legend: f"{text} It was seen twelve times."),
    "outcome lost in the question": in_block(-1, outcome_lost("so")),
    "fewer cases announced": in_block(0, words_to(("4", "3"))),
    "other trials announced": in_block(0, words_to(("48", "64"))),
    "event not announced": in_block(0, event_to("E3")),
    "vocabulary reordered": in_block(0, events_swapped("E3", "E1")),
    "range value lost": in_block(0, lambda text, legend: text.replace("3, 5, 7 or 9", "3, 7 or 9")),
    "range value added": in_block(0, lambda text, legend: text.replace("3, 5, 7 or 9", "3, 5, 6, 7 or 9")),
    "range value name lost": in_block(0, value_to("V2", "plaid")),
    "attribute announced twice": in_block(0, lambda text, legend: f"{text} The {legend.attributes[0].name} is 3."),
    "value without attribute announced": in_block(0, lambda text, legend: f"{text} It was {value(legend, 'V1')}."),
    "ranges run together": in_block(0, lambda text, legend: ",".join(text.rsplit(";", 1))),
    "intro begins otherwise": in_block(0, outcomes_exchanged),
    "number added to the intro": in_block(0, lambda text, legend: f"{text} It took 9 years."),
    "attribute not announced": in_block(0, lambda text, legend: replace_word(text, legend.attributes[0].name, "")),
    "line break in a block": in_block(1, lambda text, legend: text.replace(" ", "\n", 1)),
    "empty block": in_block(1, lambda text, legend: ""),
}  # fmt: skip


def reading(text: str, legend: Legend) -> PublicPayload | None:
    """Return what a text is read as; None if it is refused."""
    try:
        return parse_back(text, legend)
    except FidelityError:
        return None


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_text_never_reads_as_the_payload(edit: Edit, small: PublicPayload) -> None:
    for name in domain_names():
        rendering = render(small, name)
        edited = BORDER.join(edit(list(rendering.blocks), rendering.legend))
        assert edited != rendering.text
        assert reading(edited, rendering.legend) != small


@given(data=st.data())
@settings(deadline=None)
def test_no_single_changed_digit_goes_unnoticed(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    rendering = render(payload, data.draw(st.sampled_from(domain_names())))
    places = [match.start() for match in re.finditer(r"\d", rendering.text)]
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != rendering.text[at]]))
    edited = rendering.text[:at] + digit + rendering.text[at + 1 :]
    assert reading(edited, rendering.legend) != payload


KILN_EXPECTED = {
    "count plus one": "block 2 (case c01): 13 and 36 of 48 trials",
    "block omitted": "block 1 (introduction): announces 4 cases, 3 are told",
    "blocks merged": "block 1 (introduction): announces 4 cases, 3 are told",
    "number omitted": "block 2 (case c01): ",
    "only event omitted": "block 2 (case c01): no event is told",
    "blocks merged unannounced": "block 2 (case c01): attribute A1 is told twice",
    "value name unknown": "block 2 (case c01): attribute A2 has no value beside it",
    "attribute omitted": "block 2 (case c01): attribute A1 is not told",
    "outcome word twice": "block 2 (case c01): one outcome word stands beside both counts",
    "number added to the question": "block 6 (question): a number that is no attribute value",
    "outcome lost in the question": "block 6 (question): an outcome word is missing",
    "event not announced": "block 1 (introduction): 3 events told",
    "intro begins otherwise": "block 1 (introduction): the outcome words do not say",
    "number added to the intro": "block 1 (introduction): 3 numbers",
    "second value added": "block 2 (case c01): an attribute value stands without its attribute",
    "attribute announced twice": "block 1 (introduction): attribute A1 is told beside another or twice",
    "ranges run together": "block 1 (introduction): attribute A2 is told beside another or twice",
    "value without attribute announced": "block 1 (introduction): an attribute value stands in a clause without",
    "range value name lost": "block 1 (introduction): attribute A2: 2 values told",
    "number outside the range": "the text contradicts itself: case 'c01'",
    "empty block": "6 blocks",
}


@pytest.mark.parametrize("edit", KILN_EXPECTED)
def test_an_impossible_text_is_refused_with_block_and_reason(edit: str, small: PublicPayload) -> None:
    rendering = render(small, "kiln")
    with pytest.raises(FidelityError) as caught:
        parse_back(BORDER.join(EDITS[edit](list(rendering.blocks), rendering.legend)), rendering.legend)
    assert caught.value.message.startswith(KILN_EXPECTED[edit])
    assert len(caught.value.message) < 160


PROSE = """\
Notes from the yard: 4 pages, ４８ goes a page. A go opens with the bell {absent} and we listen whether it {present}.
Names on the wall are {E3}, {E1}, {E4}, {E2}. As for the {A1}, it is 3, 5, 7 or 9! The {A2} is {V2}, {V1} or {V3}!

I note {A1} 7 and {A2} {V1}. Forty-eight goes at {E1}, and in twelve it {present} while in thirty-six it was {absent}.

With {A1} 3 and {V2} {A2} there were 48 goes: {E2}; {E3}; 48 {absent} and 0 {present}.

48 goes of {E3} and {E2} with {A1} 9, {V1} {A2}: {absent} 0, {present} 48.

{E4}, {E4}, {E1} on {V3} {A2} and {A1} 3: of 48 goes 31 {present}, 17 {absent}.

{present} or {absent}? We wonder about {E2}, {E4}, {E1}, {E3} with {A1} 5 and {A2} {V3}.
"""


def prose(legend: Legend) -> str:
    names = {item.code: item.name for item in legend.events}
    names |= {item.code: item.name for item in legend.attributes}
    names |= {item.code: item.name for item in legend.attributes[1].values}
    present, absent = (item.name for item in legend.outcomes)
    joined = re.sub(r"(?<!\n)\n(?!\n)", " ", PROSE.strip())
    return joined.format(present=present, absent=absent, **names)


def test_free_prose_in_the_legends_words_is_read(small: PublicPayload) -> None:
    for name in domain_names():
        legend = render(small, name).legend
        assert parse_back(prose(legend), legend) == small
        assert parse_back(prose(legend).upper(), legend) == small


def test_thousands_marks_are_read(small: PublicPayload) -> None:
    rendering = render(small, "kiln")
    blocks = [re.sub(r"\b48\b", "1,048", rendering.blocks[0]), rendering.blocks[-1]]
    blocks[0] = replace_word(blocks[0], "4", "0")
    assert parse_back(BORDER.join(blocks), rendering.legend).observation_protocol.trials_per_case == 1048


def test_the_longest_phrase_wins(small: PublicPayload) -> None:
    rendering = render(small, "kiln")
    first, second, *others = rendering.legend.events
    events = (renamed(first, "tongs"), renamed(second, "tongs rack"), *others)
    legend = msgspec.structs.replace(rendering.legend, events=events)
    text = swap(rendering, {first.name: "tongs", second.name: "Tongs  rack"})
    assert parse_back(text, legend) == small


def test_a_value_beside_another_attribute_is_refused(small: PublicPayload) -> None:
    named = {3: "V1", 5: "V2", 7: "V3", 9: "V4"}
    plain, other = small.attribute_vocabulary
    cases = [
        msgspec.structs.replace(case, attributes=(renamed_value(case.attributes[0], named), case.attributes[1]))
        for case in (*small.support_cases, small.query_case)
    ]
    payload = msgspec.structs.replace(
        small,
        attribute_vocabulary=(msgspec.structs.replace(plain, values=tuple(named.values())), other),
        support_cases=tuple(cases[:-1]),
        query_case=cases[-1],
    )
    rendering = render(payload, "kiln")
    assert parse_back(rendering.text, rendering.legend) == payload
    # In the last case A1 is V1 and A2 is V3.
    one, two = (
        next(item.name for item in attribute.values if item.code == code)
        for attribute, code in zip(rendering.legend.attributes, ("V1", "V3"), strict=True)
    )
    exchanged = swap_words(rendering.blocks[4], one, two)
    with pytest.raises(FidelityError, match=r"case c04.*has no value beside it"):
        parse_back(rendering.text.replace(rendering.blocks[4], exchanged), rendering.legend)


def test_a_legend_with_a_shared_or_empty_phrase_is_refused(small: PublicPayload) -> None:
    rendering = render(small, "kiln")
    first, second, *others = rendering.legend.events
    for name in (second.name, second.name.upper(), " "):
        legend = msgspec.structs.replace(rendering.legend, events=(renamed(first, name), second, *others))
        with pytest.raises(FidelityError, match="the legend gives"):
            parse_back(rendering.text, legend)


def renamed_value(setting: AttributeSetting, names: dict[int, str]) -> AttributeSetting:
    assert isinstance(setting.value, int)
    return AttributeSetting(name=setting.name, value=names[setting.value])


def renamed(name: Name, to: str) -> Name:
    return Name(code=name.code, name=to)


def swap(rendering: Rendering, names: dict[str, str]) -> str:
    pattern = re.compile(rf"\b(?:{'|'.join(names)})\b", re.IGNORECASE)
    return pattern.sub(lambda match: names[match.group().casefold()], rendering.text)
