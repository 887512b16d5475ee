"""Renderings by a model: right ones are stored with their words, wrong ones are asked for again and never shipped."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.canonical import text_digest
from engine.hidden_systems.behavior import LABELS, read_payload
from engine.hidden_systems.presenting import choose, legend_of, present
from engine.hidden_systems.surface.lexicon import FORBIDDEN, INVERTING, NUMBER_WORD
from engine.hidden_systems.surface.llm import MOST_TRIES
from engine.hidden_systems.surface.parse_back import parse_back
from engine.hidden_systems.surface.template import RENDERER, render
from engine.hidden_systems.surface.wording import META, PLAIN_WORDS
from engine.store.pack import Pack, PackRendering
from engine.store.verify import verify_file
from tests.engine.conversation_pack import write_conversation
from tests.engine.models.fault_server import FaultServer, Script, chat, failure, in_thread, steps
from tests.engine.models.storyteller import storyteller
from tests.engine.world import Outcome, World

TELLER = "llm/1:openai:m"


def rendered(world: World, pack: Path, script: Script, *more: str) -> tuple[Outcome, FaultServer]:
    with in_thread(script) as server:
        return world.clew("render", pack, "--renderer", "openai:m", "--base-url", server.base_url, *more), server


def rows(pack: Path) -> tuple[dict[str, str], dict[str, list[PackRendering]], dict[str, str]]:
    """Return the pack's meta, and renderings and payloads by puzzle."""
    with Pack.open(pack / "pack.db") as opened:
        ids = [entry.id for entry in opened.puzzles()]
        return (
            opened.meta,
            {one: list(opened.renderings(one)) for one in ids},
            {one: opened.payload(one) for one in ids},
        )


