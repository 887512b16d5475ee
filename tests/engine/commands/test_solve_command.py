"""`clew solve` and `clew models`: every option reaches the request, bad ones are refused in one line, exit codes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from engine.canonical import text_digest
from engine.store.answers import Answers
from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.models.conducting import KEY
from tests.engine.models.fault_server import Reply, chat, failure, in_thread, steps
from tests.engine.world import World, answer_to

OK = chat()
LOCAL = ("--model", "openai:m", "--base-url", "http://127.0.0.1/v1")


def test_every_option_reaches_the_request(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    pack = world.pack(complexities=(4,))
    with in_thread(steps(OK)) as server:
        done = world.clew(
            "solve", pack, "--model", "openai:some/model", "--base-url", server.base_url + "/", "--api-key-var",
            "MY_KEY", "--max-tokens", "55", "--temperature", "0.70", "--seed", "7", "--param",
            'reasoning={"effort":"low"}', "--param", "top_p=0.5",
            "--output", "schema", "--timeout", "33", "--item-deadline", "44", "--json",
        )  # fmt: skip
        (body,), (head,) = server.requests, server.heads
    assert done.code == 0
    assert {name: body[name] for name in ("model", "max_tokens", "temperature", "seed", "top_p", "reasoning")} == {
        "model": "some/model", "max_tokens": 55, "temperature": 0.7, "seed": 7, "top_p": 0.5,
        "reasoning": {"effort": "low"},
    }  # fmt: skip
    assert "stream" not in body and f"Bearer {KEY}" in head
    shape = body["response_format"]["json_schema"]
    assert shape["strict"] is True and len(shape["schema"]["properties"]["answer"]["enum"]) == 2
    summary = json.loads(done.out)
    assert summary["items"] == 1 and summary["systems"] == {"unparsable": 1}, "free text is no schema answer"
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        ((solver, (alias, _)),) = answers.solvers().items()
        config = answers.config(solver)
        assert config is not None and config.served_model == "scripted-1"
        stored = json.loads(config.config)
        (call,) = answers.calls(solver)
    assert alias.startswith("openai:some/model#") and KEY not in config.config
    assert stored["parameters"]["temperature"] == "0.7" and stored["mode"] == "schema"
    assert json.loads(call.params)["extra"] == {"reasoning": '{"effort":"low"}', "top_p": "0.5"}
    assert call.request_sha == text_digest(json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


def test_a_recipe_with_nothing_to_answer_says_who_can(world: World) -> None:
    pack = write_conversation(world.folder / "w")
    done = world.clew("solve", pack, "--model", "baseline:pooled")
    assert done.code == 2 and done.out == "" and len(done.err.splitlines()) == 1
    assert "hidden-systems only" in done.err and "openai:NAME or llm:ID" in done.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--model", "gpt"), "'gpt' is not known; known: baseline:largest-single"),
        (("--model", "openai:"), "'openai:' is not known"),
        (("--model", "openai:m"), "OPENAI_API_KEY is not set"),
        (("--model", "openai:m", "--api-key-var", "NO_SUCH_KEY"), "NO_SUCH_KEY is not set"),
        (("--model", "openai:m", "--base-url", "localhost:80"), "'localhost:80' is not usable"),
        ((*LOCAL, "--temperature", "warm"), "--temperature is 'warm'"),
        ((*LOCAL, "--param", "x"), "NAME=JSON is right"),
        ((*LOCAL, "--param", "model=1"), "--param is 'model=1'"),
        ((*LOCAL, "--family", "chess"), "chess"),
        ((*LOCAL, "--limit", "0"), "0"),
        (("--model", "baseline:pooled", "--family", "instruction-adherence"), "hidden-systems only"),
        (("--model", "replay:nobody"), "answers.db does not exist"),
        (("--model", "llm:x", "--base-url", "http://127.0.0.1/v1"), "llm"),
    ],
    ids=lambda value: " ".join(value[-4:]) if isinstance(value, tuple) else value[:20],
)  # fmt: skip
def test_bad_arguments_are_refused_before_any_work(
    world: World, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], named: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    pack = world.pack()
    done = world.clew("solve", pack, *arguments)
    assert done.code == 2 and named in done.err and len(done.err.splitlines()) == 1
    assert not (world.folder / "data" / "answers.db").exists() or "replay" in arguments[1]


def test_without_a_model_the_names_are_listed(world: World) -> None:
    listed, told = world.clew("solve"), world.clew("models")
    assert listed.code == told.code == 0 and listed.out == told.out
    assert "baseline:pooled" in told.out and "openai:NAME" in told.out and "llm:" in told.out
    for line in world.clew("models", "--json").lines:
        offer = json.loads(line)
        assert set(offer) == {"name", "available", "note"} and (offer["available"] or "pip install" in offer["note"])


def test_what_is_left_fails_the_command_and_names_the_endpoints_words(world: World) -> None:
    with in_thread(steps(OK, failure(401, "key expired"))) as server:
        arguments = ("solve", world.pack(), "--model", "openai:m", "--base-url", server.base_url)
        done = world.clew(*arguments, "--concurrency", "1")
        assert done.code == 1 and "key expired" in done.err and "what was answered is kept" in done.err
        assert "INCOMPLETE: 3 pending, 1 of them with failed requests" in done.lines[0]
        server.script = steps(OK)
        assert world.clew(*arguments).code == 0


def test_model_and_person_are_shown_the_same_bytes(world: World) -> None:
    """The last user message, the text on the person's screen and both stored digests are one and the same."""
    pack = world.pack()
    with in_thread(steps(OK)) as server:
        world.clew("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        sent = {text_digest(body["messages"][-1]["content"]): body for body in server.requests}
    with world.desk(pack) as desk:
        while (shown := desk.next()) is not None:
            assert sent[shown.text_sha]["messages"][-1] == {"role": "user", "content": shown.text}
            desk.submit(answer_to(shown))
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        kinds = {solver: kind for solver, (_, kind) in answers.solvers().items()}
        (model,) = [solver for solver, kind in kinds.items() if kind == "model"]
        by_kind: dict[str, dict[tuple[str, str], str]] = {"model": {}, "human": {}}
        for row in answers.attempts():
            by_kind[kinds[row.solver]][row.puzzle_id, row.rendering_id] = row.text_sha
        calls = {call.puzzle_id: call for call in answers.calls(model)}
    assert by_kind["model"] == by_kind["human"] and len(by_kind["model"]) == 4
    for (puzzle, _), sha in by_kind["human"].items():
        assert calls[puzzle].text_sha == sha and calls[puzzle].prompt_sha != sha


def test_a_conversation_is_held_turn_by_turn_and_resumed(world: World, tmp_path: Path) -> None:
    pack = write_conversation(tmp_path / "talk")
    replies = [f"<think>hm</think>Text {nth}" for nth in range(1, 5)]
    with in_thread(steps(chat(replies[0]), chat(replies[1]), failure(401, "stop here"))) as server:
        arguments = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url)
        stopped = world.clew(*arguments)
        assert stopped.code == 1 and "writing tasks: 1 pending; their turns: 2 answered" in stopped.out
        server.script = lambda nth, body: chat(replies[len(body["messages"]) // 2])
        done = world.clew(*arguments)
        assert done.code == 0 and "writing tasks: 1 done; their turns: 4 answered" in done.out
        bodies = [server.requests[0], server.requests[1], *server.requests[3:]]
    assert [body["messages"][-1]["content"] for body in bodies] == list(TURNS)
    said = bodies[-1]["messages"]
    assert [message["role"] for message in said] == ["user", "assistant"] * 3 + ["user"]
    assert [message["content"] for message in said[1::2]] == ["Text 1", "Text 2", "Text 3"], "without thoughts"
    with Answers.open(world.folder / "data" / "answers.db", read_only=True) as answers:
        (attempt,) = answers.attempts()
        turns = answers.turns(attempt.session, attempt.puzzle_id)
        calls = answers.calls(attempt.solver)
    assert [turn.text for turn in turns if turn.role == "assistant"] == replies
    finals = [call for call in calls if call.final]
    assert [(call.turn, call.attempt) for call in finals] == [(1, ""), (2, ""), (3, ""), (4, attempt.id)]
    assert [call.text_sha for call in finals] == [text_digest(text) for text in TURNS]


@pytest.mark.parametrize("sample", range(6))
def test_recorded_answers_are_given_again(world: World, sample: int) -> None:
    """Whatever order of the two answers the solver's name drew: the same one is asked in again."""
    pack = world.pack()
    with in_thread(
        steps(chat("ANSWER: x"), chat(None), chat("cut", finish_reason="length"), chat(None, refusal="no"))
    ) as server:
        solve = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url, "--sample", str(sample))
        first = world.clew(*solve)
        hits = server.hits
        again = world.clew("solve", pack, "--model", f"replay:{first.out.split(': ')[0]}")
        assert server.hits == hits
    assert again.code == 0 and again.lines[1] == first.lines[1]


def test_a_run_prints_no_progress_off_a_terminal_and_says_what_it_runs_with(world: World) -> None:
    with in_thread(steps(OK)) as server:
        done = world.clew("solve", world.pack(), "--model", "openai:m", "--base-url", server.base_url)
    (line,) = done.err.splitlines()
    assert "4 of 4 puzzles pending" in line and server.base_url in line and "#" not in done.err.partition(":")[0]


def test_an_interrupt_keeps_what_is_done_and_exits_with_130(world: World) -> None:
    import signal

    def script(nth: int, body: object) -> Reply:
        if nth == 1:
            os.kill(os.getpid(), signal.SIGINT)
        return OK

    pack = world.pack()
    with in_thread(script) as server:
        arguments = ("solve", pack, "--model", "openai:m", "--base-url", server.base_url, "--concurrency", "1")
        done = world.clew(*arguments)
        assert done.code == 130 and "interrupted; what was saved stays saved" in done.err
        assert "2 answered now, 4 puzzles in all; INCOMPLETE: 2 pending" in done.out
        server.script = steps(OK)
        assert "2 answered now" in world.clew(*arguments).out and server.hits == 4
