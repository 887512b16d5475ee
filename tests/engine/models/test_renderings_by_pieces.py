"""Renderings by pieces: what a small model tells rightly is kept, the template tells the rest, and that is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.hidden_systems.behavior import LABELS, PublicPayload, read_payload
from engine.hidden_systems.presenting import legend_of, present
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.pieces import tell_by_pieces, things_in
from engine.hidden_systems.surface.template import BORDER, RENDERER
from engine.hidden_systems.surface.wording import META, Wording, read_wording
from engine.models.solver import Question
from engine.store.pack import Pack, PackRendering
from engine.store.verify import verify_file
from tests.engine.models.fault_server import Reply, Script, chat, in_thread
from tests.engine.models.storyteller import NAMES
from tests.engine.world import Outcome, World

TELLER = "llm/1:openai:m"
Spoil = Callable[[str, int], str]
"""From a right reply and the number of its request to what is sent."""


def told(facts: str) -> str:
    """Return what a good model says to one line of facts."""
    if " things for: " in facts:
        return ", ".join(NAMES)
    parts = facts.split(" | ")
    match parts:
        case [size, times, states, events, ranges]:
            record, (absent, present) = named(states)
            return (
                f"There are {size} with {times}. Each starts with {record} {absent}, and then it is noted whether"
                f" {record} {present}. Done were {events}. Set were: {ranges}."
            )
        case [setting, times, steps, states]:
            record, (one, other) = named(states)
            counts = [pair.rsplit(" ", 1) for pair in (one, other)]
            return f"With {setting}, {times} {steps}: " + " and ".join(f"{record} {a} in {n}" for a, n in counts) + "."
        case [setting, steps, states]:
            _, (one, other) = named(states)
            return f"Not tried yet: with {setting}, {steps}. Which would be noted more often, {one} or {other}?"
    raise AssertionError(facts)


def named(states: str) -> tuple[str, list[str]]:
    record, both = states.split(": ")
    return record, both.split(", ")


def script(spoil: Spoil = lambda reply, nth: reply) -> Script:
    def answer(nth: int, body: Mapping[str, Any]) -> Reply:
        return chat(spoil(told(body["messages"][-1]["content"]), nth))

    return answer


def rendered(world: World, pack: Path, answers: Script, *more: str) -> tuple[Outcome, list[dict[str, Any]]]:
    with in_thread(answers) as server:
        arguments = ("render", pack, "--renderer", "openai:m", "--base-url", server.base_url, "--pieces", "99", *more)
        return world.clew(*arguments), server.requests


def own_row(pack: Path) -> tuple[PackRendering, PublicPayload, dict[str, str]]:
    with Pack.open(pack / "pack.db") as opened:
        ((puzzle, payload),) = opened.all_payloads()
        (row,) = [one for one in opened.renderings(puzzle) if one.audit_status]
        return row, read_payload(payload), opened.meta


def wording_of(row: PackRendering, meta: Mapping[str, str]) -> Wording:
    return read_wording(meta[f"{META}{row.id}"], where="test")


def test_a_model_that_tells_everything_rightly_tells_all_blocks(world: World) -> None:
    pack = world.pack(complexities=(4,))
    done, requests = rendered(world, pack, script())
    row, payload, meta = own_row(pack)
    count = len(payload.support_cases) + 2
    assert done.code == 0 and f"1 puzzle told by {TELLER} (1 in part), 0 by the template" in done.out
    assert f"{count} blocks its own" in done.out and row.audit_status == "in part; tries 1"
    wording = wording_of(row, meta)
    assert wording.told_by_template == () and len(requests) == count + 1
    assert not set(payload.event_vocabulary) & set(wording.named_by_template)
    assert {one.name for one in wording.legend.events} <= set(NAMES)
    assert row.body.split(BORDER)[1].startswith("With ")
    shown = present(payload, row, LABELS, meta)
    assert shown.text == row.body and verify_file(pack / "pack.db") == ()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda reply, nth: reply if nth % 3 else "I cannot tell.",
        lambda reply, nth: reply if nth % 3 else f"{reply} It always did.",
        lambda reply, nth: reply if nth % 3 else reply.replace(" in 0", " in 1").replace(" and ", " then "),
        lambda reply, nth: reply if nth % 3 else "",
    ],
)
def test_a_block_that_is_not_told_rightly_is_the_templates_and_marked(world: World, spoil: Spoil) -> None:
    pack = world.pack(complexities=(4,))
    done, _ = rendered(world, pack, script(spoil), "--tries", "1")
    row, payload, meta = own_row(pack)
    wording, blocks = wording_of(row, meta), row.body.split(BORDER)
    assert row.renderer == TELLER and row.audit_status == "in part; tries 1"
    assert 0 < len(wording.told_by_template) < len(blocks)
    back = parse_back(row.body, legend_of(payload, row, meta))
    assert (back.support_cases, back.query_case) == (payload.support_cases, payload.query_case)
    assert "always" not in row.body
    assert f"{len(blocks) - len(wording.told_by_template)} blocks its own" in done.out
    audited = world.clew("audit", "F01", "F02", "F03", "F04", "F05", "F06", pack, "--format", "json")
    assert audited.code == 0, audited.out


def test_another_try_has_the_examples_in_another_order(world: World) -> None:
    pack = world.pack(complexities=(4,))
    _, requests = rendered(
        world, pack, script(lambda reply, nth: reply if nth % 2 == 0 else "no"), "--concurrency", "1"
    )
    row, _, meta = own_row(pack)
    assert row.audit_status == "in part; tries 2" and wording_of(row, meta).told_by_template == ()
    first, again = ([message["content"] for message in requests[nth]["messages"]] for nth in (3, 4))
    assert first[-1] == again[-1] and first != again and sorted(first) == sorted(again)


def test_a_model_that_tells_nothing_falls_back_to_the_template(world: World) -> None:
    pack = world.pack(complexities=(4,))
    done, _ = rendered(world, pack, script(lambda reply, nth: "no idea"), "--tries", "1")
    row, _, meta = own_row(pack)
    assert "0 puzzles told by" in done.out and (row.renderer, row.audit_status) == (RENDERER, "fell back; tries 1")
    assert not any(key.startswith(META) for key in meta)


def test_no_more_blocks_are_asked_for_than_wanted_and_names_see_no_code(world: World) -> None:
    pack = world.pack(complexities=(4,))
    with in_thread(script()) as server:
        world.clew("render", pack, "--renderer", "openai:m", "--base-url", server.base_url, "--pieces", "5")
    row, payload, meta = own_row(pack)
    assert len(server.requests) == 6
    assert len(wording_of(row, meta).told_by_template) == len(payload.support_cases) + 2 - 5
    names = " ".join(message["content"] for message in server.requests[0]["messages"])
    assert not [code for code in payload.event_vocabulary if code in names]


def test_examples_say_nothing_of_what_was_observed(world: World) -> None:
    with Pack.open(world.pack(complexities=(4,)) / "pack.db") as opened:
        ((_, text),) = opened.all_payloads()
    payload = read_payload(text)
    trials = payload.observation_protocol.trials_per_case
    asked: list[Question] = []

    async def ask(question: Question) -> str:
        asked.append(question)
        return "no"

    asyncio.run(tell_by_pieces(payload, ask, most_tries=1))
    cases = [question for question in asked if len(question.messages) == 7 and "times" in question.messages[-1].text]
    assert len(cases) > 10
    for question in cases:
        assert [message.text.count(f"{trials} times") for message in question.messages[::2]] == [1] * 4
    counted = {tuple(message.text.rsplit(": ", 1)[1] for message in question.messages[:-1:2]) for question in cases}
    assert len(counted) == 1, "the counts of examples are the same for every block"


@pytest.mark.parametrize(
    ("reply", "things"),
    [
        ("rake, hoe, rake", ("rake", "hoe")),
        ("1. Rake\n2. **Hoe**\n- wooden spoon", ("rake", "hoe", "wooden spoon")),
        ("x1, , ?!", ()),
    ],
)
def test_things_are_read_from_a_list(reply: str, things: tuple[str, ...]) -> None:
    assert things_in(reply) == things


def test_pieces_are_asked_for_as_text(world: World) -> None:
    pack = world.pack(complexities=(4,))
    done = world.clew(
        "render",
        pack,
        "--renderer",
        "openai:m",
        "--base-url",
        "http://127.0.0.1:1",
        "--pieces",
        "3",
        "--output",
        "schema",
    )
    assert done.code == 2 and "pieces are asked for as text" in done.err