def test_a_right_text_is_stored_with_its_words_and_reads_back(world: World) -> None:
    pack = world.pack(complexities=(4, 6, 8))
    done, server = rendered(world, pack, storyteller())
    assert done.code == 0 and f"3 puzzles told by {TELLER}, 0 by the template in its place" in done.out
    meta, renderings, payloads = rows(pack)
    for puzzle, told in renderings.items():
        (own,) = [one for one in told if one.renderer == TELLER]
        payload = read_payload(payloads[puzzle])
        assert own.audit_status == "passed; tries 1" and own.domain == "the_old_mill"
        legend = legend_of(payload, own, meta)
        assert json.loads(meta[f"{META}{own.id}"])["words"] == ["meadow", "millers"]
        back = parse_back(own.body, legend)
        assert (back.support_cases, back.query_case) == (payload.support_cases, payload.query_case)
        shown = present(payload, own, LABELS, meta)
        assert shown.legend.outcomes[0].name == "rang" and shown.text == own.body
        assert len(shown.blocks) == len(payload.support_cases) + 2
        assert choose(told, payload).renderer == RENDERER, "nobody is shown another text unasked"
    assert verify_file(pack / "pack.db") == ()
    assert len(server.requests) == 3 + sum(
        -(-(len(read_payload(p).support_cases) + 2) // 12) for p in payloads.values()
    )


def test_limit_and_resuming(world: World) -> None:
    pack = world.pack(complexities=(4, 4, 4))
    with in_thread(storyteller()) as server:
        arguments = ("render", pack, "--renderer", "openai:m", "--base-url", server.base_url)
        assert "2 puzzles told by" in world.clew(*arguments, "--limit", "2").out
        assert "1 puzzle told by" in world.clew(*arguments).out
        hits = server.hits
        done = world.clew(*arguments)
        assert "0 puzzles told by" in done.out and "3 told before" in done.out and server.hits == hits


def once(change: Any) -> Any:
    """Spoil the first reply only."""
    return lambda reply, nth: change(reply) if nth == 0 else reply


def always(change: Any) -> Any:
    return lambda reply, nth: change(reply)


def with_case(change: Any) -> Any:
    """Change the first case block of a reply."""

    def changed(reply: list[str]) -> list[str]:
        place = next(nth for nth, block in enumerate(reply) if block.startswith("With "))
        return [*reply[:place], change(reply[place]), *reply[place + 1 :]]

    return changed


def one_more(block: str) -> str:
    return re.sub(r"rang in (\d+)", lambda found: f"rang in {int(found[1]) + 1}", block)


LEGENDS = {
    "no JSON": lambda reply: "Sure! Here it is.",
    "same name twice": lambda reply: {**reply, "present": "silent"},
    "name inside another": lambda reply: {**reply, "present": "lentil", "absent": "lent"},
    "hinting name": lambda reply: {**reply, "events": {**reply["events"], "E1": "starter"}},
    "name with a digit": lambda reply: {**reply, "events": {**reply["events"], "E1": "valve2"}},
    "missing code": lambda reply: {**reply, "events": {}},
    "law among the words": lambda reply: {**reply, "words": ["always"]},
    "name among the words": lambda reply: {**reply, "words": ["bellows"]},
    "too many words": lambda reply: {**reply, "words": [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(250)]},
    "record that is no thing": lambda reply: {**reply, "record": "Bells & more"},
}
BLOCKS = {
    "no JSON": lambda reply: "With pleasure.",
    "one block short": lambda reply: reply[:-1],
    "a count one higher": with_case(one_more),
    "outcomes exchanged": with_case(
        lambda block: block.replace("rang", "#").replace("silent", "rang").replace("#", "silent")
    ),
    "a law": with_case(lambda block: f"{block} It always did."),
    "a probability": with_case(lambda block: f"{block} The chance is half."),
    "a hedge": with_case(lambda block: block.replace("stayed", "mostly stayed")),
    "a reason": with_case(lambda block: block.replace("stayed", "because of wind stayed")),
    "a word of its own": with_case(lambda block: block.replace("stayed", "gloriously stayed")),
    "one certain statement": with_case(
        lambda block: re.sub(r"\d+ runs of", "a run of", block).partition(" in ")[0] + "."
    ),
    "order turned round": with_case(lambda block: block.replace(", then ", " after ").replace(" then ", " after ")),
    "shouting": with_case(lambda block: block.replace("rang", "RANG")),
    "a mark": with_case(lambda block: f"**{block}**"),
    "two lines": with_case(lambda block: block.replace(": ", ":\n")),
    "the answer": lambda reply: [*reply[:-1], f"{reply[-1]} It rang."],
    "an empty block": with_case(lambda block: ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LEGENDS)
def test_words_that_cannot_be_used_are_asked_for_again_with_the_reason(world: World, name: str) -> None:
    pack = world.pack(complexities=(4,))
    done, server = rendered(world, pack, storyteller(legend=once(LEGENDS[name])))
    _, renderings, _ = rows(pack)
    (told,) = [one for found in renderings.values() for one in found if one.renderer == TELLER]
    assert told.audit_status == "passed; tries 2"
    again = server.requests[1]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert "This was refused:" in again[-1]["content"] and "1 x " in done.out


@pytest.mark.parametrize("name", BLOCKS)
def test_a_wrong_block_is_asked_for_again_and_never_shipped(world: World, name: str) -> None:
    pack = world.pack(complexities=(4,))
    done, _ = rendered(world, pack, storyteller(blocks=once(BLOCKS[name])))
    meta, renderings, payloads = rows(pack)
    ((puzzle, found),) = renderings.items()
    (told,) = [one for one in found if one.renderer == TELLER]
    assert told.audit_status == "passed; tries 2", done.out
    payload = read_payload(payloads[puzzle])
    assert parse_back(told.body, legend_of(payload, told, meta)).support_cases == payload.support_cases


@pytest.mark.parametrize(
    "script",
    [
        *(storyteller(legend=always(change)) for change in list(LEGENDS.values())[:3]),
        *(storyteller(blocks=always(change)) for change in list(BLOCKS.values())[:6]),
        steps(chat("I will not.")),
        steps(chat(None, refusal="no")),
        steps(chat(""), failure(400, "context size", "exceed_context_size_error")),
    ],
)
def test_what_stays_wrong_is_told_by_the_template_and_says_so(world: World, script: Script) -> None:
    pack = world.pack(complexities=(4,))
    done, server = rendered(world, pack, script)
    assert done.code == 0 and "0 puzzles told by llm/1:openai:m, 1 by the template in its place" in done.out
    meta, renderings, payloads = rows(pack)
    ((puzzle, found),) = renderings.items()
    (fallback,) = [one for one in found if one.audit_status]
    payload = read_payload(payloads[puzzle])
    assert (fallback.renderer, fallback.audit_status) == (RENDERER, f"fell back; tries {MOST_TRIES}")
    assert fallback.body == render(payload).text and not any(key.startswith(META) for key in meta)
    assert choose(found, payload).audit_status == "" and len(found) == 2
    assert server.hits <= 2 * MOST_TRIES * 3
    assert verify_file(pack / "pack.db") == ()


def test_the_legend_call_sees_codes_and_no_number_of_the_puzzle(world: World) -> None:
    pack = world.pack(complexities=(4, 6, 8, 10))
    _, server = rendered(world, pack, storyteller())
    legends = [body for body in server.requests if "blocks" not in json.loads(body["messages"][1]["content"])]
    assert len(legends) == 4
    for body in legends:
        asked = body["messages"][1]["content"]
        assert re.findall(r"(?<![EAV\d])\d+", asked) == [] and set(json.loads(asked)) == {"events", "attributes"}


def test_an_endpoint_that_stops_leaves_the_rest_for_the_next_run(world: World) -> None:
    pack = world.pack(complexities=(4, 4, 4))
    told = storyteller()
    done, _ = rendered(
        world, pack, lambda nth, body: told(nth, body) if nth < 5 else failure(401, "key expired"), "--concurrency", "1"
    )
    assert done.code == 1 and "key expired" in done.err and "left" in done.err
    kept = [one for found in rows(pack)[1].values() for one in found if one.renderer == TELLER]
    assert 1 <= len(kept) < 3


def test_a_model_takes_no_domain_and_an_unknown_one_is_named(world: World) -> None:
    pack = world.pack(complexities=(4,))
    assert (
        "goes with the template only"
        in world.clew(
            "render", pack, "--renderer", "openai:m", "--domain", "kiln", "--base-url", "http://127.0.0.1:1"
        ).err
    )
    assert (
        "'poet' is not known; known: template, openai:NAME, llm:ID"
        in world.clew("render", pack, "--renderer", "poet").err
    )


def test_a_pack_without_hidden_systems_has_nothing_to_tell(world: World) -> None:
    pack = write_conversation(world.folder / "w")
    for teller in ("template", "openai:m"):
        done = world.clew("render", pack, "--renderer", teller, "--base-url", "http://127.0.0.1:1")
        assert done.code == 2 and "has no puzzle of hidden-systems" in done.err and done.out == ""


def test_plain_words_are_plain() -> None:
    found = [word for word in PLAIN_WORDS for rule in (FORBIDDEN, INVERTING, NUMBER_WORD) if rule.search(word)]
    assert found == [] and all(word.islower() for word in PLAIN_WORDS)


def test_every_option_reaches_the_requests(world: World) -> None:
    more = ("--temperature", "0.5", "--max-tokens", "999", "--seed", "3", "--param", "top_p=0.9", "--output", "schema")
    _, server = rendered(world, world.pack(complexities=(4,)), storyteller(), *more)
    for body in server.requests:
        sampled = (body["temperature"], body["max_tokens"], body["seed"], body["top_p"])
        assert sampled == (0.5, 999, 3, 0.9)
        assert body["response_format"]["json_schema"]["schema"]["type"] in ("object", "array")


def test_rendering_needs_no_sealed_file(world: World) -> None:
    pack = world.pack(complexities=(4,))
    (pack / "sealed.db").unlink()
    done, _ = rendered(world, pack, storyteller())
    assert done.code == 0 and text_digest(done.out)


def test_audits_read_a_models_text_in_its_own_words(world: World) -> None:
    pack = world.pack(complexities=(4, 6))
    rendered(world, pack, storyteller())
    done = world.clew("audit", "F01", "F02", "F03", "F04", "F05", "F06", pack, "--format", "json")
    assert done.code == 0, done.out


def test_a_models_text_can_be_asked_about_and_is_scored_in_its_words(world: World) -> None:
    pack = world.pack(complexities=(4, 4))
    rendered(world, pack, storyteller())
    bodies = {one.body for found in rows(pack)[1].values() for one in found if one.renderer == TELLER}
    with in_thread(steps(chat("ANSWER: rang"))) as server:
        arguments = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        told = world.clew(*arguments, "--renderer", "openai:m")
        assert {body["messages"][-1]["content"] for body in server.requests} == bodies
        assert "ANSWER: rang" in server.requests[0]["messages"][0]["content"]
        assert "2 read" in told.out
        world.clew(*arguments)
        assert server.hits == 4, "the template's telling is another question"
    assert "4 answers, 2 scored" in world.clew("score", pack).out
