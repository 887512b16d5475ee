"""Models of the `llm` command as solvers: their answers, faults and missing usage, against the scripted server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.conversation_pack import TURNS, write_conversation
from tests.engine.models.fault_server import Reply, chat, failure, in_thread, steps
from tests.engine.world import World

llm = pytest.importorskip("llm", reason="the llm command's library is an extra: pip install 'clew[llm]'")


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private llm folder without plugins; models of the server are declared in its file."""
    folder = tmp_path / "llm"
    folder.mkdir()
    monkeypatch.setenv("LLM_USER_PATH", str(folder))
    monkeypatch.setenv("LLM_LOAD_PLUGINS", "")
    return folder


def declare(folder: Path, base_url: str) -> None:
    (folder / "extra-openai-models.yaml").write_text(
        f"- model_id: scripted\n  model_name: m\n  api_base: {base_url}\n  supports_schema: true\n", encoding="utf-8"
    )


def solve(
    world: World, plugged: Path, pack: Path, *replies: Reply, more: tuple[str, ...] = ()
) -> tuple[str, str, list[dict[str, object]]]:
    with in_thread(steps(*replies)) as server:
        declare(plugged, server.base_url)
        done = world.clew("solve", pack, "--model", "llm:scripted", "--concurrency", "1", *more)
        return done.out, done.err, server.requests


def test_answers_statuses_and_tokens_are_kept(world: World, plugged: Path) -> None:
    out, _, requests = solve(
        world, plugged, world.pack(), chat("no idea"), chat("cut", finish_reason="length"),
        chat(None, refusal="no"), chat("", finish_reason="content_filter"),
        more=("--max-tokens", "9", "--temperature", "0.5"),
    )  # fmt: skip
    assert "1 unparsable, 1 truncated, 1 refused, 1 filtered" in out
    assert "prompt 400, cached 160, completion 28" in out
    assert {(body["max_tokens"], body["temperature"], body["stream"]) for body in requests} == {(9, 0.5, False)}


def test_missing_usage_does_not_lose_the_answer(world: World, plugged: Path) -> None:
    out, err, requests = solve(world, plugged, world.pack(complexities=(4,)), chat("no idea", usage=...))
    assert "1 unparsable" in out and "prompt 0 (1 unknown)" in out and len(requests) == 1, err


def test_hard_faults_stop_the_run_in_the_endpoints_words(world: World, plugged: Path) -> None:
    out, err, _ = solve(world, plugged, world.pack(), failure(401, "bad key"))
    assert "4 pending" in out and "bad key" in err


def test_a_conversation_goes_through(world: World, plugged: Path, tmp_path: Path) -> None:
    _, _, requests = solve(world, plugged, write_conversation(tmp_path / "talk"), chat("Text"))
    last = requests[-1]["messages"]
    assert isinstance(last, list)
    assert [message["content"] for message in last[::2]] == list(TURNS)


def test_models_are_listed_and_unknown_ones_named(world: World, plugged: Path) -> None:
    declare(plugged, "http://127.0.0.1:1/v1")
    assert any(line.startswith("llm:scripted ") for line in world.clew("models").lines)
    done = world.clew("solve", world.pack(), "--model", "llm:poet")
    assert done.code == 2 and "llm has no model 'poet'" in done.err
