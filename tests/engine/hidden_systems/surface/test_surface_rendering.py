"""What a rendering says, and what it never says."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import RenderingError, UsageError
from engine.hidden_systems.behavior import AttributeSetting, PublicPayload, payload_text, read_payload
from engine.hidden_systems.surface.domain import domain_names, legend_for, load_domain, pick_domain
from engine.hidden_systems.surface.template import BORDER, Rendering, frame_words, render, split_blocks

GOLDEN = Path(__file__).parent / "golden"

FORBIDDEN = """
    always never must cause causes caused causing prevent prevents prevented preventing prevention because unless
    flag flags flagged veto vetoes vetoed rule rules ruled ruling trigger triggers triggered triggering
    probability probabilities probable probably percent percentage chance chances
    most mostly usual usually half halves halved rare rarely almost nearly reliable reliably likely sometimes
    after afterwards before beforehand having until once since following preceded previously
    if-and-only-if PRESENT ABSENT record invalidated
""".casefold().split()


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text.casefold())


def names_of(rendering: Rendering) -> set[str]:
    legend = rendering.legend
    names = {item.name for item in (*legend.events, *legend.outcomes)} | {item.name for item in legend.attributes}
    return names | {value.name for item in legend.attributes for value in item.values}


@pytest.mark.parametrize("name", domain_names())
def test_the_small_payload_reads_as_it_did(name: str, small: PublicPayload) -> None:
    path = GOLDEN / f"{name}.txt"
    text = render(small, name).text + "\n"
    assert path.exists() and text == path.read_text(encoding="utf-8"), (
        f"domain {name!r} tells the small payload in other words now; if that is meant, name it in the changelog "
        f"and make this the content of {path.name}:\n{text}"
    )


def test_every_golden_text_belongs_to_a_domain() -> None:
    assert sorted(path.stem for path in GOLDEN.iterdir()) == list(domain_names())


@given(data=st.data())
@settings(deadline=None)
def test_the_same_payload_gives_the_same_bytes(data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]) -> None:
    payload = data.draw(payloads)
    rendering = render(payload)
    assert render(read_payload(payload_text(payload))) == rendering
    assert rendering == render(payload, pick_domain(payload))
    assert rendering.renderer == "template/1"
    assert rendering.domain == pick_domain(payload)
    assert rendering.legend == legend_for(payload, load_domain(rendering.domain))


@given(data=st.data())
@settings(deadline=None)
def test_blocks_are_an_intro_the_cases_and_a_question(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        rendering = render(payload, name)
        assert len(rendering.blocks) == len(payload.support_cases) + 2
        assert BORDER.join(rendering.blocks) == rendering.text
        assert split_blocks(rendering.text) == rendering.blocks
        assert all("\n" not in block and block == block.strip() for block in rendering.blocks)
        assert all(not block[0].isalpha() or block[0].isupper() for block in rendering.blocks)


@given(data=st.data())
@settings(deadline=None)
def test_no_rendering_holds_a_forbidden_word_or_a_word_from_elsewhere(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        rendering = render(payload, name)
        words = words_of(rendering.text)
        assert not set(words) & set(FORBIDDEN)
        assert "%" not in rendering.text
        assert "only if" not in rendering.text
        allowed = frame_words(load_domain(name)) | names_of(rendering)
        assert {word for word in words if not re.fullmatch(r"-?\d+", word)} <= allowed


@given(data=st.data())
@settings(deadline=None)
def test_every_case_keeps_its_counts_and_the_question_has_none(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        blocks = render(payload, name).blocks
        for case, block in zip((*payload.support_cases, payload.query_case), blocks[1:], strict=True):
            numbers = [setting.value for setting in case.attributes if isinstance(setting.value, int)]
            numbers += [n for n in (case.trials, case.observed_present, case.observed_absent) if n is not None]
            assert sorted(map(int, re.findall(r"-?\d+", block))) == sorted(numbers)


@given(data=st.data())
@settings(deadline=None)
def test_events_are_told_in_the_order_in_which_they_are_done(
    data: st.DataObject, payloads: st.SearchStrategy[PublicPayload]
) -> None:
    payload = data.draw(payloads)
    for name in domain_names():
        rendering = render(payload, name)
        names = {item.code: item.name for item in rendering.legend.events}
        for case, block in zip((*payload.support_cases, payload.query_case), rendering.blocks[1:], strict=True):
            told = [word for word in words_of(block) if word in names.values()]
            assert told == [names[event] for event in case.events]


@pytest.mark.parametrize("name", domain_names())
def test_every_paraphrase_is_used(name: str, small: PublicPayload) -> None:
    frames = load_domain(name).frames
    wanted = {re.compile(pattern(frame), re.IGNORECASE) for frame in (*frames.intro, *frames.case, *frames.question)}
    for present in range(48):
        first = msgspec.structs.replace(small.support_cases[0], observed_present=present, observed_absent=48 - present)
        payload = msgspec.structs.replace(small, support_cases=(first, *small.support_cases[1:]))
        blocks = render(payload, name).blocks
        wanted = {frame for frame in wanted if not any(frame.fullmatch(block) for block in blocks)}
    assert not wanted


def pattern(frame: str) -> str:
    parts = Formatter().parse(frame)
    return "".join(re.escape(text) + (".+" if slot is not None else "") for text, slot, _, _ in parts)


def changed(payload: PublicPayload, **first_case: Any) -> PublicPayload:
    first, *others = payload.support_cases
    return msgspec.structs.replace(payload, support_cases=(msgspec.structs.replace(first, **first_case), *others))


def test_what_a_text_could_not_say_is_refused(small: PublicPayload) -> None:
    query = small.query_case
    bare = msgspec.structs.replace(query, attributes=())
    mirrored = tuple(reversed(small.support_cases[0].attributes))
    without = msgspec.structs.replace(small, attribute_vocabulary=(), support_cases=(), query_case=bare)
    spoiled = {
        "case ids": changed(small, id="c77"),
        "query's id": msgspec.structs.replace(small, query_case=msgspec.structs.replace(query, id="c99")),
        "complexity 5": msgspec.structs.replace(small, complexity=5),
        "at least one attribute": without,
        "'c01' has no event": changed(small, events=()),
        "not sorted": changed(small, attributes=mirrored),
        "unknown event 'E9'": changed(small, events=("E9",)),
        "not in the attribute's values": changed(
            small, attributes=(AttributeSetting(name="A1", value=4), AttributeSetting(name="A2", value="V1"))
        ),
        "do not add up": changed(small, observed_present=13),
    }
    assert render(small, "kiln")
    for reason, payload in spoiled.items():
        with pytest.raises(RenderingError, match=re.escape(reason)):
            render(payload, "kiln")


def test_an_unknown_domain_is_refused(small: PublicPayload) -> None:
    with pytest.raises(UsageError, match="unknown surface domain 'moonbase'"):
        render(small, "moonbase")
